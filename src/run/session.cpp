#include <anachron/run/session.hpp>

#include "engine/session.hpp"
#include "run/rank.hpp"
#include "run/report/report_of.hpp"

namespace anachron::detail {
namespace {

const Config& for_session(const Config& config) {
  require_one_process("a session");
  return config;
}

}  // namespace

struct SessionKernel::Inside {
  engine::Session session;
};

SessionKernel::SessionKernel(std::vector<event::LpTypeEntry> types, const Config& config)
    : inside_(new Inside{{std::move(types), resolve(for_session(config), usable_cores(), usable_memory())}}) {
}
SessionKernel::SessionKernel(SessionKernel&&) noexcept = default;
SessionKernel& SessionKernel::operator=(SessionKernel&&) noexcept = default;
SessionKernel::~SessionKernel() = default;

Ending SessionKernel::run_until(Time until, const ProgressCallback& progress,
                                const std::function<bool()>& interrupted) {
  return inside_->session.run_until(until, progress, interrupted);
}

Time SessionKernel::now() const { return inside_->session.now(); }

Report SessionKernel::report() const {
  const engine::Session& session = inside_->session;
  engine::Outcome outcome = session.outcome();
  return report_of(outcome, session.lps(), session.config());
}

const void* SessionKernel::state(std::size_t type, std::uint32_t index) const {
  return state_of(inside_->session.lps(), type, index);
}

std::uint32_t SessionKernel::lp_count(std::size_t type) const {
  return inside_->session.lps().types()[type].count;
}

void SessionKernel::schedule(const event::EventOps& ops, std::size_t type, std::uint32_t index, Time time,
                             Order among, const std::function<void(event::EventHeader&)>& construct) {
  inside_->session.schedule(ops, type, index, time, among, construct);
}

std::uint64_t SessionKernel::mark() { return inside_->session.mark(); }
void SessionKernel::rewind(std::uint64_t mark) { inside_->session.rewind(mark); }
void SessionKernel::accept(std::uint64_t mark) { inside_->session.accept(mark); }
bool SessionKernel::can_rewind(std::uint64_t mark) const { return inside_->session.can_rewind(mark); }

}  // namespace anachron::detail
