#include <anachron/model/model_file.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <anachron/base/error.hpp>

#include "support/temporary_folder.hpp"

namespace anachron::test {
namespace {

std::string read_back(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ModelFile, KeepsWhatIsInItUntilSomethingIsWritten) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "out";
  std::ofstream(path) << "old";
  const ModelFile file("--out", path);
  EXPECT_EQ(read_back(path), "old");
  file.stream() << "new";
  EXPECT_EQ(file.sync(), 3u);
  EXPECT_EQ(read_back(path), "new");
}

TEST(ModelFile, GoesOnBehindWhatItKeeps) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "out";
  std::ofstream(path) << "kept, and not kept";
  const ModelFile file("--out", path);
  file.go_on(4);
  EXPECT_EQ(file.kept(), 4u);
  file.stream() << " on";
  EXPECT_EQ(file.sync(), 7u);
  EXPECT_EQ(read_back(path), "kept on");
}

TEST(ModelFile, GoesOnAlsoWhenItHasWrittenSince) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "out";
  const ModelFile file("--out", path);
  file.stream() << "one two";
  file.flush();
  file.go_on(3);
  file.stream() << '!';
  file.flush();
  EXPECT_EQ(read_back(path), "one!");
}

TEST(ModelFile, DoesNotGoOnWithLessThanThereWas) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "out";
  const ModelFile file("--out", path);
  EXPECT_THROW(file.go_on(1), InputError);
}

TEST(ModelFile, ThatCannotBeWrittenIsNamed) {
  try {
    const ModelFile file("--out", "none/out");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "--out: cannot write 'none/out'");
  }
}

TEST(ModelFile, ThatIsNoneNeedsNoLength) {
  const ModelFile file("--out", "/dev/null");
  file.stream() << "gone";
  EXPECT_EQ(file.sync(), 0u);
  file.go_on(10);
  file.stream() << "gone";
  file.flush();
}

TEST(ModelFile, FullDisksAreNoticed) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const ModelFile file("--out", "/dev/full");
  file.stream() << "too much";
  EXPECT_THROW(file.flush(), std::runtime_error);
}

TEST(ModelFiles, HaveNamesOfTheirOwn) {
  const ModelFile one("--out", "/dev/null"), other("--out", "/dev/null");
  ModelFiles files;
  files.add(one);
  EXPECT_THROW(files.add(other), std::logic_error);
}

}  // namespace
}  // namespace anachron::test
