#include "model/results/results_log.hpp"

#include <cstddef>
#include <deque>
#include <exception>
#include <queue>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <anachron/base/error.hpp>

namespace anachron::detail {

using Kind = ResultsLog::Kind;

template <class... Operands>
void ResultsLog::log(Kind kind, std::string_view name, const Operands&... operands) {
  log_use(kind, name, {}, [&] { out_(operands...); });
}

void ResultsLog::count(std::string_view name, std::int64_t n) { log(Kind::count, name, n); }
void ResultsLog::add(std::string_view name, double x) { log(Kind::add, name, x); }
void ResultsLog::mean(std::string_view name, double sum, std::uint64_t weight) {
  log(Kind::mean, name, sum, weight);
}
void ResultsLog::min(std::string_view name, double x) { log(Kind::min, name, x); }
void ResultsLog::max(std::string_view name, double x) { log(Kind::max, name, x); }
void ResultsLog::tally(std::string_view name, double x) { log(Kind::tally, name, x); }
void ResultsLog::add(std::string_view name, const Tally& tally) { log(Kind::merge_tally, name, tally); }
void ResultsLog::add(std::string_view name, const WeightedTally& levels) {
  log(Kind::merge_levels, name, levels);
}
void ResultsLog::add(std::string_view name, const Distribution& distribution) {
  log(Kind::merge_distribution, name, distribution);
}
void ResultsLog::add(std::string_view name, const BatchMeans& batches) {
  log(Kind::merge_batches, name, batches);
}
void ResultsLog::add(std::string_view name, const Series& series) { log(Kind::merge_series, name, series); }

void ResultsLog::row(std::string_view table, const std::vector<std::string>& columns,
                     const std::vector<Results::Cell>& cells) {
  log_use(Kind::row, table, columns, [&] {
    out_(std::uint64_t{cells.size()});
    for (const Results::Cell& cell : cells) {
      out_(std::uint64_t{cell.index()});
      if (const auto* const text = std::get_if<std::string>(&cell))
        out_.text(*text);
      else if (const auto* const n = std::get_if<std::int64_t>(&cell))
        out_(*n);
      else
        out_(std::get<double>(cell));
    }
  });
}

template <class Write>
void ResultsLog::log_use(Kind kind, std::string_view name, const std::vector<std::string>& columns,
                         Write&& write) {
  const std::size_t size = bytes_.size(), uses = uses_.size(), use = find(kind, name, columns);
  try {
    if (!is_announced_) out_(std::uint64_t{kNextLp}, std::uint64_t{lp_ - expected_});
    out_(std::uint64_t{kFirstUse + use});
    if (use == uses) {
      uses_.push_back({kind, std::string(name), columns});
      out_(static_cast<std::uint64_t>(kind));
      out_.text(name);
      if (kind == Kind::row) {
        out_(std::uint64_t{columns.size()});
        for (const std::string& column : columns) out_.text(column);
      }
    }
    write();
  } catch (...) {  // for lack of memory
    bytes_.resize(size);
    uses_.erase(uses_.begin() + static_cast<std::ptrdiff_t>(uses), uses_.end());
    throw;
  }
  latest_ = use;
  if (!is_announced_) expected_ = lp_ + 1;
  is_announced_ = true;
}

/// LPs of a type report the same things in the same order, so the search begins behind the latest one.
std::size_t ResultsLog::find(Kind kind, std::string_view name,
                             const std::vector<std::string>& columns) const {
  for (std::size_t i = 1; i <= uses_.size(); ++i) {
    const std::size_t use = (latest_ + i) % uses_.size();
    if (uses_[use].kind == kind && uses_[use].name == name && uses_[use].columns == columns) return use;
  }
  return uses_.size();
}

std::vector<std::byte> ResultsLog::end(const LogEnding& ending) && {
  out_(std::uint64_t{kEnd}, std::uint64_t{ending.next}, std::uint64_t{ending.cause.has_value()});
  if (ending.cause) out_.text(*ending.cause);
  return std::move(bytes_);
}

namespace {

[[noreturn]] void fail_log(std::string_view what) {
  throw InputError(fmt::format("the bytes are no log of results: {}", what));
}

/// As if it were done in the LP's `finish`: returns what that would have failed with, if so.
template <class Operation>
std::optional<std::string> attempt(Operation&& operation) {
  try {
    operation();
  } catch (const std::exception& error) {
    return std::string("threw: ") + error.what();
  }
  return std::nullopt;
}

/// A log on its way through the LPs.
class Replay {
 public:
  Replay(std::span<const std::byte> log, LpId lps) : bytes_(log), lps_(lps) {
    if (read_head()) fail_log("it begins with an operation of no LP");
  }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  /// There is the LP's turn, or the end of the log.
  LpId lp() const { return lp_; }
  /// None of its operations are left; `lp()` is that before which its rank has ended.
  const std::optional<LogEnding>& ending() const { return ending_; }

  /// Applies the operations of LP `lp()`, and goes on to the next one. Returns why one of them failed, if so.
  std::optional<std::string> apply(Results& results) {
    while (const std::optional<std::size_t> use = read_head())
      if (auto cause = apply(uses_[*use], results)) return cause;
    return std::nullopt;
  }

