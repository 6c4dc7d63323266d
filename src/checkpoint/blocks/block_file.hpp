// A file of blocks. Each is compressed, and has a checksum; the last one says that the file is whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <anachron/base/error.hpp>

#include "checkpoint/blocks/compression.hpp"

namespace anachron::checkpoint {

/// What is in a block.
enum class BlockKind : std::uint32_t { types = 1, lps = 2, events = 3, end = 4, manifest = 5, output = 6 };

struct Block {
  BlockKind kind;
  std::vector<std::byte> content;
};

/// Writes a new file. All functions throw std::runtime_error that names the file when they cannot write.
class BlockWriter {
 public:
  explicit BlockWriter(std::filesystem::path path);
  ~BlockWriter();
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  /// Several threads may add blocks, each with a compressor of its own.
  void add(BlockKind kind, std::span<const std::byte> content, Compressor& compressor);
  void add(BlockKind kind, std::span<const std::byte> content) {
    Compressor compressor;
    add(kind, content, compressor);
  }
  /// Nothing comes any more. When it returns, all is on the disk.
  void close();
  /// Written so far.
  std::uint64_t bytes() const { return bytes_; }

 private:
  void write(std::span<const std::byte> bytes);

  std::filesystem::path path_;
  std::mutex mutex_;  // guards the rest
  int file_ = -1;
  std::uint64_t bytes_ = 0;
};

/// A file cannot be read: it is damaged, cut off, or something else. An older checkpoint may be good.
class BadFile : public InputError {
 public:
  using InputError::InputError;
};

/// Reads what a BlockWriter has written, or any other file. All functions throw BadFile that names the file
/// and what is wrong with it.
class BlockReader {
 public:
  explicit BlockReader(std::filesystem::path path);
  ~BlockReader();
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  /// None: that was the last one.
  std::optional<Block> next();
  /// Compares the checksums of all blocks that are left, in less time than `next` takes.
  void check_rest();

 private:
  struct Stored;
  /// Its checksum is right. None: that was the last one.
  std::optional<Stored> next_stored();
  void read(std::span<std::byte> to, const char* what);
  [[noreturn]] void fail(const std::string& why) const;

  std::filesystem::path path_;
  int file_ = -1;
  std::uint64_t left_ = 0;  // of the file
};

}  // namespace anachron::checkpoint
