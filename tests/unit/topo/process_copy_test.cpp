#include "topo/process_copy.hpp"

#include <array>
#include <csignal>
#include <fstream>
#include <stdexcept>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace anachron::test {
namespace {

using topo::ProcessCopy;

std::string why_not(ProcessCopy& copy) {
  try {
    copy.wait();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "it has returned";
}

TEST(ProcessCopy, SeesMemoryAsItWas) {
  std::uint64_t value = 1;
  ProcessCopy copy([&value] { return value + 41; });
  value = 1000;
  EXPECT_EQ(copy.wait(), 42u);
}

TEST(ProcessCopy, ChangesNothingHere) {
  std::uint64_t value = 1;
  ProcessCopy copy([&value] { return value = 7; });
  EXPECT_EQ(copy.wait(), 7u);
  EXPECT_EQ(value, 1u);
}

TEST(ProcessCopy, TellsWhatItThrew) {
  ProcessCopy copy([]() -> std::uint64_t { throw std::runtime_error("no room"); });
  EXPECT_EQ(why_not(copy), "no room");
}

TEST(ProcessCopy, ThatIsKilledSaysSo) {
  ProcessCopy copy([]() -> std::uint64_t {
    ::raise(SIGKILL);
    return 0;
  });
  EXPECT_EQ(why_not(copy), "the process that writes was ended by signal 9");
}

/// What reads an end of `pipe` sees its end when nobody has the other one any more.
bool ends(int pipe) {
  char byte = 0;
  return ::read(pipe, &byte, 1) == 0;
}

/// Until the copy is ended.
std::uint64_t stay() {
  for (;;) ::pause();
}

bool runs(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  return file >> number >> name >> state && state != "Z";
}

TEST(ProcessCopy, EndsWithItsOwner) {
  pid_t process = 0;
  {
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const ProcessCopy copy([]() -> std::uint64_t { return stay(); });
    process = copy.process();
    ::close(pipe[1]);
    EXPECT_TRUE(ends(pipe[0]));  // the copy does not keep files open
    ::close(pipe[0]);
  }
  EXPECT_FALSE(runs(process));
}

TEST(ProcessCopy, EndsWithTheProcessItIsOf) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const pid_t first = ::fork();
  if (first == 0) {
    const ProcessCopy copy([]() -> std::uint64_t { return stay(); });
    const pid_t number = copy.process();
    if (::write(pipe[1], &number, sizeof number) != sizeof number) ::_exit(1);
    ::raise(SIGKILL);
  }
  pid_t number = 0;
  ASSERT_EQ(::read(pipe[0], &number, sizeof number), static_cast<ssize_t>(sizeof number));
  ASSERT_EQ(::waitpid(first, nullptr, 0), first);
  for (int tries = 0; tries < 1000 && runs(number); ++tries) ::usleep(10'000);
  EXPECT_FALSE(runs(number)) << "the copy is still there";
  ::close(pipe[0]);
  ::close(pipe[1]);
}

}  // namespace
}  // namespace anachron::test