 private:
  /// Reads what comes next: an operation of this use; or an LP, or the end.
  std::optional<std::size_t> read_head();
  void read_lp();
  void read_ending();
  void read_use();
  std::optional<std::string> apply(const ResultsLog::Use& use, Results& results);
  std::optional<std::string> apply_row(const ResultsLog::Use& use, Results& results);
  template <class T>
  std::optional<std::string> merge(const T& statistic, const std::string& name, Results& results) {
    return attempt([&] { results.add(name, statistic); });
  }

  ByteReader bytes_;
  CompactReader in_{bytes_};
  const LpId lps_;
  std::vector<ResultsLog::Use> uses_;
  LpId lp_ = 0;
  std::uint64_t expected_ = 0;  // behind the LPs that were there
  std::optional<LogEnding> ending_;
};

std::optional<std::size_t> Replay::read_head() {
  const std::uint64_t head = in_.natural();
  if (head == ResultsLog::kNextLp) return read_lp(), std::nullopt;
  if (head == ResultsLog::kEnd) return read_ending(), std::nullopt;
  const std::uint64_t use = head - ResultsLog::kFirstUse;
  if (use > uses_.size()) fail_log("a name is missing");
  if (use == uses_.size()) read_use();
  return static_cast<std::size_t>(use);
}

void Replay::read_lp() {
  const std::uint64_t left_out = in_.natural();
  if (left_out >= lps_ - expected_) fail_log(fmt::format("there are {} LPs", lps_));
  lp_ = static_cast<LpId>(expected_ + left_out);
  expected_ = std::uint64_t{lp_} + 1;
}

void Replay::read_ending() {
  const std::uint64_t next = in_.natural(), has_failed = in_.natural();
  if (next > lps_ || next < expected_ || has_failed > 1 || (has_failed && next == 0))
    fail_log(fmt::format("it ends before LP {}", next));
  lp_ = static_cast<LpId>(next);
  ending_ = LogEnding{lp_, std::nullopt};
  if (has_failed) ending_->cause = in_.text();
  if (bytes_.remaining() > 0) fail_log("it goes on behind its end");
}

void Replay::read_use() {
  const std::uint64_t kind = in_.natural();
  if (kind >= ResultsLog::kKinds) fail_log(fmt::format("kind {} of operation", kind));
  ResultsLog::Use use{static_cast<Kind>(kind), in_.text(), {}};
  if (use.kind == Kind::row) {
    use.columns.resize(bytes_.length_of(1));
    for (std::string& column : use.columns) column = in_.text();
  }
  uses_.push_back(std::move(use));
}

std::optional<std::string> Replay::apply(const ResultsLog::Use& use, Results& results) {
  const std::string& name = use.name;
  switch (use.kind) {
    case Kind::count:
      return attempt([&, n = in_.whole()] { results.count(name, n); });
    case Kind::add:
      return attempt([&, x = in_.real()] { results.add(name, x); });
    case Kind::mean: {
      const double sum = in_.real();
      return attempt([&, weight = in_.natural()] { results.mean(name, sum, weight); });
    }
    case Kind::min:
      return attempt([&, x = in_.real()] { results.min(name, x); });
    case Kind::max:
      return attempt([&, x = in_.real()] { results.max(name, x); });
    case Kind::tally:
      return attempt([&, x = in_.real()] { results.tally(name, x); });
    case Kind::merge_tally:
      return merge(in_.read<Tally>(), name, results);
    case Kind::merge_levels:
      return merge(in_.read<WeightedTally>(), name, results);
    case Kind::merge_distribution:
      return merge(in_.distribution(), name, results);
    case Kind::merge_batches:
      return merge(in_.read<BatchMeans>(), name, results);
    case Kind::merge_series:
      return merge(in_.read<Series>(), name, results);
    case Kind::row:
      return apply_row(use, results);
  }
  fail_log("an operation of no kind");
}

std::optional<std::string> Replay::apply_row(const ResultsLog::Use& use, Results& results) {
  std::vector<Results::Cell> cells(bytes_.length_of(2));
  for (Results::Cell& cell : cells) switch (const std::uint64_t index = in_.natural()) {
      case 0:
        cell = in_.whole();
        break;
      case 1:
        cell = in_.real();
        break;
      case 2:
        cell = in_.text();
        break;
      default:
        fail_log(fmt::format("a cell of kind {}", index));
    }
  return attempt([&] { results.row(use.name, use.columns, std::move(cells)); });
}

}  // namespace

LogEnding replay(std::span<const std::span<const std::byte>> logs, LpId lps, Results& results) {
  std::deque<Replay> replays;
  for (const auto& log : logs) replays.emplace_back(log, lps);

  // What happens first: all LPs before an end have reported; the LP before it may have failed.
  const auto comes_later = [&](std::size_t a, std::size_t b) {
    const auto rank = [](const Replay& replay) {
      return std::tuple(replay.lp(), !replay.ending(), replay.ending() && !replay.ending()->cause);
    };
    return rank(replays[a]) > rank(replays[b]);
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(comes_later)> turns(comes_later);
  for (std::size_t i = 0; i < replays.size(); ++i) turns.push(i);

  for (LpId expected = 0; !turns.empty();) {
    const std::size_t first = turns.top();
    turns.pop();
    Replay& replay = replays[first];
    if (replay.ending()) return *replay.ending();
    const LpId lp = replay.lp();
    if (lp < expected) fail_log(fmt::format("LP {} is in two of them", lp));
    expected = lp + 1;
    if (auto cause = replay.apply(results)) return {expected, std::move(cause)};
    turns.push(first);
  }
  return {lps, std::nullopt};
}

}  // namespace anachron::detail
