#include "run/supervise.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

#include "checkpoint/folder.hpp"
#include "run/interrupt.hpp"

extern char** environ;

namespace anachron {
namespace {

using std::chrono::seconds;

constexpr std::string_view kUsage =
    "expected supervise [--tries N] -- COMMAND, where COMMAND runs a program with --checkpoint DIR";

struct Supervised {
  std::vector<std::string> command;
  std::filesystem::path folder;  // of checkpoints
  unsigned tries = 5;            // in a row without a new checkpoint
};

/// The value of `--checkpoint VALUE` or `--checkpoint=VALUE`.
std::optional<std::string> folder_in(const std::vector<std::string>& command) {
  constexpr std::string_view kOption = "--checkpoint";
  std::optional<std::string> folder;
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (command[i] == kOption && i + 1 < command.size()) folder = command[i + 1];
    if (command[i].starts_with("--checkpoint=")) folder = command[i].substr(kOption.size() + 1);
  }
  return folder;
}

Supervised parse(std::span<const std::string> words) {
  Supervised out;
  std::size_t i = 0;
  for (; i < words.size() && words[i] != "--"; ++i) {
    if (words[i] != "--tries" || i + 1 == words.size())
      throw InputError(fmt::format("unexpected argument '{}': {}", words[i], kUsage));
    out.tries = parse_value<unsigned>("tries", words[++i]);
    if (out.tries == 0) throw bad_value("tries", "0", "at least 1");
  }
  out.command.assign(words.begin() + static_cast<std::ptrdiff_t>(std::min(i + 1, words.size())), words.end());
  if (out.command.empty()) throw InputError(fmt::format("a command is missing: {}", kUsage));
  const auto folder = folder_in(out.command);
  if (!folder) throw InputError(fmt::format("the command has no --checkpoint DIR: {}", kUsage));
  out.folder = *folder;
  return out;
}

void say(const std::string& text) { std::fputs(fmt::format("supervise: {}\n", text).c_str(), stderr); }

pid_t start(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments.front(), nullptr, nullptr, arguments.data(), environ);
  if (error != 0)
    throw InputError(
        fmt::format("cannot start {}: {}", command.front(), std::generic_category().message(error)));
  return child;
}

/// Until it has ended; a signal to this process is handed on. Returns what waitpid tells.
int wait_for(pid_t child) {
  constexpr std::chrono::milliseconds kLook{50};
  bool is_told = false;
  for (;;) {
    int status = 0;
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
    if (!is_told && InterruptGuard::requested()) {
      ::kill(child, SIGTERM);
      is_told = true;
    }
    std::this_thread::sleep_for(kLook);
  }
}

/// The end of the run, not of a try: none if it is to be started again.
std::optional<Status> final_status(int status) {
  if (!WIFEXITED(status)) return std::nullopt;
  for (const Status end : {Status::ok, Status::bad_input, Status::out_of_time, Status::interrupted})
    if (WEXITSTATUS(status) == static_cast<int>(end)) return end;
  return std::nullopt;
}

std::string ending_text(int status) {
  return WIFEXITED(status) ? fmt::format("ended with status {}", WEXITSTATUS(status))
                           : fmt::format("was ended by signal {}", WTERMSIG(status));
}

/// Where it would go on from; empty: from nowhere.
std::filesystem::path newest(const std::filesystem::path& folder) {
  const auto all = checkpoint::checkpoints_in(folder);
  return all.empty() ? std::filesystem::path() : all.front();
}

}  // namespace

Status supervise(std::span<const std::string> words) {
  const Supervised of = parse(words);
  unsigned in_vain = 0;
  for (;;) {
    const std::filesystem::path before = newest(of.folder);
    std::vector<std::string> command = of.command;
    if (!before.empty()) command.push_back(fmt::format("--resume={}", of.folder.string()));
    const int status = wait_for(start(command));
    if (const auto end = final_status(status)) return *end;
    if (InterruptGuard::requested()) return Status::interrupted;
    in_vain = newest(of.folder) == before ? in_vain + 1 : 0;
    if (in_vain >= of.tries) {
      say(fmt::format("the run {}; {} tries in a row have come to no new checkpoint", ending_text(status),
                      in_vain));
      return Status::failed;
    }
    const seconds pause(in_vain == 0 ? 0 : std::min(1u << std::min(in_vain - 1, 6u), 60u));
    say(fmt::format("the run {}; it is started again{}", ending_text(status),
                    pause.count() > 0 ? fmt::format(" in {} s", pause.count()) : ""));
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace anachron
