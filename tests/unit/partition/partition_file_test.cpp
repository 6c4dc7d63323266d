// Partitions in files: there and back, and what is said of files that cannot be used.
#include "partition/partition_file.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>

#include "partition/metis/metis.hpp"
#include "partition/partition.hpp"

namespace anachron::partition {
namespace {

class PartitionFiles : public testing::Test {
 protected:
  PartitionFiles() {
    path_ = std::filesystem::path(testing::TempDir()) /
            (std::string("partition_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  }
  ~PartitionFiles() override { std::filesystem::remove_all(path_); }

  std::string write(const std::string& text) const {
    std::ofstream(path_) << text;
    return path_;
  }
  PartitionFile read(const std::string& text) const { return read_partition_file(write(text), kLps); }
  /// What is wrong, without the path.
  std::string complaint(const std::string& text) const {
    try {
      read(text);
    } catch (const InputError& error) {
      const std::string what = error.what();
      return what.starts_with(path_.string() + ":") ? what.substr(path_.string().size() + 1) : what;
    }
    return "none";
  }

  const std::vector<LpCount> kLps{{"Link", 3}, {"Zone<a, b>", 2}};
  const std::string kHead = "anachron-partition 1\nparts 4\nlps 3 Link\nlps 2 Zone<a, b>\nowners\n";
  std::filesystem::path path_;
};

TEST_F(PartitionFiles, ComeBackAsTheyWere) {
  PartitionFile file{.parts = 4, .lps = kLps, .owners = {0, 3, 2, 1, 0}};
  PartitionFile back = read(to_text(file));
  EXPECT_EQ(back.parts, 4u);
  EXPECT_EQ(back.lps, file.lps);
  EXPECT_EQ(back.owners, file.owners);
  EXPECT_FALSE(back.profile);

  file.profile =
      Profile{.work = {1, 0, 2.5, 1e300, 1e-9}, .sent = {{0, 4, 3}, {4, 0, 0.1}, {2, 2, 1e9}}, .spread = {}};
  back = read(to_text(file));
  EXPECT_EQ(back.owners, file.owners);
  EXPECT_EQ(back.profile, file.profile);
}

TEST_F(PartitionFiles, MayHaveCommentsAndOtherLineEnds) {
  EXPECT_EQ(read("# by hand\n" + kHead + "0\r\n\n1\n# a comment\n2 \n3\n0\nend").owners,
            (std::vector<PeId>{0, 1, 2, 3, 0}));
}

TEST_F(PartitionFiles, OfOtherLpsAreRefused) {
  EXPECT_EQ(complaint("anachron-partition 1\nparts 4\nlps 4 Link\n"),
            "3: the partition is for other LPs: 'lps 4 Link' where the simulation has 3 of type Link");
  EXPECT_EQ(complaint("anachron-partition 1\nparts 4\nlps 3 Link\nowners\n"),
            "4: the partition is for other LPs: 'owners' where the simulation has 2 of type Zone<a, b>");
}

TEST_F(PartitionFiles, DamagedOnesAreNamedWithTheLine) {
  EXPECT_EQ(complaint(""), "1: the file ends too early");
  EXPECT_EQ(complaint("\x7f"
                      "ELF"),
            "1: expected 'anachron-partition 1', as 'partition' writes it, found '\x7f"
            "ELF'");
  EXPECT_EQ(complaint("anachron-partition 2\n"),
            "1: version 2 of the format is not known; this program reads version 1");
  EXPECT_EQ(complaint("anachron-partition 1\nparts 0\n"), "2: 0 parts");
  for (const char* parts : {"parts", "parts 1048576", "parts -1", "parts 4 4", "parts 1e3", "part 4",
                            "parts 99999999999999999999"})
    EXPECT_TRUE(complaint("anachron-partition 1\n" + std::string(parts) + "\n")
                    .starts_with("2: expected 'parts N' with a whole number up to 1048575, found '"))
        << parts;
  for (const char* owner : {"4", "-1", "1.5", "x", "1 1", "99999999999999999999"})
    EXPECT_EQ(
        complaint(kHead + "0\n" + owner + "\n"),
        "7: expected the part of an LP, a whole number from 0 to 3, found '" + std::string(owner) + "'");
  EXPECT_EQ(complaint(kHead + "0\n1\n"), "8: the file ends too early");
  EXPECT_EQ(complaint(kHead + "0\n1\n2\n3\n0\n1\nend\n"),
            "11: expected 'work' or 'end' behind the parts of all LPs, found '1'");
  const std::string all = kHead + "0\n1\n2\n3\n0\n";
  EXPECT_EQ(complaint(all), "11: the file ends too early");
  for (const char* work : {"-1", "nan", "inf", "1 2"})
    EXPECT_TRUE(complaint(all + "work\n" + work + "\n").starts_with("12: expected the events of an LP"))
        << work;
  const std::string work = all + "work\n1\n1\n1\n1\n1\n";
  EXPECT_EQ(complaint(work + "sent 18446744073709551615\n0 1 1\n"), "19: the file ends too early");
  for (const char* sent : {"0 1", "0 5 1", "-1 0 1", "0 1 -1", "0 1 nan", "0 1 1 1", "0,1,1"})
    EXPECT_TRUE(
        complaint(work + "sent 1\n" + sent + "\nend\n").starts_with("18: expected two LPs from 0 to 4"))
        << sent;
  EXPECT_TRUE(complaint(work + "sent 1\n0 1 1\n0 1 1\nend\n").starts_with("19: expected 'end'"));
}

TEST_F(PartitionFiles, EndlessLinesAreNotRead) {
  EXPECT_EQ(complaint("anachron-partition 1\n" + std::string(100'000, 'x')),
            "2: the line is longer than 4094 characters");
  EXPECT_EQ(complaint(std::string(100'000, '\0')), "1: the line is longer than 4094 characters");
}

TEST_F(PartitionFiles, ThatCannotBeReadAreNamed) {
  std::filesystem::create_directory(path_);
  for (const std::string& path : {path_.string(), path_.string() + "/none"}) try {
      read_partition_file(path, kLps);
      FAIL() << path;
    } catch (const InputError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("--partition: cannot read '" + path + "': "))
          << error.what();
    }
}

const Clusters kEachAlone{std::span<const event::LpTypeEntry>()};

TEST_F(PartitionFiles, AnotherNumberOfPartsNeedsAProfile) {
  PartitionFile file{.parts = 2, .lps = kLps, .owners = {0, 1, 1, 0, 0}};
  Config config;
  config.partition_file = write(to_text(file));
  EXPECT_EQ(partition_as_filed(config, kLps, kEachAlone, Layout::of(2)), file.owners);
  try {
    partition_as_filed(config, kLps, kEachAlone, Layout::of(3));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("has 2 parts, and the run has 3 processing elements"),
              std::string::npos)
        << error.what();
  }
  if (!kHasMetis) GTEST_SKIP() << "built without METIS";
  file.profile = Profile{.work = {1, 1, 1, 1, 1}, .sent = {{0, 1, 9}, {3, 4, 9}}, .spread = {}};
  write(to_text(file));
  const auto owners = partition_as_filed(config, kLps, kEachAlone, Layout::of(3));
  EXPECT_EQ(owners[0], owners[1]);
  EXPECT_EQ(owners[3], owners[4]);
}

}  // namespace
}  // namespace anachron::partition
