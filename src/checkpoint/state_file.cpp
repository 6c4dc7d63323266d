#include "checkpoint/state_file.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <anachron/base/error.hpp>

namespace anachron::checkpoint {
namespace {

constexpr std::size_t kFull = std::size_t{1} << 20;

/// Those that were there when the file was written, by the numbers that it uses.
class Numbered {
 public:
  Numbered(ByteReader in, const lp::LpStore& lps, const event::TypeTable& table) {
    check_lp_types(in, lps);
    for (std::size_t left = in.length_of(1); left > 0; --left) {
      const auto lp_type = in.number<std::uint32_t>();
      const auto hash = in.number<std::uint64_t>();
      const auto undo = in.number<std::uint8_t>();
      const std::string name = in.text();
      types_.push_back({name, find(table, lp_type, hash, undo)});
    }
  }
  /// Throws InputError when the model has no such event now.
  const event::TypeTable::Entry& operator[](std::uint64_t number) const {
    if (number >= types_.size()) throw InputError("an event of no type");
    const auto& [name, entry] = types_[number];
    if (!entry) throw InputError(fmt::format("the model has no event {} any more", name));
    return *entry;
  }

 private:
  static void check_lp_types(ByteReader& in, const lp::LpStore& lps) {
    const auto types = lps.types();
    const std::size_t count = in.length_of(1);
    std::string there, here;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = in.text();
      there += fmt::format("{}{} {}", i ? ", " : "", in.length(), name);
    }
    for (std::size_t i = 0; i < types.size(); ++i)
      here += fmt::format("{}{} {}", i ? ", " : "", types[i].count, types[i].ops->full_name);
    if (there != here) throw InputError(fmt::format("it has {}; the model has {}", there, here));
  }
  static const event::TypeTable::Entry* find(const event::TypeTable& table, std::uint32_t lp_type,
                                             std::uint64_t hash, std::uint8_t undo) {
    for (const event::TypeTable::Entry& entry : table.entries())
      if (entry.lp_type == lp_type && entry.ops->type_hash == hash && !entry.ops->expands_into &&
          static_cast<std::uint8_t>(entry.ops->undo) == undo)
        return &entry;
    return nullptr;
  }

  struct Type {
    std::string name;
    const event::TypeTable::Entry* entry;
  };
  std::vector<Type> types_;
};

}  // namespace

void require_encodable(std::span<const event::LpTypeEntry> types, const event::TypeTable& table) {
  for (const event::LpTypeEntry& type : types)
    if (!type.ops->is_encodable())
      throw InputError(fmt::format("checkpoints need states that can be encoded. LP type {}: {}", type.name(),
                                   type.ops->why_not_encoded()));
  for (const event::TypeTable::Entry& entry : table.entries())
    if (!entry.ops->encode && !entry.ops->expands_into)
      throw InputError(
          fmt::format("checkpoints need events that can be encoded. LP type {}: event {} cannot; "
                      "declare `static constexpr bool encodable_events = true;` in the LP type, "
                      "and the compiler says why",
                      types[entry.lp_type].name(), entry.ops->event_name));
}

StateWriter::StateWriter(std::filesystem::path path, const lp::LpStore& lps, const event::TypeTable& table,
                         Threads threads)
    : lps_(lps), table_(table), threads_(threads), blocks_(std::move(path)) {
  add_types();
}

void StateWriter::add_types() {
  std::vector<std::byte> bytes;
  ByteWriter out(bytes);
  out.length(lps_.types().size());
  for (const event::LpTypeEntry& type : lps_.types()) {
    out.text(type.ops->full_name);
    out.length(type.count);
  }
  out.length(table_.entries().size());
  for (const event::TypeTable::Entry& entry : table_.entries()) {
    out.number(entry.lp_type);
    out.number(entry.ops->type_hash);
    out.number(static_cast<std::uint8_t>(entry.ops->undo));
    out.text(entry.ops->event_name);
  }
  blocks_.add(BlockKind::types, bytes);
}

void StateWriter::Part::add(LpId lp) {
  records_.add(lps_.bytes, lp);
  write_when_full(lps_);
}

void StateWriter::Part::add(const event::EventHeader& e) {
  records_.add(events_.bytes, e);
  write_when_full(events_);
}

void StateWriter::Part::end() {
  write(lps_);
  write(events_);
  if (is_written_.valid()) is_written_.get();
}

void StateWriter::Part::write_when_full(Records& of) {
  if (of.bytes.size() >= kFull) write(of);
}

void StateWriter::Part::write(Records& of) {
  if (of.bytes.empty()) return;
  if (is_written_.valid()) is_written_.get();
  block_.swap(of.bytes);
  of.bytes.clear();
  const auto add = [this, kind = of.kind] { to_.blocks_.add(kind, block_, compressor_); };
  if (to_.threads() == Threads::one) return add();
  is_written_ = std::async(std::launch::async, add);
}

void read_states(const std::filesystem::path& path, const lp::LpStore& lps, const event::TypeTable& table,
                 const StateReaders& readers) {
  BlockReader blocks(path);
  std::optional<Numbered> types;
  while (const auto block = blocks.next()) {
    try {
      if (block->kind == BlockKind::types)
        types.emplace(ByteReader(block->content), lps, table);
      else if (block->kind == BlockKind::lps)
        read_lps(block->content, lps, readers.lp);
      else if (block->kind == BlockKind::events && types)
        read_events(
            block->content, lps,
            [&](std::uint64_t number) -> const event::TypeTable::Entry& { return (*types)[number]; },
            readers.event);
      else if (block->kind == BlockKind::output)
        readers.output ? readers.output(block->content) : void();
      else
        throw InputError("a block that cannot be here");
    } catch (const InputError& error) {
      throw InputError(fmt::format("checkpoint {}: {}", path.string(), error.what()));
    }
  }
}

}  // namespace anachron::checkpoint
