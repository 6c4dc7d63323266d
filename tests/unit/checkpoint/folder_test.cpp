#include "checkpoint/folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

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
  Folder folder(place.path() / "new" / "run", false);
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
    Folder folder(place.path(), false);
    write_one(folder);
    write_manifest(folder.begin(), {});  // the run was killed here
  }
  fs::create_directory(place.path() / "checkpoint-000007");
  ASSERT_EQ(checkpoints_in(place.path()).size(), 1u);
  Folder folder(place.path(), true);
  EXPECT_EQ(write_one(folder).filename(), "checkpoint-000002");
}

TEST(Folder, IsOfOneRun) {
  const test::TemporaryFolder place;
  const std::string name = place.path().string();
  {
    Folder folder(place.path(), false);
    write_one(folder);
    EXPECT_EQ(test::error_of([&] { Folder other(place.path(), false); }),
              "--checkpoint " + name + ": another run writes there");
  }
  EXPECT_EQ(test::error_of([&] { Folder other(place.path(), false); }),
            "--checkpoint " + name +
                ": there are checkpoints of another run; go on from the last one with --resume " + name +
                ", or name another folder");
  Folder folder(place.path(), true);
}

TEST(Folder, SaysWhenThereIsNone) {
  const test::TemporaryFolder place;
  EXPECT_EQ(test::error_of([&] { newest_in(place.path()); }),
            "--resume " + place.path().string() + ": there is no checkpoint");
  EXPECT_NE(test::error_of([&] { Folder folder("/proc/nowhere", false); }), "");
}

}  // namespace
}  // namespace anachron::checkpoint
