// What the ranks of a program tell each other between its runs: to gather statistics, to number what each
// writes, to share out work. docs/how-to/clusters.md has an example.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include <anachron/base/bytes.hpp>
#include <anachron/base/config.hpp>
#include <anachron/base/error.hpp>
#include <anachron/model/archive.hpp>
#include <anachron/model/encodable.hpp>

namespace anachron {

/// The copies of this program that mpirun or the like has started, on one machine or on many. A program that
/// was started alone is one rank, and then nothing is sent.
///
///     const an::Ranks ranks;
///     const double total = ranks.reduce(own_total, std::plus<>());
///
/// Below `count`, each function is collective: all ranks call the same ones in the same order, with values of
/// the same type. It returns when what it needs of the others has come. Values are combined in the order of
/// ranks, so that sums of floating-point numbers are the same to the last bit on all ranks and in each
/// repetition. All goes through rank 0: time and memory there are O(ranks) values.
///
/// Precondition of the collective ones: no run is under way, of which the calling thread is the one that runs
/// simulations. They throw InputError where a run over ranks would, or when another rank has told something
/// of another type; std::logic_error during a run.
class Ranks {
 public:
  /// Those that this process was started as one of.
  Ranks() = default;
  /// Those that runs with this configuration are over.
  explicit Ranks(const Config& config) : cluster_(config.cluster) {}

  /// The number of this one, from 0.
  unsigned rank() const;
  /// How many there are; 1 for a program that was started alone.
  unsigned count() const;

  /// Returns when all ranks have called it.
  void barrier() const;
  /// What rank 0 has given.
  template <class T>
  T broadcast(const T& value) const {
    return count() == 1 ? value : decoded<T>(broadcast_bytes(rank() == 0 ? encoded(value) : Bytes()));
  }
  /// What each has given, by rank.
  template <class T>
  std::vector<T> gather(const T& own) const {
    if (count() == 1) return {own};
    std::vector<T> all;
    for (const Bytes& rank : gather_bytes(encoded(own))) all.push_back(decoded<T>(rank));
    return all;
  }
  /// What all have given, combined: `op(op(rank 0, rank 1), rank 2)` and so on. `op`: a function object such
  /// as `std::plus<>()`, the same on all ranks.
  template <class T, class Op>
  T reduce(const T& own, Op op) const {
    const std::vector<T> all = gather(own);
    T total = all.front();
    for (std::size_t i = 1; i < all.size(); ++i)
      total = static_cast<T>(std::invoke(op, std::move(total), all[i]));
    return total;
  }

  /// What `scan` returns.
  template <class T>
  struct Scanned {
    T before;  ///< of the ranks before this one
    T total;   ///< of all
  };
  /// The same, begun with `zero`; also without this rank and those behind it. Where each rank writes its part
  /// of a file, or numbers what it has: `scan(bytes, 0, std::plus<>()).before`.
  template <class T, class Op>
  Scanned<T> scan(const T& own, const T& zero, Op op) const {
    Scanned<T> scanned{zero, zero};
    const std::vector<T> all = gather(own);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i == rank()) scanned.before = scanned.total;
      scanned.total = static_cast<T>(std::invoke(op, std::move(scanned.total), all[i]));
    }
    return scanned;
  }

 private:
  using Bytes = std::vector<std::byte>;

  template <class T>
  static Bytes encoded(const T& value) {
    Bytes bytes;
    ArchiveWriter out(bytes);
    out(value);
    return bytes;
  }
  template <class T>
  static T decoded(const Bytes& bytes) {
    T value{};
    ByteReader in(bytes);
    ArchiveReader archive(in);
    archive(value);
    if (in.remaining() > 0)
      throw InputError("ranks have told each other values of different types: all have to call the same");
    return value;
  }

  std::vector<Bytes> gather_bytes(Bytes own) const;
  Bytes broadcast_bytes(Bytes from_first) const;

  transport::Cluster* cluster_ = nullptr;  // null: that of this process's launch
};

}  // namespace anachron
