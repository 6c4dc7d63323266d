// What LPs report, kept to be applied later and elsewhere.
//
// The LPs of a run may live on several ranks. But sums of doubles, averages and merged statistics depend on
// the order of LPs to the last bit. So do the order of figures and the first misuse of a name. So a rank does
// not add up anything. It logs each operation on its Results, and one rank applies what all have logged, LP
// by LP.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/model/results.hpp>

#include "model/results/compact.hpp"

namespace anachron::detail {

/// How far the LPs of a log have come.
struct LogEnding {
  LpId next = 0;                       ///< all before this one have reported
  std::optional<std::string> cause{};  ///< why the last of those has failed, if it has
};

/// The bytes are a list of
///   0, ids left out    the operations that follow are those of the next LP behind these
///   1, ending          the end
///   2 + u, operands    an operation of a use that has occurred
///   2 + all uses, kind, name, columns of a table, operands     one of a new use
/// with numbers as in model/results/compact.hpp. A use is a kind of operation with its name, so that nearly
/// all operations say in a byte what they do.
class ResultsLog {
 public:
  enum class Kind : std::uint8_t {
    count,
    add,
    mean,
    min,
    max,
    tally,
    merge_tally,
    merge_levels,
    merge_distribution,
    merge_batches,
    merge_series,
    row,
  };
  static constexpr std::uint8_t kKinds = 12;
  struct Use {
    Kind kind;
    std::string name;
    std::vector<std::string> columns{};  // of a row

    friend bool operator==(const Use&, const Use&) = default;
  };
  enum Head : std::uint64_t { kNextLp, kEnd, kFirstUse };

  ResultsLog() = default;
  ResultsLog(const ResultsLog&) = delete;
  ResultsLog& operator=(const ResultsLog&) = delete;

  /// What follows is of this LP. Precondition: LPs come in ascending order.
  void begin(LpId lp) {
    lp_ = lp;
    is_announced_ = false;
  }
  /// The operations of Results. Each is logged, or throws and leaves nothing behind.
  void count(std::string_view name, std::int64_t n);
  void add(std::string_view name, double x);
  void mean(std::string_view name, double sum, std::uint64_t weight);
  void min(std::string_view name, double x);
  void max(std::string_view name, double x);
  void tally(std::string_view name, double x);
  void add(std::string_view name, const Tally& tally);
  void add(std::string_view name, const WeightedTally& levels);
  void add(std::string_view name, const Distribution& distribution);
  void add(std::string_view name, const BatchMeans& batches);
  void add(std::string_view name, const Series& series);
  void row(std::string_view table, const std::vector<std::string>& columns,
           const std::vector<Results::Cell>& cells);

  /// Ends the log and returns it. Of an LP that has failed the log has what it did before.
  std::vector<std::byte> end(const LogEnding& ending) &&;

 private:
  template <class... Operands>
  void log(Kind kind, std::string_view name, const Operands&... operands);
  template <class Write>
  void log_use(Kind kind, std::string_view name, const std::vector<std::string>& columns, Write&& write);
  std::size_t find(Kind kind, std::string_view name, const std::vector<std::string>& columns) const;

  std::vector<std::byte> bytes_;
  CompactWriter out_{bytes_};
  std::vector<Use> uses_;
  std::size_t latest_ = 0;      // use
  LpId lp_ = 0, expected_ = 0;  // the second: behind the last one that is in the log
  bool is_announced_ = false;
};

/// Applies the operations of all logs in the order of LPs, as if each LP's `finish` had been called with
/// `results`. Ends with the first LP that has failed on its rank or that fails now, or where a rank's LPs
/// ended. Throws InputError for bytes that are no such logs of `lps` LPs, of which each is in one log at
/// most; `results` then has something of them.
LogEnding replay(std::span<const std::span<const std::byte>> logs, LpId lps, Results& results);

}  // namespace anachron::detail
