#include "checkpoint/blocks/block_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <anachron/base/bytes.hpp>
#include <anachron/base/error.hpp>
#include <anachron/base/hash.hpp>

namespace anachron::checkpoint {
namespace {

constexpr std::string_view kMagic = "anachron blocks\n";
constexpr std::uint32_t kFormat = 4;  // counted up, too, when states of Python are encoded otherwise
constexpr std::size_t kFileHeader = kMagic.size() + 4;
constexpr std::size_t kBlockHeader = 4 + 4 + 8 + 8 + 8;
constexpr std::uint64_t kMostContent = std::uint64_t{1} << 36;  // of a block, against nonsense

struct BlockHeader {
  std::uint32_t kind = 0;
  std::uint32_t method = 0;
  std::uint64_t bytes = 0;   // of the content
  std::uint64_t stored = 0;  // behind this header

  std::uint64_t checksum(std::span<const std::byte> stored_bytes) const {
    return mix64(hash_bytes(stored_bytes) ^ mix64(bytes ^ mix64(std::uint64_t{kind} << 32 | method)));
  }
};

std::string reason() { return std::generic_category().message(errno); }

}  // namespace

BlockWriter::BlockWriter(std::filesystem::path path) : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file_ < 0) throw std::runtime_error(fmt::format("cannot write {}: {}", path_.string(), reason()));
  std::vector<std::byte> header;
  ByteWriter out(header);
  out.bytes(kMagic.data(), kMagic.size());
  out.number(kFormat);
  try {
    write(header);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

BlockWriter::~BlockWriter() {
  if (file_ >= 0) ::close(file_);
}

void BlockWriter::add(BlockKind kind, std::span<const std::byte> content, Compressor& compressor) {
  std::span<const std::byte> stored = content;
  Method method = Method::none;
  if (best_method() != Method::none && !content.empty()) {
    const std::span<const std::byte> compressed = compressor.compress(content);
    if (compressed.size() < content.size()) stored = compressed, method = best_method();
  }
  const BlockHeader block{static_cast<std::uint32_t>(kind), static_cast<std::uint32_t>(method),
                          content.size(), stored.size()};
  std::vector<std::byte> header;
  ByteWriter out(header);
  out.number(block.kind);
  out.number(block.method);
  out.number(block.bytes);
  out.number(block.stored);
  out.number(block.checksum(stored));
  const std::scoped_lock lock(mutex_);
  write(header);
  write(stored);
}

void BlockWriter::close() {
  add(BlockKind::end, {});
  const bool is_synced = ::fsync(file_) == 0;
  const std::string why = is_synced ? "" : reason();
  const bool is_closed = ::close(std::exchange(file_, -1)) == 0;
  if (!is_synced || !is_closed)
    throw std::runtime_error(fmt::format("cannot write {}: {}", path_.string(), is_synced ? reason() : why));
}

void BlockWriter::write(std::span<const std::byte> bytes) {
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw std::runtime_error(fmt::format("cannot write {}: {}", path_.string(), reason()));
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

BlockReader::BlockReader(std::filesystem::path path) : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) fail(reason());
  try {
    struct stat status{};
    if (::fstat(file_, &status) != 0) fail(reason());
    left_ = static_cast<std::uint64_t>(status.st_size);
    std::array<std::byte, kFileHeader> header;
    if (left_ < header.size()) fail("it is no file of a checkpoint");
    read(header, "its header");
    if (std::memcmp(header.data(), kMagic.data(), kMagic.size()) != 0) fail("it is no file of a checkpoint");
    ByteReader in(std::span<const std::byte>(header).subspan(kMagic.size()));
    if (const auto version = in.number<std::uint32_t>(); version != kFormat)
      fail(fmt::format("it has format {}; this program reads format {}", version, kFormat));
  } catch (...) {
    ::close(file_);
    throw;
  }
}

BlockReader::~BlockReader() { ::close(file_); }

/// A block as it is in the file.
struct BlockReader::Stored {
  BlockHeader header;
  std::vector<std::byte> bytes;
};

std::optional<BlockReader::Stored> BlockReader::next_stored() {
  std::array<std::byte, kBlockHeader> bytes;
  read(bytes, "a block");
  ByteReader in(bytes);
  BlockHeader header;
  header.kind = in.number<std::uint32_t>();
  header.method = in.number<std::uint32_t>();
  header.bytes = in.number<std::uint64_t>();
  header.stored = in.number<std::uint64_t>();
  const auto checksum = in.number<std::uint64_t>();
  if (header.stored > left_ || header.bytes > kMostContent) fail("it is damaged or cut off");
  std::vector<std::byte> stored(header.stored);
  read(stored, "a block");
  if (header.checksum(stored) != checksum) fail("it is damaged: a checksum is wrong");
  if (header.kind == static_cast<std::uint32_t>(BlockKind::end)) {
    if (left_ > 0) fail("there is something behind its end");
    return std::nullopt;
  }
  return Stored{header, std::move(stored)};
}

void BlockReader::check_rest() {
  while (next_stored()) continue;
}

std::optional<Block> BlockReader::next() {
  std::optional<Stored> stored = next_stored();
  if (!stored) return std::nullopt;
  const BlockHeader& header = stored->header;
  Block block{static_cast<BlockKind>(header.kind), {}};
  if (header.method == static_cast<std::uint32_t>(Method::none)) {
    block.content = std::move(stored->bytes);
    return block;
  }
  if (header.method != static_cast<std::uint32_t>(best_method()))
    fail("it is compressed with zstd, which this program was built without");
  block.content.resize(header.bytes);
  if (!decompress(stored->bytes, block.content)) fail("it is damaged: a block cannot be decompressed");
  return block;
}

void BlockReader::read(std::span<std::byte> to, const char* what) {
  if (to.size() > left_) fail(fmt::format("it is cut off: {} is missing", what));
  left_ -= to.size();
  while (!to.empty()) {
    const ssize_t count = ::read(file_, to.data(), to.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(reason());
    if (count == 0) fail(fmt::format("it is cut off: {} is missing", what));
    to = to.subspan(static_cast<std::size_t>(count));
  }
}

void BlockReader::fail(const std::string& why) const {
  throw BadFile(fmt::format("checkpoint {}: {}", path_.string(), why));
}

}  // namespace anachron::checkpoint
