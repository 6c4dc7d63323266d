#include "gvt/rounds/rank_rounds.hpp"

#include <cstring>
#include <stdexcept>
#include <utility>

namespace anachron::gvt {

std::vector<unsigned> RankRounds::below(unsigned rank, unsigned ranks) {
  std::vector<unsigned> all;
  for (unsigned child = rank * kBranches + 1; child <= rank * kBranches + kBranches; ++child)
    if (child < ranks) all.push_back(child);
  return all;
}

RankRounds::RankRounds(transport::Dispatcher& dispatcher, Outside outside)
    : dispatcher_(dispatcher),
      outside_(std::move(outside)),
      children_(below(dispatcher.rank(), dispatcher.ranks())) {
  in_transit_.missing = reports_.missing = children_.size();
}

RankRounds::~RankRounds() { dispatcher_.on(transport::Kind::rounds, nullptr); }

void RankRounds::begin(Gvt& gvt) {
  gvt_ = &gvt;
  dispatcher_.on(transport::Kind::rounds,
                 [this](unsigned from, transport::Buffer&, std::span<const std::byte> body) {
                   RoundMessage message{};
                   if (body.size() != sizeof message)
                     throw std::logic_error("anachron: internal error: a GVT round is cut off");
                   std::memcpy(&message, body.data(), sizeof message);
                   receive(from, message);
                 });
}

void RankRounds::all_are_ready(std::span<const Summary> summaries) {
  own_ = outside_.report(summaries);
  own_.memory.need.rank = dispatcher_.rank();
  local_.store(Local::has_reported, std::memory_order_release);
}

bool RankRounds::serve() {
  const Local local = local_.load(std::memory_order_acquire);
  if (local == Local::has_cut) {
    call(dispatcher_.rank());
    count();
  }
  if (local == Local::has_reported) report();
  return std::exchange(has_moved_, false);
}

RankRounds::Awaited RankRounds::awaited() const {
  Awaited now{.is_for_own = false, .ranks = std::vector<bool>(children_.size())};
  if (!is_under_way()) return now;
  now.is_for_own = local_.load(std::memory_order_relaxed) == Local::runs;
  const std::uint32_t answered = answered_.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < children_.size(); ++i) now.ranks[i] = (answered >> i & 1) == 0;
  return now;
}

void RankRounds::note_answer(unsigned from) {
  const unsigned bit = from - children_.front();
  answered_.store(answered_.load(std::memory_order_relaxed) | 1u << bit, std::memory_order_relaxed);
}

void RankRounds::receive(unsigned from, const RoundMessage& message) {
  has_moved_ = true;
  if (message.step == Step::call) {
    if (message.round == round_) call(from);
    return;
  }
  if (message.round != round_)
    throw std::logic_error("anachron: internal error: a message of another GVT round");
  switch (message.step) {
    case Step::count:
      note_answer(from);
      in_transit_.sum += message.in_transit;
      --in_transit_.missing;
      return call(from);
    case Step::again:
      return count_again();
    case Step::report:
      return open_reports();
    case Step::summary:
      note_answer(from);
      reports_.sum.add(message.report);
      --reports_.missing;
      return;
    case Step::round:
      return open(message.outcome);
    case Step::call:
      return;
  }
}

/// What is on its way, of this rank and those below it, when all of these have cut.
void RankRounds::count() {
  if (in_transit_.is_passed_on || in_transit_.missing > 0) return;
  has_moved_ = true;
  const std::int64_t sum = in_transit_.sum + outside_.in_transit(round_ % 2);
  if (!is_first()) {
    in_transit_.is_passed_on = true;
    return send(parent(), {.step = Step::count, .round = round_, .in_transit = sum});
  }
  sum == 0 ? open_reports() : count_again();
}

void RankRounds::count_again() {
  ++counts_;
  answered_.store(0, std::memory_order_relaxed);
  send_down({.step = Step::again, .round = round_});
  in_transit_ = {.missing = children_.size()};
}

void RankRounds::open_reports() {
  ++counts_;
  answered_.store(0, std::memory_order_relaxed);
  send_down({.step = Step::report, .round = round_});
  in_transit_ = {.missing = children_.size()};
  local_.store(Local::runs,
               std::memory_order_relaxed);  // no PE of this rank writes it before they may report
  gvt_->open_reports();
}

void RankRounds::report() {
  if (reports_.is_passed_on || reports_.missing > 0) return;
  has_moved_ = true;
  RankReport sum = reports_.sum;
  sum.add(own_);
  if (is_first()) return open(outside_.conclude(sum));
  reports_.is_passed_on = true;
  send(parent(), {.step = Step::summary, .round = round_, .report = sum});
}

void RankRounds::open(const Round& outcome) {
  send_down({.step = Step::round, .round = round_, .outcome = outcome});
  if (!is_first()) outside_.take_note(outcome, own_);
  ++round_;
  answered_.store(0, std::memory_order_relaxed);
  is_called_.store(false, std::memory_order_relaxed);
  reports_ = {.missing = children_.size()};
  local_.store(Local::runs, std::memory_order_relaxed);  // likewise, before the round is open
  gvt_->open(outcome);
}

/// Some rank has begun the round: all others are told, so that those with much to do do not let it wait.
void RankRounds::call(unsigned from) {
  if (is_under_way()) return;
  is_called_.store(true, std::memory_order_relaxed);
  has_moved_ = true;
  gvt_->call();
  const RoundMessage message{.step = Step::call, .round = round_};
  if (!is_first() && parent() != from) send(parent(), message);
  for (const unsigned child : children_)
    if (child != from) send(child, message);
}

void RankRounds::send(unsigned to, const RoundMessage& message) {
  dispatcher_.send(to, transport::Kind::rounds, std::as_bytes(std::span(&message, 1)));
}

void RankRounds::send_down(const RoundMessage& message) {
  for (const unsigned child : children_) send(child, message);
}

}  // namespace anachron::gvt
