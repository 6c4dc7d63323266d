// The door of the room `replay`: a run that is kept, and variants of it that execute again only what differs.
//
// This file is the run as it was: of each LP its image at the beginning, all its events, and images in
// between, made when they are first needed. A variant can be kept likewise, so that others begin from it: it
// has lines of its own for the LPs that differ.
// Invariant: it never changes what it says; only images in between are added.
// Read on in replay/propagation.hpp (a change goes through it) and replay/executor.hpp (one event).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <anachron/event/frame.hpp>
#include <anachron/event/header.hpp>

#include "lp/lp_store.hpp"
#include "observe/event_log.hpp"
#include "replay/executor.hpp"
#include "replay/state.hpp"

namespace anachron::replay {

/// All LPs at the beginning of what is kept.
class Beginning {
 public:
  /// Copies all states. Throws InputError when an LP type cannot be copied.
  explicit Beginning(const lp::LpStore& lps);

  const LpImage& of(LpId lp) const { return images_[lp]; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::vector<LpImage> images_;
  std::uint64_t bytes_ = 0;
};

/// An event of a line: the time is beside it, so that who looks for it finds it in few cache lines. A line of
/// a variant may say otherwise than the event whether it was executed.
class Item {
 public:
  Item() = default;
  Item(const event::EventHeader* event, bool executed)
      : time_(event->time), event_(reinterpret_cast<std::uintptr_t>(event) | std::uintptr_t{executed}) {}

  Time time() const { return time_; }
  const event::EventHeader& operator*() const { return *get(); }
  const event::EventHeader* operator->() const { return get(); }
  const event::EventHeader* get() const {
    return reinterpret_cast<const event::EventHeader*>(event_ & ~std::uintptr_t{1});
  }
  bool was_executed() const { return event_ & 1; }
  bool is_below(const event::EventKey& key) const {
    return time_ != key.time ? time_ < key.time : get()->key() < key;
  }

 private:
  Time time_ = 0;
  std::uintptr_t event_ = 0;  // its address; the last bit: it was executed
};
/// What happened at one LP, in the order of keys: executed events, events that were taken back, and before
/// each of these the retractions that did it.
using Line = std::span<const Item>;

/// All LPs at some point, and what all PEs have committed from there to the next one, laid out by LP.
struct Part {
  const Beginning* states;
  std::vector<const observe::EventLog*> logs;
};

class Recorded {
 public:
  /// A run, of one part or several in order. They must outlive it. `until`: all before it is in the logs,
  /// nothing after.
  Recorded(const lp::LpStore& lps, std::span<const Part> parts, const Seeds& seeds, Time until);

  /// How an LP is in a variant.
  struct Other {
    std::size_t from = 0;     ///< the first item of its line that is another one
    std::vector<Item> items;  ///< of the whole line
    const void* state = nullptr;
    std::uint64_t digest = 0;
  };
  using Others = std::unordered_map<LpId, Other>;
  /// A variant of `of`, with so many executed events. `of`, and what `others` points to, must outlive it.
  Recorded(Recorded& of, Others others, std::uint64_t committed);

  const lp::LpStore& lps() const { return lps_; }
  const Seeds& seeds() const { return seeds_; }
  Time until() const { return until_; }
  Line line(LpId lp) const { return lines_[lp]; }
  /// The LP at the end.
  const void* state(LpId lp) const;
  /// The LP's digest at the end.
  std::uint64_t digest(LpId lp) const;
  /// The LPs that are another way than in what this is a variant of.
  const Others& others() const { return others_; }
  /// Hash of the event that was executed before number `index` of the line: see pe/digest.hpp.
  std::uint64_t hash_before(LpId lp, std::size_t index) const;
  /// The first event of the line whose key is not below this one; it is not before number `from`.
  /// O(log of how far it is from there).
  std::size_t find(LpId lp, const event::EventKey& key, std::size_t from = 0) const;
  /// Executed events.
  std::uint64_t committed() const { return committed_; }

  /// Beyond so many events it may be less to ask for an image than to execute them again.
  static constexpr std::size_t kFar = 32;

  /// The LP before event number `index` of its line. Any thread. O(log events + events since the last image).
  LpImage before(LpId lp, std::size_t index, Executor& executor, std::uint64_t& coasted);
  /// Takes a copy of the LP as it was before that event, if one is wanted there.
  void offer(LpId lp, std::size_t index, const LpImage& image);

 private:
  struct Between {
    std::size_t index;
    std::unique_ptr<const LpImage> image;
  };
  /// All LPs where a part begins.
  struct Snapshot {
    const Beginning* states;
    std::vector<std::uint32_t> index;  // by LP: its items that are before
  };
  /// An image, and of which item it is before.
  using Image = std::pair<std::size_t, const LpImage*>;

  void find_snapshots();
  Image last_snapshot(LpId lp, std::size_t index) const;
  std::optional<Image> last_between(LpId lp, std::size_t index);
  /// So far apart are images of an LP: they take no more than some bytes an event.
  std::size_t interval(LpId lp) const;
  std::mutex& guard(LpId lp) { return guards_[lp % guards_.size()]; }
  /// This is a variant, and the LP is so far as in what it is a variant of.
  bool is_as_before(LpId lp, std::size_t index) const;

  Recorded* const of_ = nullptr;  // null: this is the run
  const Others others_;
  const lp::LpStore& lps_;
  const Beginning& beginning_;
  std::vector<Snapshot> snapshots_;  // of the run
  const Seeds seeds_;
  const Time until_;
  std::uint64_t committed_ = 0;
  std::vector<Item> events_;                   // of the run, line by line
  std::vector<Line> lines_;                    // by LP
  std::array<std::mutex, 64> guards_;          // of `between_`, by LP
  std::vector<std::vector<Between>> between_;  // by LP, ascending
};

}  // namespace anachron::replay
