#include "checkpoint/intact.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "checkpoint/folder.hpp"
#include "checkpoint/manifest.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

namespace anachron::checkpoint {
namespace {

namespace fs = std::filesystem;

/// A folder with checkpoints of two ranks, the newest of which is damaged.
class Intact : public testing::Test {
 protected:
  Intact() {
    Folder folder(place_.path());
    for (fs::path* const checkpoint : {&older_, &newer_}) {
      const fs::path begun = folder.begin();
      for (const char* const name : {"rank-0", "rank-1"}) {
        BlockWriter file(begun / name);
        file.add(BlockKind::lps, std::vector<std::byte>(1000, std::byte{7}));
        file.close();
      }
      Manifest manifest;
      manifest.files = {"rank-0", "rank-1"};
      write_manifest(begun, manifest);
      *checkpoint = folder.complete();
    }
  }
  static void cut(const fs::path& file) { fs::resize_file(file, fs::file_size(file) - 9); }
  /// Of a program that goes on from the newer one.
  std::string error() const {
    return test::error_of([&] { offering_intact(newer_, [&] { return check_files(newer_), 0; }); });
  }

  test::TemporaryFolder place_;
  fs::path older_, newer_;
};

TEST_F(Intact, PassesWhatIsWhole) {
  EXPECT_EQ(error(), "no error");
  EXPECT_EQ(intact_before(newer_), older_);
  EXPECT_EQ(intact_before(older_), std::nullopt);
}

TEST_F(Intact, OffersTheOneBefore) {
  for (const char* const name : {"rank-1", "rank-0", "manifest"}) {
    cut(newer_ / name);
    EXPECT_TRUE(error().starts_with("checkpoint " + (newer_ / name).string() + ": it is ")) << error();
    EXPECT_TRUE(error().ends_with("; the newest before it that can be read is " + older_.string()))
        << error();
  }
}

TEST_F(Intact, OffersNoneThatCannotBeRead) {
  cut(newer_ / "rank-0");
  fs::remove(older_ / "rank-1");
  EXPECT_EQ(intact_before(newer_), std::nullopt);
  EXPECT_TRUE(error().ends_with("; there is none before it that can be read")) << error();
}

TEST_F(Intact, PassesOverWhatIsNoManifest) {
  fs::copy_file(newer_ / "rank-0", newer_ / "manifest", fs::copy_options::overwrite_existing);
  EXPECT_EQ(error(), "checkpoint " + (newer_ / "manifest").string() +
                         ": it is no manifest; the newest before it that can be read is " + older_.string());
}

}  // namespace
}  // namespace anachron::checkpoint
