// Files that a run writes: whole ones or none, and what happens when there is no room.

#include "run/files/output_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <optional>

#include "run/fake_model.hpp"

namespace anachron::test {
namespace {

TEST(OutputFile, ReplacesAsAWholeAndFollowsLinks) {
  const TemporaryFolder folder;
  const std::string target = folder.write("target", "old");
  std::filesystem::create_symlink(target, folder.file("link"));
  const OutputFile file("report", folder.file("link"));
  EXPECT_EQ(read_all(target), "old") << "checking changes nothing";
  file.write("new");
  EXPECT_EQ(read_all(target), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
  EXPECT_EQ(folder.names().size(), 2u);
}

TEST(OutputFile, WritesToDevicesDirectly) {
  OutputFile("report", "/dev/null").write("text");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

constexpr rlim_t kRoom = 64 << 10;

// While it lives no file grows beyond kRoom.
class LittleRoom {
 public:
  explicit LittleRoom(void (*action)(int)) : action_(std::signal(SIGXFSZ, action)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit little{kRoom, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &little);
  }
  ~LittleRoom() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, action_);
  }
  LittleRoom(const LittleRoom&) = delete;
  LittleRoom& operator=(const LittleRoom&) = delete;

 private:
  rlimit before_{};
  void (*action_)(int);
};

TEST(Program, AFileThatFindsNoRoomHasStatus1) {
  const TemporaryFolder folder;
  for (const std::string option : {"--report", "--out"}) {
    std::optional<LittleRoom> little_room;
    FakeModel model;
    model.action = [&](const Config& config, const ProgressCallback&, const std::function<bool()>&) {
      Report report = model.report(config);
      for (std::int64_t id = 2; id < 9'000; ++id) report.results.row("links", {"id", "flow"}, {id, 1.25});
      little_room.emplace(SIG_IGN);
      return report;
    };
    const Outcome outcome = run_fake(model, {"--quiet", option, folder.file("x")});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find(option + ": cannot write '" + folder.file("x")), std::string::npos)
        << outcome.err;
    for (const auto& name : folder.names()) EXPECT_EQ(name, "x") << "no temporary file stays";
    std::filesystem::remove_all(folder.file("x"));
  }
  if (!std::filesystem::exists("/dev/full")) return;
  FakeModel model;
  EXPECT_EQ(run_fake(model, {"--report", "/dev/full"}).status, 1);
}

TEST(OutputFileDeathTest, LeavesNothingWhenKilled) {
  const TemporaryFolder folder;
  if (const int file = open(folder.file("").c_str(), O_TMPFILE | O_WRONLY); file < 0)
    GTEST_SKIP() << "this file system has no files without a name";
  else
    close(file);
  const auto killed = [&] {
    const LittleRoom room(SIG_DFL);
    OutputFile("report", folder.file("r.json")).write(std::string(2 * kRoom, 'x'));
  };
  EXPECT_EXIT(killed(), testing::KilledBySignal(SIGXFSZ), "");
  EXPECT_EQ(folder.names(), std::vector<std::string>{});
}

}  // namespace
}  // namespace anachron::test
