// Gang scheduling, of processes that the tests start.
#include "run/load/gang.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "support/error_of.hpp"

namespace anachron {
namespace {

/// Sleeps until it is killed.
class Process {
 public:
  Process() : pid_(fork()) {
    while (pid_ == 0) pause();
  }
  ~Process() { end(); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  int pid() const { return pid_; }
  void end() {
    if (pid_ < 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  bool is_stopped() const {
    std::ifstream stat("/proc/" + std::to_string(pid_) + "/stat");
    std::string number, name, state;
    stat >> number >> name >> state;
    return state == "T";
  }
  /// A signal takes a moment.
  void await(bool stopped) const {
    while (is_stopped() != stopped) std::this_thread::yield();
  }

 private:
  pid_t pid_;
};

TEST(Gang, StopsAProcessAndLetsItGoOn) {
  Process process;
  Gang gang(process.pid());
  for (int i = 0; i < 3; ++i) {
    gang.stop();
    process.await(true);
    gang.go_on();
    process.await(false);
  }
  EXPECT_FALSE(gang.has_ended());
}

TEST(Gang, InTheEndTheProcessGoesOn) {
  Process process;
  {
    Gang gang(process.pid());
    gang.stop();
    process.await(true);
  }
  process.await(false);
}

TEST(Gang, AlsoWhenTheProgramIsKilled) {
  Process process;
  const pid_t program = fork();
  if (program == 0) {
    Gang gang(process.pid());
    gang.stop();
    for (;;) pause();
  }
  process.await(true);
  kill(program, SIGKILL);
  waitpid(program, nullptr, 0);
  process.await(false);
}

TEST(Gang, AProcessMayEnd) {
  Process process;
  Gang gang(process.pid());
  process.end();
  EXPECT_TRUE(gang.has_ended());
  gang.stop();
  gang.go_on();
}

TEST(Gang, NamesWhatIsNoProcess) {
  Process process;
  const int pid = process.pid();
  process.end();
  EXPECT_EQ(
      test::error_of([&] { Gang gang(pid); }),
      "--gang: '" + std::to_string(pid) + "' is not valid: expected a process that runs: No such process");
  EXPECT_EQ(
      test::error_of([&] { Gang gang(getpid()); }),
      "--gang: '" + std::to_string(getpid()) + "' is not valid: expected a process other than this one");
}

TEST(Slices, TakeTurnsOfTheSameLength) {
  using std::chrono::milliseconds;
  const Slices::Clock::time_point begin{};
  Slices slices(0.1, begin);
  EXPECT_TRUE(slices.is_gangs());
  EXPECT_EQ(slices.until(), begin + milliseconds(100));
  slices.turn(begin + milliseconds(102));
  EXPECT_FALSE(slices.is_gangs());
  EXPECT_EQ(slices.until(), begin + milliseconds(202));
  slices.turn(begin + milliseconds(202));
  slices.end(begin + milliseconds(250));
  EXPECT_EQ(slices.count(), 3u);
  EXPECT_NEAR(slices.gang_s(), 0.150, 1e-9);
  EXPECT_NEAR(slices.load_s(), 0.100, 1e-9);
}

}  // namespace
}  // namespace anachron
