#include "engine/session/kept_run.hpp"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <anachron/base/text.hpp>

namespace anachron::engine {
namespace {

// A segment is worth this multiple of what its states take, and its interruption of the run. At most it is a
// part of the room.
constexpr std::uint64_t kPerState = 8, kLeast = 4 << 20, kParts = 8;

}  // namespace

KeptRun::~KeptRun() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

bool KeptRun::is_checkpoint_due() const {
  return room_.taken() > std::min(at_checkpoint_, room_.taken()) + room_.limit() / kParts;
}

std::filesystem::path KeptRun::next_folder() {
  if (folder_.empty()) {
    std::string name = (std::filesystem::temp_directory_path() / "anachron-history-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw std::system_error(errno, std::generic_category(), "a folder for checkpoints: " + name);
    folder_ = name;
  }
  return folder_ / std::to_string(segments_.size());
}

void KeptRun::begin_segment(const lp::LpStore& lps, Beginning at) {
  if (!at.checkpoint.empty()) at_checkpoint_ = room_.taken();
  Segment next{std::move(at), std::make_unique<replay::Beginning>(lps), {}};
  for (unsigned pe = 0; pe < pes_; ++pe) next.logs.push_back(std::make_unique<observe::EventLog>(room_));
  if (!segments_.empty())
    for (const auto& log : segments_.back().logs) log->end();
  const std::uint64_t states = next.states->bytes();
  room_.take(states);
  segments_.push_back(std::move(next));
  for (std::size_t i = 0; i + 1 < segments_.size(); ++i) {
    const bool is_full = room_.taken() > room_.limit() - room_.limit() / kParts;
    if (is_full || i < first_with_events()) forget_events(segments_[i], segments_[i + 1]);
  }
  due_ = room_.taken() + std::min(std::max(kPerState * states, kLeast), room_.limit() / kParts);
  room_.interrupt_at(due_);
}

bool KeptRun::Segment::has_events() const {
  return states && std::all_of(logs.begin(), logs.end(),
                               [](const auto& log) { return log->lost() == observe::EventLog::Loss::none; });
}

std::size_t KeptRun::first_with_events() const {
  std::size_t first = segments_.size();
  while (first > 0 && segments_[first - 1].has_events()) --first;
  return first;
}

/// What was taken back early may be of a time behind the segment.
void KeptRun::forget_events(Segment& segment, Segment& next) {
  if (!segment.states) return;
  for (std::size_t pe = 0; pe < segment.logs.size(); ++pe)
    next.logs[pe]->keep_retracted(*segment.logs[pe], next.at.time);
  room_.give_back(segment.states->bytes());
  segment.states.reset();
  segment.logs.clear();
}

const KeptRun::Beginning* KeptRun::checkpoint_before(Time time, std::size_t number) const {
  const Beginning* last = nullptr;
  for (const Segment& segment : segments_)
    if (!segment.at.checkpoint.empty() && segment.at.is_before(time) && segment.at.scheduled <= number)
      last = &segment.at;
  return last;
}

std::unique_ptr<replay::Recorded> KeptRun::recorded(const lp::LpStore& lps, const replay::Seeds& seeds) {
  const std::size_t first = first_with_events();
  std::vector<replay::Part> parts;
  for (const Segment& segment : std::span(segments_).subspan(first)) {
    parts.push_back({segment.states.get(), {}});
    for (const auto& log : segment.logs) {
      log->lay_out_by_lp();
      parts.back().logs.push_back(log.get());
    }
  }
  return std::make_unique<replay::Recorded>(lps, parts, seeds, until);
}

std::string KeptRun::lost() const {
  using Loss = observe::EventLog::Loss;
  if (was_halted) return "the run was stopped or interrupted";
  for (const auto& log : segments_.back().logs) switch (log->lost()) {
      case Loss::none:
        break;
      case Loss::memory:
        return fmt::format("the history takes more than {} bytes, half of --memory", room_.limit());
      case Loss::copying:
        return "an event cannot be copied";
      case Loss::irrevocable:
        return "an event is irrevocable, so it is not executed again";
    }
  return {};
}

}  // namespace anachron::engine
