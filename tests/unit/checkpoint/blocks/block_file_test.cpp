#include "checkpoint/blocks/block_file.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <anachron/base/error.hpp>

#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

namespace anachron::checkpoint {
namespace {

std::vector<std::byte> some_bytes(std::size_t count, unsigned step) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * step % 251);
  return bytes;
}

class BlockFile : public testing::Test {
 protected:
  void write() {
    BlockWriter file(path_);
    file.add(BlockKind::lps, some_bytes(100'000, 1));
    file.add(BlockKind::events, some_bytes(17, 77));
    file.add(BlockKind::events, {});
    file.close();
    size_ = std::filesystem::file_size(path_);
    EXPECT_EQ(file.bytes(), size_);
  }
  std::vector<Block> read() const {
    BlockReader file(path_);
    std::vector<Block> all;
    while (auto block = file.next()) all.push_back(*std::move(block));
    return all;
  }
  /// Of a reader, which is also that of a check.
  std::string error() const {
    const std::string error = test::error_of([&] { read(); });
    EXPECT_EQ(test::error_of([&] { BlockReader(path_).check_rest(); }), error);
    return error;
  }
  std::string content() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const std::string& content) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << content;
  }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "rank-0";
  std::uintmax_t size_ = 0;
};

TEST_F(BlockFile, GivesBackWhatWasWritten) {
  write();
  EXPECT_EQ(error(), "no error");
  const auto all = read();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].kind, BlockKind::lps);
  EXPECT_EQ(all[0].content, some_bytes(100'000, 1));
  EXPECT_EQ(all[1].content, some_bytes(17, 77));
  EXPECT_TRUE(all[2].content.empty());
}

TEST_F(BlockFile, SaysThatItIsCutOff) {
  write();
  for (const std::uintmax_t size :
       {size_ - 1, size_ - 40, size_ / 2, std::uintmax_t{25}, std::uintmax_t{3}}) {
    std::filesystem::remove(path_);
    write();
    std::filesystem::resize_file(path_, size);
    EXPECT_TRUE(error().starts_with("checkpoint " + path_.string() + ": it is ")) << size << ' ' << error();
  }
}

TEST_F(BlockFile, NoticesEachChangedByte) {
  write();
  const std::string whole = content();
  for (std::size_t at = 0; at < whole.size(); at += at < 120 ? 1 : 997) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    put(damaged);
    EXPECT_NE(error(), "no error") << "byte " << at;
  }
  put(whole + "x");
  EXPECT_NE(error(), "no error");
}

TEST_F(BlockFile, RefusesAnotherFormat) {
  write();
  std::string newer = content();
  newer[16] = 9;
  put(newer);
  EXPECT_EQ(error(), "checkpoint " + path_.string() + ": it has format 9; this program reads format 4");
  put("a letter to a friend, which is long enough to have a header");
  EXPECT_EQ(error(), "checkpoint " + path_.string() + ": it is no file of a checkpoint");
  std::filesystem::remove(path_);
  EXPECT_EQ(error(), "checkpoint " + path_.string() + ": No such file or directory");
}

TEST_F(BlockFile, SaysWhenItCannotBeWritten) {
  write();
  try {
    BlockWriter again(path_);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()), "cannot write " + path_.string() + ": File exists");
  }
  EXPECT_THROW(BlockWriter("/proc/rank-0"), std::runtime_error);
}

}  // namespace
}  // namespace anachron::checkpoint
