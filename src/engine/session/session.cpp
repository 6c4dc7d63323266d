#include "engine/session/session.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

#include "checkpoint/experiment.hpp"
#include "checkpoint/folder.hpp"
#include "checkpoint/intact.hpp"
#include "checkpoint/state_file.hpp"
#include "engine/checkpoint/checkpoints.hpp"
#include "engine/memory_limit.hpp"
#include "engine/results/model_files.hpp"
#include "engine/terms/run.hpp"
#include "partition/partition.hpp"
#include "partition/profile/survey.hpp"
#include "pe/in_order.hpp"
#include "topo/memory.hpp"

namespace anachron::engine {
namespace {

[[noreturn]] void throw_fault(const lp::LpStore& lps, const Fault& fault) {
  throw SimulationError(lps.name(fault.lp), fault.event, fault.key.time, fault.cause, fault.where);
}

}  // namespace

class Session::Attempt {
 public:
  explicit Attempt(Session& session) : session_(session) { session_.state_ = State::broken; }
  void succeeded() { session_.state_ = State::ready; }
  void failed() { session_.state_ = State::failed; }

 private:
  Session& session_;
};

Session::Session(std::vector<event::LpTypeEntry> types, const Config& config,
                 const std::function<void(const Progress&)>& progress,
                 const std::function<bool()>& interrupted)
    : config_(config) {
  set_up(std::move(types), [&] { return run_->start(progress, interrupted); });
}

Session::Session(std::vector<event::LpTypeEntry> types, const Config& config,
                 const std::filesystem::path& folder, const std::function<void(const Progress&)>& progress,
                 const std::function<bool()>& interrupted)
    : config_(config) {
  const checkpoint::Manifest manifest = checkpoint::read_manifest(folder);
  checkpoint::require_same_model(config_.checkpoint.command, manifest.command, folder);
  checkpoint::require_same(checkpoint::experiment_of(config_), manifest.experiment, folder);
  std::vector<std::filesystem::path> files;
  for (const std::string& name : manifest.files) files.push_back(folder / name);
  set_up(std::move(types), [&] {
    checkpoint::require_encodable(lps_->types(), *types_);
    run_->restore(files, *types_, progress, interrupted);
    return std::optional<Fault>();
  });
  go_on_with_files(*lps_, config_, manifest.model_files);
  const checkpoint::Position& at = manifest.position;
  now_ = {.time = at.time,
          .is_reached = at.is_reached,
          .last = at.last,
          .ending = at.ending,
          .outside = at.outside};
  committed_before_ = at.committed;
  has_depths_ = at.has_depths && !config_.time_events;
}

Session::~Session() = default;

void Session::set_up(std::vector<event::LpTypeEntry> types,
                     const std::function<std::optional<Fault>()>& make) {
  check(types, config_);
  const auto fault = within_system_memory([&] {
    constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
    // Each rank has some of the LPs, and some ranks may be on this machine.
    const unsigned ranks = pe::is_over_ranks(config_) ? config_.cluster->ranks() : 1;
    const unsigned here = pe::is_over_ranks(config_) ? config_.cluster->transport().ranks_here() : 1;
    const auto times = [](std::uint64_t bytes, std::uint64_t n) {
      return bytes > kNoLimit / n ? kNoLimit : bytes * n;
    };
    check_lps_fit(types, times(config_.memory.value_or(kNoLimit), ranks),
                  times(topo::available_memory() / here, ranks));
    if (config_.survey && config_.survey->look) config_.survey->look(types);
    if (pe::is_over_ranks(config_)) ranks_ = std::make_unique<Ranks>(config_, types);
    partition::Dealt dealt = ranks_ ? ranks_->share_out(types)
                                    : partition::deal(config_, types, partition::Layout::of(*config_.pes));
    dealt_by_ = dealt.by;
    lps_ = std::make_unique<lp::LpStore>(std::move(types), std::move(dealt.owners));
    types_ = std::make_unique<const event::TypeTable>(lps_->types());
    open_files(*lps_, config_);
    run_ = std::make_unique<Run>(*lps_, config_, ranks_.get());
    return make();
  });
  if (fault) throw_fault(*lps_, *fault);
}

Ending Session::run_until(Time until, const std::function<void(const Progress&)>& progress,
                          const std::function<bool()>& interrupted) {
  require_ready();
  if (!(until >= now_.time))
    throw InputError(fmt::format("run until {}: valid are times from {} on, where the session is",
                                 format_real(until), now_.time));
  if (!kept_) return go_on(until, progress, interrupted);
  for (;;) {
    if (kept_->is_segment_due() && marks_.empty()) begin_segment();
    bool is_interrupted = false;
    const Ending ending = go_on(until, progress, [&] {
      is_interrupted = is_interrupted || (interrupted && interrupted());
      return is_interrupted;
    });
    if (ending == Ending::interrupted && !is_interrupted && is_set_up()) continue;
    kept_->was_halted |= ending != Ending::finished;
    kept_->until = config_.until;
    return ending;
  }
}

Ending Session::go_on(Time until, const std::function<void(const Progress&)>& progress,
                      const std::function<bool()>& interrupted) {
  Attempt attempt(*this);
  config_.until = until + 0.0;  // no -0.0
  const Stretch stretch = within_system_memory([&] { return run_->run(progress, interrupted); });
  if (stretch.fault) {
    attempt.failed();
    throw_fault(*lps_, *stretch.fault);
  }
  now_.ending = stretch.ending;
  if (stretch.ending == Ending::finished && until != kForever) {
    now_.time = config_.until;
    now_.is_reached = false;
  } else {
    now_.time = std::max(now_.time, stretch.last);
    now_.is_reached = now_.is_reached || stretch.committed > now_.committed;
  }
  now_.committed = stretch.committed;
  now_.last = std::max(now_.last, stretch.last);
  attempt.succeeded();
  return stretch.ending;
}

Outcome Session::outcome() const {
  require_ready();
  Outcome outcome = run_->outcome();
  outcome.ending = now_.ending;
  outcome.dealt_by = dealt_by_;
  outcome.end_time = now_.time;
  outcome.committed_before = committed_before_;
  if (!has_depths_) {
    outcome.critical_path.reset();
    outcome.event_times.reset();
  }
  return outcome;
}

checkpoint::Position Session::position() const {
  return {.time = now_.time,
          .is_reached = now_.is_reached,
          .last = now_.last,
          .ending = now_.ending,
          .committed = committed_before_ + now_.committed,
          .has_depths = has_depths_ && !config_.time_events &&
                        (config_.cancellation != Cancellation::lazy || !pe::speculates(config_)),
          .outside = now_.outside};
}

bool Session::is_set_up() const { return run_->is_set_up(); }

void Session::save(checkpoint::StateWriter& to) { run_->save(to); }

void Session::prepare_to_save() {
  require_ready();
  if (!marks_.empty()) throw std::logic_error("anachron: the session has a mark: first accept it");
  run_->prepare_to_save();
}

EventHandle Session::schedule(const event::EventOps& ops, std::size_t type, std::uint32_t index, Time time,
                              Order among, const std::function<void(event::EventHeader&)>& construct) {
  require_ready();
  const event::LpTypeEntry& entry = lps_->types()[type];
  if (index >= entry.count)
    throw InputError(fmt::format("event {} is scheduled for an unknown LP, {} {}: there are {}",
                                 ops.event_name, entry.name(), index, entry.count));
  if (!(time >= now_.time) || (now_.is_reached && time == now_.time) || time == kForever)
    throw InputError(fmt::format("event {} is scheduled for {} {} at {}: valid are finite times {} {}",
                                 ops.event_name, entry.name(), index, format_real(time),
                                 now_.is_reached ? "after" : "from", now_.time));
  if (!among.is_valid())
    throw InputError(fmt::format("event {} is scheduled with priority {}: valid are {} to {}", ops.event_name,
                                 among.priority, Order::kLeast, Order::kGreatest));
  std::optional<Attempt> attempt;
  if (ranks_) attempt.emplace(*this);  // when it fails here, the other ranks have counted the event
  event::EventHeader* const e =
      run_->schedule(ops, entry.first + index, time, among, now_.outside, construct);
  if (e && !marks_.empty()) scheduled_.push_back(e);
  if (e && kept_) kept_->scheduled.committed(*e);
  if (attempt) attempt->succeeded();
  return e ? EventHandle{e->time, e->order, e->place(), e->sender, e->receiver} : EventHandle{};
}

void Session::keep_history() {
  require_ready();
  if (kept_) throw std::logic_error("anachron: the session keeps its history already");
  if (!marks_.empty()) throw std::logic_error("anachron: the session has a mark: first accept it");
  if (ranks_) throw InputError("what-if: the history is kept in one process only, not over ranks");
  constexpr std::uint64_t kShare = 2;  // of --memory, which is for events, too
  const auto memory =
      static_cast<std::uint64_t>(config_.memory.value_or(std::numeric_limits<std::int64_t>::max()));
  kept_ = std::make_unique<KeptRun>(*config_.pes, memory / kShare);
  kept_->until = now_.time;
  kept_->has_all = now_.outside.sends == 0 && now_.outside.counters.in_order == 0;
  kept_->begin_segment(*lps_, {.time = now_.time, .is_reached = now_.is_reached, .checkpoint = {}});
  run_->keep_in(kept_->logs(), kept_->room());
}

void Session::begin_segment() {
  KeptRun::Beginning at{.time = now_.time,
                        .is_reached = now_.is_reached,
                        .scheduled = kept_->scheduled.events().size(),
                        .checkpoint = {}};
  if (kept_->is_checkpoint_due()) try {
      CheckpointOptions options{.folder = kept_->next_folder().string()};
      at.checkpoint = Checkpoints(*this, std::move(options)).write_now();
    } catch (const std::exception&) {  // variants begin at an earlier one then, or are run in full
    }
  kept_->begin_segment(*lps_, std::move(at));
  run_->keep_in(kept_->logs(), kept_->room());
}

std::uint64_t Session::mark() {
  require_ready();
  Attempt attempt(*this);
  run_->mark();
  marks_.push_back({++marks_made_, now_, scheduled_.size()});
  attempt.succeeded();
  return marks_made_;
}

void Session::rewind(std::uint64_t mark) {
  if (state_ == State::broken) require_ready();
  const std::size_t index = find_valid(mark);
  Attempt attempt(*this);
  const MarkedPoint& to = marks_[index];
  run_->rewind(index, std::span(scheduled_).subspan(to.scheduled));
  scheduled_.resize(to.scheduled);
  if (kept_) kept_->has_all = false;  // but too much
  now_ = to.at;
  marks_.resize(index + 1, to);
  attempt.succeeded();
}

void Session::accept(std::uint64_t mark) {
  require_ready();
  const std::size_t index = find_valid(mark);
  Attempt attempt(*this);
  run_->accept(index);
  marks_.erase(marks_.begin() + static_cast<std::ptrdiff_t>(index), marks_.end());
  if (marks_.empty()) scheduled_.clear();
  attempt.succeeded();
}

bool Session::can_rewind(std::uint64_t mark) const { return state_ != State::broken && find(mark); }

std::unique_ptr<lp::LpStore> Session::close() {
  state_ = State::broken;
  run_.reset();
  return std::move(lps_);
}

void Session::require_ready() const {
  if (state_ == State::failed)
    throw std::logic_error(marks_.empty() ? "anachron: the session has failed and has no mark to go back to"
                                          : "anachron: the session has failed: first rewind it to a mark");
  if (state_ == State::broken) throw std::logic_error("anachron: the session has failed or was closed");
}

std::optional<std::size_t> Session::find(std::uint64_t mark) const {
  for (std::size_t i = 0; i < marks_.size(); ++i)
    if (marks_[i].id == mark) return i;
  return std::nullopt;
}

std::size_t Session::find_valid(std::uint64_t mark) const {
  if (const auto index = find(mark)) return *index;
  throw std::invalid_argument(
      "anachron: the mark is not valid any more: it was accepted, or made after one that was rewound to");
}

std::unique_ptr<Session> open(std::vector<event::LpTypeEntry> types, const Config& config,
                              const std::function<void(const Progress&)>& progress,
                              const std::function<bool()>& interrupted) {
  const std::string& resume = config.checkpoint.resume;
  if (resume.empty()) return std::make_unique<Session>(std::move(types), config, progress, interrupted);
  const std::filesystem::path newest = checkpoint::newest_in(resume);
  return checkpoint::offering_intact(newest, [&] {
    return std::make_unique<Session>(std::move(types), config, newest, progress, interrupted);
  });
}

Outcome run(std::vector<event::LpTypeEntry> types, const Config& config,
            const std::function<void(const Progress&)>& progress, const std::function<bool()>& interrupted) {
  const CheckpointOptions& options = config.checkpoint;
  const std::unique_ptr<Session> session = open(std::move(types), config, progress, interrupted);
  std::optional<Checkpoints> checkpoints;
  if (!options.folder.empty() || options.max_wall_s) checkpoints.emplace(*session);
  checkpoints ? checkpoints->run(progress, interrupted)
              : session->run_until(config.until, progress, interrupted);
  Outcome outcome = session->outcome();
  if (checkpoints) checkpoints->tell(outcome);
  // Not the time of a checkpoint behind the last event.
  if (outcome.ending == Ending::finished && config.until == kForever) outcome.end_time = session->last();
  if (outcome.links) config.survey->counted(*std::exchange(outcome.links, std::nullopt));
  outcome.lps = session->close();
  return outcome;
}

}  // namespace anachron::engine
