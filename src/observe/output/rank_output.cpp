#include "observe/output/rank_output.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <anachron/base/bytes.hpp>

// A part is its size in 8 bytes, then how many items it has, the items, and the bound that they end at.
// Parts follow each other without regard for where a message ends.

namespace anachron::observe {
namespace {

/// As it is: all ranks run the same program on the same kind of processor.
void write_key(ByteWriter& out, const event::EventKey& key) {
  static_assert(std::is_trivially_copyable_v<event::EventKey>);
  out.bytes(&key, sizeof key);
}
event::EventKey read_key(ByteReader& in) {
  event::EventKey key{};
  in.bytes(&key, sizeof key);
  return key;
}

/// What an item is.
enum class What : std::uint8_t { event, written };

/// On rank 0: puts into a file what an action on another rank has written.
class Writing final : public event::Task {
 public:
  Writing(const ModelFile& to, ModelFile::Piece piece) : to_(to), piece_(std::move(piece)) {}

  void run() override { to_.add(piece_); }
  std::size_t bytes() const { return sizeof *this + piece_.heading.size() + piece_.text.size(); }

 private:
  const ModelFile& to_;
  ModelFile::Piece piece_;
};

}  // namespace

RankOutput::RankOutput(const Parts& parts) : parts_(parts) {
  if (is_first()) {
    incoming_.resize(parts_.dispatcher.ranks());
    parts_.dispatcher.on(
        transport::Kind::output,
        [this](unsigned from, transport::Buffer&, std::span<const std::byte> body) { take(from, body); });
  } else {
    parts_.output.tell_when_passed([this](const event::EventKey& bound) { passed(bound); });
    for (const ModelFile* file : parts_.files) file->divert();
    if (!parts_.files.empty())
      parts_.output.tell_when_done([this](const OrderedOutput::Item& item) { send_written(item); });
  }
}

RankOutput::~RankOutput() {
  if (is_first()) parts_.dispatcher.on(transport::Kind::output, nullptr);
}

template <class Write>
void RankOutput::add(Write&& write) {
  const std::scoped_lock lock(mutex_);
  const std::size_t before = part_.size();
  ByteWriter out(part_);
  write(out);
  parts_.budget.take_shared(static_cast<std::int64_t>(part_.size() - before));
  ++items_;
}

void RankOutput::send(const ShownEvent& event) {
  add([&](ByteWriter& out) {
    out.number(static_cast<std::uint8_t>(What::event));
    write_key(out, event.key);
    out.number(event.receiver);
    out.number(parts_.types.number_of(*event.ops));
    out.text(event.payload);
  });
}

void RankOutput::send_written(const OrderedOutput::Item& done) {
  for (std::uint32_t number = 0; number < parts_.files.size(); ++number)
    for (const ModelFile::Piece& piece : parts_.files[number]->take())
      add([&](ByteWriter& out) {
        out.number(static_cast<std::uint8_t>(What::written));
        write_key(out, done.key);
        out.number(done.lp);
        out.number(number);
        out.flag(piece.has_heading);
        out.text(piece.heading);
        out.text(piece.text);
      });
}

void RankOutput::passed(const event::EventKey& bound) {
  transport::Bytes content;
  ByteWriter out(content);
  const std::scoped_lock lock(mutex_);
  out.length(items_);
  out.bytes(part_.data(), part_.size());
  write_key(out, bound);
  parts_.budget.take_shared(static_cast<std::int64_t>(content.size() + sizeof(std::uint64_t)) -
                            static_cast<std::int64_t>(part_.size()));
  part_.clear();
  items_ = 0;
  ByteWriter ready(ready_);
  ready.number(static_cast<std::uint64_t>(content.size()));
  ready.bytes(content.data(), content.size());
  is_ready_.store(true, std::memory_order_release);
}

void RankOutput::fill_leaving() {
  const std::scoped_lock lock(mutex_);
  leaving_.clear();
  gone_ = 0;
  std::swap(leaving_, ready_);
  is_ready_.store(false, std::memory_order_relaxed);
}

/// No more than the transport takes at once: what it refuses stays here, where it counts as memory.
bool RankOutput::serve() {
  if (gone_ == leaving_.size()) {
    if (!is_ready_.load(std::memory_order_relaxed)) return false;
    fill_leaving();
  }
  bool has_sent = false;
  while (gone_ < leaving_.size() && parts_.dispatcher.is_flushed()) {
    const std::size_t size = std::min(leaving_.size() - gone_, parts_.dispatcher.most_bytes());
    parts_.dispatcher.send(0, transport::Kind::output,
                           std::span<const std::byte>(leaving_).subspan(gone_, size));
    parts_.budget.take_shared(-static_cast<std::int64_t>(size));
    gone_ += size;
    has_sent = true;
  }
  return has_sent;
}

void RankOutput::finish(const std::optional<event::EventKey>& end) {
  if (!is_first()) {
    parts_.output.finish(end);
    passed(OrderedOutput::kBehindAll);
    transport::Bytes rest(leaving_.begin() + static_cast<std::ptrdiff_t>(gone_), leaving_.end());
    fill_leaving();
    rest.insert(rest.end(), leaving_.begin(), leaving_.end());
    parts_.budget.take_shared(-static_cast<std::int64_t>(rest.size()));
    gone_ = leaving_.size();
    parts_.exchange.gather(std::move(rest));
    return;
  }
  // What was sent before comes before it.
  const std::vector<transport::Bytes> rest = parts_.exchange.gather({});
  for (unsigned from = 1; from < rest.size(); ++from) take(from, rest[from]);
  parts_.output.finish(end);
}

void RankOutput::take(unsigned from, std::span<const std::byte> bytes) {
  transport::Bytes& incoming = incoming_[from];
  incoming.insert(incoming.end(), bytes.begin(), bytes.end());
  std::span<const std::byte> left(incoming);
  for (std::uint64_t size = 0; left.size() >= sizeof size;) {
    std::memcpy(&size, left.data(), sizeof size);
    if (left.size() - sizeof size < size) break;
    read_part(from, left.subspan(sizeof size, size));
    left = left.subspan(sizeof size + size);
  }
  incoming.erase(incoming.begin(), incoming.end() - static_cast<std::ptrdiff_t>(left.size()));
}

void RankOutput::read_part(unsigned from, std::span<const std::byte> part) {
  ByteReader in(part);
  OrderedOutput::Items items;
  for (std::uint64_t n = in.length(); n > 0; --n)
    items.push_back(static_cast<What>(in.number<std::uint8_t>()) == What::event ? read_event(in)
                                                                                : read_written(in));
  parts_.output.hand_over_from(from - 1, items, read_key(in));
}

OrderedOutput::Item RankOutput::read_event(ByteReader& in) const {
  ShownEvent event{.key = read_key(in), .receiver = in.number<LpId>(), .ops = nullptr, .payload = {}};
  const event::TypeTable::Entry* const type = parts_.types.find(in.number<std::uint32_t>());
  if (!type || !parts_.tracer)
    throw std::logic_error("anachron: internal error: an unknown event is to be shown");
  event.ops = type->ops;
  event.payload = in.text();
  const event::EventKey key = event.key;
  const LpId lp = event.receiver;
  auto [task, bytes] = parts_.tracer->task(std::move(event));
  return {key, lp, type->ops->event_name, std::move(task), bytes};
}

OrderedOutput::Item RankOutput::read_written(ByteReader& in) const {
  const auto key = read_key(in);
  const auto lp = in.number<LpId>();
  const auto number = in.number<std::uint32_t>();
  if (number >= parts_.files.size())
    throw std::logic_error("anachron: internal error: another file on another rank");
  const bool has_heading = in.flag();
  std::string heading = in.text();
  auto task = std::make_unique<Writing>(*parts_.files[number],
                                        ModelFile::Piece{has_heading, std::move(heading), in.text()});
  const std::size_t bytes = task->bytes();
  return {key, lp, "in order", std::move(task), bytes};
}

}  // namespace anachron::observe
