#include "run/checkpoint/supervise.hpp"

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
#include "checkpoint/intact.hpp"
#include "run/options/duration.hpp"
#include "run/signals/farewell.hpp"
#include "run/signals/interrupt.hpp"

extern char** environ;

namespace anachron {
namespace {

using std::chrono::seconds;

constexpr std::string_view kUsage =
    "expected supervise [--tries N] [--grace DURATION] -- COMMAND, where COMMAND runs a program with "
    "--checkpoint DIR";

struct Supervised {
  std::vector<std::string> command;
  std::filesystem::path folder;             // of checkpoints
  unsigned tries = 5;                       // in a row without a new checkpoint
  std::chrono::duration<double> grace{30};  // for a last checkpoint of ranks
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
    const bool is_tries = words[i] == "--tries";
    if ((!is_tries && words[i] != "--grace") || i + 1 == words.size())
      throw InputError(fmt::format("unexpected argument '{}': {}", words[i], kUsage));
    const std::string& value = words[++i];
    if (is_tries)
      out.tries = parse_value<unsigned>("tries", value);
    else
      out.grace = std::chrono::duration<double>(duration_option("grace", value).value_or(0));
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

/// Until it has ended. A signal to this process ends it. Returns what waitpid tells.
int wait_for(pid_t child, const Supervised& of) {
  constexpr std::chrono::milliseconds kLook{50};
  std::optional<Farewell> farewell;
  for (;;) {
    int status = 0;
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
    if (farewell)
      farewell->look();
    else if (InterruptGuard::requested())
      farewell.emplace(child, of.folder, of.grace);
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

/// The newest checkpoint; empty: there is none.
std::filesystem::path newest(const std::filesystem::path& folder) {
  const auto all = checkpoint::checkpoints_in(folder);
  return all.empty() ? std::filesystem::path() : all.front();
}

/// What --resume is to be; empty: there is no checkpoint. One that cannot be read is passed over. Throws
/// InputError when none can be read.
std::string to_resume(const std::filesystem::path& folder) {
  for (;;) {
    const auto all = checkpoint::checkpoints_in(folder);
    if (all.empty()) return {};
    try {
      checkpoint::check_files(all.front());
      return folder.string();
    } catch (const checkpoint::BadFile& error) {
      if (checkpoint::checkpoints_in(folder) != all) continue;  // a rank that is still there has removed it
      const auto older = checkpoint::intact_before(all.front());
      if (!older) throw checkpoint::with_intact_one(error, all.front());
      say(fmt::format("{}; the run goes on from the one before, {}", error.what(), older->string()));
      return older->string();
    }
  }
}

}  // namespace

Status supervise(std::span<const std::string> words) {
  const Supervised of = parse(words);
  unsigned in_vain = 0;
  for (;;) {
    const std::filesystem::path before = newest(of.folder);
    std::vector<std::string> command = of.command;
    if (const std::string from = to_resume(of.folder); !from.empty())
      command.push_back(fmt::format("--resume={}", from));
    const int status = wait_for(start(command), of);
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

std::string supervise_help(std::string_view program) {
  return fmt::format(
      "Usage: {} supervise [--tries N] [--grace DURATION] -- COMMAND\n\n"
      "Runs COMMAND, which has --checkpoint DIR, also under mpirun. A run that has died is started again "
      "from\n"
      "its last checkpoint.\n\n"
      "  --tries N         give up after N tries in a row without a new checkpoint (default: 5)\n"
      "  --grace DURATION  for the last checkpoint of ranks when the supervisor is told to end (default: "
      "30s)\n",
      program);
}

}  // namespace anachron
