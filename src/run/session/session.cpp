#include <anachron/run/session.hpp>

#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

#include "comm/transport/cluster.hpp"
#include "engine/checkpoint/checkpoints.hpp"
#include "engine/ranks/same_calls.hpp"
#include "engine/session/session.hpp"
#include "mem/too_little_memory.hpp"
#include "pe/in_order.hpp"
#include "run/rank.hpp"
#include "run/report/report_of.hpp"
#include "run/session/variants.hpp"

namespace anachron::detail {

struct SessionKernel::Inside {
  Inside(std::vector<event::LpTypeEntry> types, const Config& config)
      : made(engine::open(std::move(types), config)) {
    if (pe::is_over_ranks(config)) calls.emplace(config.cluster->exchange(), session.lps().types());
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  /// The others are not to wait for a rank that has ended its session. If it ends by an exception, they may
  /// have the same. If not, they wait until the program has said what it was, and ends all.
  ~Inside() {
    if (std::uncaught_exceptions() > exceptions) return;
    try {
      meet("the end of the session");
    } catch (const std::exception&) {
      return;  // the others have heard of it
    }
  }

  /// All ranks begin this step, or none does.
  void meet(const std::string& call) {
    if (!calls || session.is_broken()) return;
    try {
      calls->meet(call);
    } catch (...) {
      session.give_up();
      throw;
    }
  }

  /// A step of all ranks. What it throws is known to all of them, but for what is no fault of the step.
  template <class Step>
  auto together(const std::string& call, const Step& step) {
    meet(call);
    RanksAtWork ranks(session.config());
    const auto end = [&] { ranks.succeeded(); };
    try {
      if constexpr (std::is_void_v<std::invoke_result_t<const Step&>>) {
        step();
        end();
      } else {
        auto result = step();
        end();
        return result;
      }
    } catch (const mem::TooLittleMemory&) {
      throw;
    } catch (const InputError&) {
      end();
      throw;
    } catch (const SimulationError&) {
      end();
      throw;
    }
  }

  const std::unique_ptr<engine::Session> made;
  engine::Session& session = *made;
  std::optional<Variants> variants;        // of what was kept until the session went on
  std::optional<engine::SameCalls> calls;  // none: there is one rank
  const int exceptions = std::uncaught_exceptions();
};

SessionKernel::SessionKernel(std::vector<event::LpTypeEntry> types, const Config& config) {
  if (!config.checkpoint.folder.empty() || config.checkpoint.max_wall_s)
    throw InputError(
        "--checkpoint and --max-wall are for whole runs: a session writes with its function `checkpoint`");
  const Config resolved = resolve(over_ranks(config), usable_cores(), usable_memory());
  RanksAtWork ranks(resolved);
  try {
    inside_ = std::make_unique<Inside>(std::move(types), resolved);
    ranks.succeeded();
  } catch (const SimulationError&) {
    ranks.succeeded();  // all of them have heard of it
    throw;
  }
}
SessionKernel::SessionKernel(SessionKernel&&) noexcept = default;
SessionKernel& SessionKernel::operator=(SessionKernel&&) noexcept = default;
SessionKernel::~SessionKernel() = default;

Ending SessionKernel::run_until(Time until, const ProgressCallback& progress,
                                const std::function<bool()>& interrupted) {
  inside_->variants.reset();
  return inside_->together(fmt::format("run_until({})", format_real(until)),
                           [&] { return inside_->session.run_until(until, progress, interrupted); });
}

Time SessionKernel::now() const { return inside_->session.now(); }

Report SessionKernel::report() const {
  return inside_->together("report()", [&] {
    const engine::Session& session = inside_->session;
    engine::Outcome outcome = session.outcome();
    return report_of(outcome, session.lps(), session.config());
  });
}

const void* SessionKernel::state(std::size_t type, std::uint32_t index) const {
  return state_of(inside_->session.lps(), type, index);
}

bool SessionKernel::is_here(std::size_t type, std::uint32_t index) const {
  const event::LpTypeEntry& entry = inside_->session.lps().types()[type];
  return index < entry.count && inside_->session.lps().is_here(entry.first + index);
}

std::uint32_t SessionKernel::lp_count(std::size_t type) const {
  return inside_->session.lps().types()[type].count;
}

unsigned SessionKernel::rank() const {
  const transport::Cluster* const cluster = inside_->session.config().cluster;
  return cluster ? cluster->rank() : 0;
}

std::vector<std::vector<std::byte>> SessionKernel::gather(std::vector<std::byte> own) const {
  if (!inside_->calls) return {};
  return inside_->together("gather(..)", [&] {
    return inside_->session.config().cluster->exchange().gather_for_all(std::move(own));
  });
}

EventHandle SessionKernel::schedule(const event::EventOps& ops, std::size_t type, std::uint32_t index,
                                    Time time, Order among,
                                    const std::function<void(event::EventHeader&)>& construct) {
  inside_->variants.reset();
  if (inside_->calls && !inside_->session.is_broken()) try {
      inside_->calls->note({&ops, type, index, time, among});
    } catch (...) {
      inside_->session.give_up();
      throw;
    }
  return inside_->session.schedule(ops, type, index, time, among, construct);
}

std::uint64_t SessionKernel::mark() {
  inside_->variants.reset();
  return inside_->together("mark()", [&] { return inside_->session.mark(); });
}
void SessionKernel::rewind(std::uint64_t mark) {
  inside_->variants.reset();
  inside_->together(fmt::format("rewind(mark {})", mark), [&] { inside_->session.rewind(mark); });
}
void SessionKernel::accept(std::uint64_t mark) {
  inside_->variants.reset();
  inside_->together(fmt::format("accept(mark {})", mark), [&] { inside_->session.accept(mark); });
}
void SessionKernel::keep_history() { inside_->session.keep_history(); }
std::string SessionKernel::checkpoint(const std::string& folder) {
  return inside_->together(fmt::format("checkpoint({})", folder),
                           [&] { return engine::write_checkpoint(inside_->session, folder); });
}

std::vector<VariantOutcome> SessionKernel::run(const std::vector<const event::Changes*>& variants,
                                               unsigned workers) {
  if (!inside_->variants) inside_->variants.emplace(inside_->session, report());
  return inside_->variants->run(variants, workers);
}

bool SessionKernel::can_rewind(std::uint64_t mark) const { return inside_->session.can_rewind(mark); }

}  // namespace anachron::detail
