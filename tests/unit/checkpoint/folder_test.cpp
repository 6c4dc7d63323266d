#include "checkpoint/folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "checkpoint/manifest.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

namespace anachron::checkpoint {
namespace {

namespace fs = std::filesystem;

fs::path write_one(Folder& folder) {
  write_manifest(folder.begin(), {});
  return folder.complete();
}

TEST(Folder, KeepsTheTwoNewest) {
  const test::TemporaryFolder place;
  Folder folder(place.path() / "new" / "run");
  for (int n = 0; n < 4; ++n) write_one(folder);
  const auto all = checkpoints_in(place.path() / "new" / "run");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].filename(), "checkpoint-000004");
  EXPECT_EQ(all[1].filename(), "checkpoint-000003");
  EXPECT_EQ(newest_in(place.path() / "new" / "run"), all[0]);
  EXPECT_EQ(newest_in(all[1]), all[1]);
}

TEST(Folder, PassesOverWhatIsNotComplete) {
  const test::TemporaryFolder place;
  {
    Folder folder(place.path());
    write_one(folder);
    write_manifest(folder.begin(), {});  // the run was killed here
  }
  fs::create_directory(place.path() / "checkpoint-000007");
  ASSERT_EQ(checkpoints_in(place.path()).size(), 1u);
  Folder folder(place.path(), place.path());
  EXPECT_EQ(write_one(folder).filename(), "checkpoint-000002");
}

TEST(Folder, IsOfOneRun) {
  const test::TemporaryFolder place;
  const std::string name = place.path().string();
  {
    Folder folder(place.path());
    write_one(folder);
    EXPECT_EQ(test::error_of([&] { Folder other(place.path()); }),
              "--checkpoint " + name + ": another run writes there");
  }
  EXPECT_EQ(test::error_of([&] { Folder other(place.path()); }),
            "--checkpoint " + name +
                ": there are checkpoints of another run; go on from the last one with --resume " + name +
                ", or name another folder");
  Folder folder(place.path(), place.path());
}

/// The names of its checkpoints, the newest first.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::path& checkpoint : checkpoints_in(folder)) names.push_back(checkpoint.filename().string());
  return names;
}

TEST(Folder, OfAnotherRunIsRefusedAlsoWhenTheRunGoesOnFromElsewhere) {
  const test::TemporaryFolder place;
  const fs::path one = place.path() / "one", other = place.path() / "other";
  for (const fs::path& folder : {one, other}) {
    Folder written(folder);
    write_one(written);
  }
  for (const fs::path& resumed : {one, one / "checkpoint-000001", place.path(), place.path() / "nowhere"}) {
    const std::string error = test::error_of([&] { Folder folder(other, resumed); });
    EXPECT_NE(error.find("there are checkpoints of another run"), std::string::npos) << resumed << error;
  }
  EXPECT_EQ(names_in(other), std::vector<std::string>{"checkpoint-000001"});
  Folder(place.path() / "new", one);  // has none
  fs::create_directory_symlink(other, place.path() / "link");
  for (const fs::path& resumed : {other / "", one / ".." / "other", place.path() / "link",
                                  other / "checkpoint-000001" / "", place.path() / "link/checkpoint-000001"})
    EXPECT_EQ(test::error_of([&] { Folder folder(other, resumed); }), "no error") << resumed;
}

TEST(Folder, LeavesBehindWhatTheRunWentBackFrom) {
  const test::TemporaryFolder place;
  {
    Folder folder(place.path());
    for (int n = 0; n < 3; ++n) write_one(folder);
  }
  Folder folder(place.path(), place.path() / "checkpoint-000002");
  EXPECT_EQ(names_in(place.path()), (std::vector<std::string>{"checkpoint-000003", "checkpoint-000002"}));
  write_one(folder);
  EXPECT_EQ(names_in(place.path()), (std::vector<std::string>{"checkpoint-000004", "checkpoint-000002"}));
  write_one(folder);
  EXPECT_EQ(names_in(place.path()), (std::vector<std::string>{"checkpoint-000005", "checkpoint-000004"}));
}

TEST(Folder, IsFoundByOneOfItsCheckpoints) {
  const test::TemporaryFolder place;
  Folder folder(place.path() / "run");
  const fs::path checkpoint = write_one(folder), run = fs::canonical(place.path() / "run");
  EXPECT_EQ(folder_of(checkpoint), run);
  EXPECT_EQ(folder_of(checkpoint / ""), run);
  EXPECT_EQ(folder_of(place.path()), place.path());
  EXPECT_EQ(folder_of(fs::proximate(checkpoint)), fs::proximate(run));
  EXPECT_EQ(
      test::error_of([&] { Folder inside(checkpoint, checkpoint); }),
      "--checkpoint " + checkpoint.string() + ": it is a checkpoint itself; name the folder that it is in");
  const fs::path unnumbered = place.path() / "good";
  fs::copy(checkpoint, unnumbered);
  EXPECT_EQ(folder_of(unnumbered), unnumbered);
}

TEST(Folder, SaysWhenThereIsNone) {
  const test::TemporaryFolder place;
  EXPECT_EQ(test::error_of([&] { newest_in(place.path()); }),
            "--resume " + place.path().string() + ": there is no checkpoint");
  EXPECT_NE(test::error_of([&] { Folder folder("/proc/nowhere"); }), "no error");
}

}  // namespace
}  // namespace anachron::checkpoint
