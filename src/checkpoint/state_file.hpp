// The door of the room `checkpoint`: files from which a run goes on, with another layout if need be.
//
// This file writes and reads the LPs and the pending events of a rank, in a file of blocks.
// Invariant: a checkpoint is one only when its manifest is on the disk, which is written last. What a crash
// leaves unfinished is never read. Read on in checkpoint/folder.hpp and checkpoint/manifest.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <span>
#include <string>
#include <vector>

#include <anachron/base/bytes.hpp>
#include <anachron/event/frame.hpp>
#include <anachron/event/header.hpp>
#include <anachron/event/ops.hpp>
#include <anachron/event/type_table.hpp>

#include "checkpoint/blocks/block_file.hpp"
#include "checkpoint/records.hpp"
#include "lp/lp_store.hpp"

namespace anachron::checkpoint {

/// Throws InputError that names the LP type, and the member or the event of it, if something of the model
/// cannot be encoded.
void require_encodable(std::span<const event::LpTypeEntry> types, const event::TypeTable& table);

/// Functions throw std::runtime_error that names the file, or what cannot be encoded.
class StateWriter {
 public:
  enum class Threads : std::uint8_t { many, one };
  /// `lps` and `table`, which is of its types, must outlive it. With one thread: that adds the parts, one
  /// after the other, and compresses them, too.
  StateWriter(std::filesystem::path path, const lp::LpStore& lps, const event::TypeTable& table,
              Threads threads = Threads::many);

  Threads threads() const { return threads_; }

  /// What one thread adds; several may do so at the same time.
  class Part {
   public:
    explicit Part(StateWriter& to) : to_(to), records_(to.lps_, to.table_) {}

    /// An LP as it is.
    void add(LpId lp);
    /// An event that waits, and is no multicast and no retraction.
    void add(const event::EventHeader& e);
    /// Nothing comes any more.
    void end();

   private:
    struct Records {
      BlockKind kind;
      std::vector<std::byte> bytes;
    };
    void write_when_full(Records& of);
    void write(Records& of);

    StateWriter& to_;
    RecordWriter records_;
    Records lps_{BlockKind::lps, {}}, events_{BlockKind::events, {}};
    // The last block, which another thread compresses while this one encodes.
    std::vector<std::byte> block_;
    Compressor compressor_;
    std::future<void> is_written_;
  };

  /// What the program keeps, see CheckpointOptions::save_output. Called by one thread.
  void add_output(std::span<const std::byte> piece) { blocks_.add(BlockKind::output, piece); }
  /// All parts have ended. When it returns, all is on the disk.
  void close() { blocks_.close(); }
  std::uint64_t bytes() const { return blocks_.bytes(); }

 private:
  void add_types();

  const lp::LpStore& lps_;
  const event::TypeTable& table_;
  const Threads threads_;
  BlockWriter blocks_;
};

/// Who takes what a file has.
struct StateReaders {
  std::function<void(const LpRecord&)> lp;
  std::function<void(const EventRecord&)> event;
  std::function<void(std::span<const std::byte> piece)> output{};  ///< of `add_output`; empty: nobody
};
/// Calls one of them for each record. Throws InputError that names the file when it was not written by such a
/// model, or is damaged.
void read_states(const std::filesystem::path& path, const lp::LpStore& lps, const event::TypeTable& table,
                 const StateReaders& readers);

}  // namespace anachron::checkpoint
