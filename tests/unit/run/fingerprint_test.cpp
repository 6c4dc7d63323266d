// What ranks compare of the value of an option.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include "run/report/fingerprint.hpp"

namespace anachron::test {
namespace {

namespace fs = std::filesystem;

class Fingerprint : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const fs::path& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  std::string folder(const std::string& name) const { return folder_ / name; }

 private:
  fs::path folder_ = fs::path(testing::TempDir()) / ("fingerprint." + std::to_string(::getpid()));
};

TEST_F(Fingerprint, OfAValueIsTheValue) {
  EXPECT_EQ(fingerprint("0.5"), "0.5");
  EXPECT_EQ(fingerprint(""), "");
  EXPECT_EQ(fingerprint(folder("none")), folder("none"));
}

TEST_F(Fingerprint, OfAFileIsWhatItContains) {
  const std::string one = fingerprint(file("one", "roads"));
  EXPECT_TRUE(one.starts_with("a file of 5 bytes with checksum ")) << one;
  EXPECT_EQ(fingerprint(file("two", "roads")), one);
  EXPECT_NE(fingerprint(file("three", "Roads")), one);
  const std::string large(200'000, 'x');
  EXPECT_EQ(fingerprint(file("four", large + "a")), fingerprint(file("five", large + "a")));
  EXPECT_NE(fingerprint(file("four", large + "a")), fingerprint(file("five", large + "b")));
}

TEST_F(Fingerprint, OfAFolderIsItsFiles) {
  file("one/net", "roads");
  file("one/trips", "people");
  file("two/trips", "people");
  file("two/net", "roads");
  const std::string one = fingerprint(folder("one"));
  EXPECT_TRUE(one.starts_with("a folder of 2 files with checksum ")) << one;
  EXPECT_EQ(fingerprint(folder("two")), one);
  file("two/net", "rails");
  EXPECT_NE(fingerprint(folder("two")), one);
}

}  // namespace
}  // namespace anachron::test
