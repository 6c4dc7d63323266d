#include <anachron/model/model_file.hpp>

#include <filesystem>
#include <fstream>
#include <ostream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <anachron/base/error.hpp>

#include "support/temporary_folder.hpp"

namespace anachron::test {
namespace {

TEST(ModelFile, KeepsWhatIsInItUntilSomethingIsWritten) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "out";
  std::ofstream(path) << "old";
  const ModelFile file("--out", path);
  EXPECT_EQ(read_file(path), "old");
  file.stream() << "new";
  EXPECT_EQ(file.sync(), 3u);
  EXPECT_EQ(read_file(path), "new");
}

TEST(ModelFile, GoesOnBehindWhatItKeeps) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "out";
  std::ofstream(path) << "kept, and not kept";
  const ModelFile file("--out", path);
  file.go_on(4);
  file.stream() << " on";
  EXPECT_EQ(file.sync(), 7u);
  EXPECT_EQ(read_file(path), "kept on");
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
  EXPECT_EQ(read_file(path), "one!");
}

TEST(ModelFile, DoesNotGoOnWithLessThanThereWas) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "out";
  const ModelFile file("--out", path);
  EXPECT_THROW(file.go_on(1), InputError);
}

TEST(ModelFile, WritesAHeadingWhenItIsAnother) {
  const TemporaryFolder folder;
  ModelFile file("--out", folder.file("out"));
  file.begin_with("title\n#0\n", "#0\n");
  file.under("#0\n") << "a\n";
  file.under("#1\n") << "b\n";
  file.stream() << "c\n";
  file.under("#1\n") << "d\n";
  const std::uint64_t bytes = file.sync();
  file.under("#2\n") << "not kept\n";
  file.flush();
  file.go_on(bytes, "#1\n");
  file.under("#1\n") << "e\n";
  file.flush();
  EXPECT_EQ(read_file(file.path()), "title\n#0\na\n#1\nb\nc\nd\ne\n");
}

TEST(ModelFile, OfAnotherRankGetsWhatWasWrittenHere) {
  const TemporaryFolder folder;
  const ModelFile here("--out", folder.file("here")), there("--out", folder.file("there"));
  here.divert();
  for (const ModelFile* file : {&here, &there}) {
    file->under("#1\n") << "a\n";
    file->under("#1\n") << "b\n";
    file->stream() << "c\n";
    file->under("#2\n") << "d\n";
  }
  const auto pieces = here.take();
  EXPECT_EQ(pieces.size(), 3u);
  EXPECT_TRUE(here.take().empty());
  const ModelFile put_together("--out", folder.file("put together"));
  for (const ModelFile::Piece& piece : pieces) put_together.add(piece);
  put_together.flush();
  there.flush();
  EXPECT_EQ(read_file(put_together.path()), read_file(there.path()));
  EXPECT_FALSE(std::filesystem::exists(here.path()));
}

TEST(ModelFile, KeepsItsLastLinesUntilItGoesOn) {
  const TemporaryFolder folder;
  const ModelFile file("--out", folder.file("out"));
  file.under("#1\n") << "a\n";
  const std::uint64_t before = file.size();
  file.under("#9\n") << "the end\n";
  file.flush();
  file.go_on(before, "#1\n");
  file.flush();
  EXPECT_EQ(read_file(file.path()), "#1\na\n#9\nthe end\n");
  file.under("#1\n") << "b\n";
  file.flush();
  EXPECT_EQ(read_file(file.path()), "#1\na\nb\n");
}

TEST(ModelFile, ThatCannotBeWrittenIsNamed) {
  try {
    const ModelFile file("--out", "none/out");
    file.open();
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
