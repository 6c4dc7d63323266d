#include "run/load/load.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/base/version.hpp>
#include <nlohmann/json.hpp>

#include "run/interrupt.hpp"
#include "run/options/command_line.hpp"
#include "run/output_file.hpp"
#include "run/report/format.hpp"

namespace anachron {

namespace {

using Clock = std::chrono::steady_clock;
using Nanoseconds = std::chrono::nanoseconds;

constexpr unsigned kMostThreads = 10'000;
constexpr std::uint64_t kLongestPeriod = 3'600'000'000;       // microseconds
constexpr Nanoseconds kLook = std::chrono::milliseconds(10);  // how often a sleeping thread looks for the end

struct LoadOptions {
  unsigned threads = 1;
  std::optional<std::uint64_t> period;  // microseconds
  bool io = false;
  std::optional<double> seconds;
  std::string report;
};

std::vector<GroupedOption> load_options(LoadOptions& options) {
  const auto make = [](std::string name, std::string hint, std::string help, std::string default_text = "") {
    Option option;
    option.name = std::move(name);
    option.hint = std::move(hint);
    option.help = std::move(help);
    option.default_text = std::move(default_text);
    return option;
  };
  Option threads = make("threads", "N", "Threads that compute", "1");
  threads.set = [&options](const std::string& text) {
    options.threads = parse_value<unsigned>("threads", text);
    if (options.threads < 1 || options.threads > kMostThreads)
      throw bad_value("threads", text, fmt::format("a number from 1 to {}", kMostThreads));
  };
  Option period = make("period", "US", "Compute for so many microseconds, sleep as long, and so on", "none");
  period.set = [&options](const std::string& text) {
    const auto value = parse_value<std::uint64_t>("period", text);
    if (value < 1 || value > kLongestPeriod)
      throw bad_value("period", text, fmt::format("microseconds from 1 to {}", kLongestPeriod));
    options.period = value;
  };
  Option io = make("io", "", "Write and sync a temporary file when it is time to sleep; needs --period");
  io.set = [&options](const std::string& text) { options.io = parse_value<bool>("io", text); };
  Option seconds = make("for", "S", "End after so many seconds; else a signal ends it", "none");
  seconds.set = [&options](const std::string& text) {
    const auto value = parse_value<double>("for", text);
    if (!(value > 0) || value > 1e9) throw bad_value("for", text, "a number of seconds > 0 and <= 1e9");
    options.seconds = value;
  };
  Option report =
      make("report", "FILE.json", "Write what was used as JSON; -: print it instead of the table");
  report.set = [&options](const std::string& text) { options.report = text; };
  std::vector<GroupedOption> all;
  for (Option* option : {&threads, &period, &io, &seconds, &report}) all.push_back({"Load", *option});
  return all;
}

Nanoseconds processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
}

/// A file that has no name, and is gone with the program.
class TemporaryFile {
 public:
  TemporaryFile() {
    std::string path = (std::filesystem::temp_directory_path() / "anachron-load-XXXXXX").string();
    file_ = mkstemp(path.data());
    if (file_ < 0) fail();
    unlink(path.c_str());
  }
  ~TemporaryFile() { close(file_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write() {
    static constexpr std::size_t kBytes = 64 * 1024;
    const std::vector<char> bytes(kBytes, 'x');
    if (pwrite(file_, bytes.data(), kBytes, 0) != static_cast<ssize_t>(kBytes) || fdatasync(file_) != 0)
      fail();
  }

 private:
  [[noreturn]] static void fail() {
    throw std::runtime_error(fmt::format("--io: cannot write a temporary file in {}: {}",
                                         std::filesystem::temp_directory_path().string(),
                                         std::strerror(errno)));
  }
  int file_ = -1;
};

/// What a thread has done. Written by it, read when it has ended.
struct Usage {
  double cpu_s = 0;
  double on_s = 0;  // time in which it wanted to compute
  std::uint64_t periods = 0;
  std::string error;
};

class Load {
 public:
  explicit Load(const LoadOptions& options) : options_(options), used_(options.threads) {}

  void run() {
    const auto begin = Clock::now();
    std::vector<std::jthread> threads;
    try {
      for (Usage& usage : used_) threads.emplace_back([this, &usage] { work(usage); });
    } catch (const std::system_error& error) {
      ends_.store(true, std::memory_order_relaxed);
      throw std::runtime_error(fmt::format("--threads: cannot start {}: {}", used_.size(), error.what()));
    }
    const auto is_over = [&] {
      return options_.seconds && Clock::now() - begin >= std::chrono::duration<double>(*options_.seconds);
    };
    while (!InterruptGuard::requested() && !is_over() && !ends_.load(std::memory_order_relaxed))
      std::this_thread::sleep_for(kLook);
    ends_.store(true, std::memory_order_relaxed);
    threads.clear();  // joins
    wall_s_ = std::chrono::duration<double>(Clock::now() - begin).count();
    for (const Usage& usage : used_)
      if (!usage.error.empty()) throw std::runtime_error(usage.error);
  }

  std::string text() const {
    const std::string pattern = !options_.period
                                    ? "all the time"
                                    : fmt::format("{} us on, {} us {}", grouped(*options_.period),
                                                  grouped(*options_.period), options_.io ? "in I/O" : "off");
    std::string out =
        fmt::format("load            {} thread{}, {}\n", used_.size(), used_.size() == 1 ? "" : "s", pattern);
    out += fmt::format("time            {}\n", duration(wall_s_));
    for (std::size_t i = 0; i < used_.size(); ++i)
      out += fmt::format("thread {:<8} {:.3f} s CPU, {} of a core, on {} of the time\n", i, used_[i].cpu_s,
                         percent(share(used_[i].cpu_s)), percent(share(used_[i].on_s)));
    return out;
  }

  std::string json() const {
    nlohmann::ordered_json out;
    out["schema"] = "anachron-load/1";
    out["threads"] = options_.threads;
    out["period_us"] = options_.period ? nlohmann::ordered_json(*options_.period) : nullptr;
    out["io"] = options_.io;
    out["wall_s"] = wall_s_;
    for (const char* const name : {"cpu_s", "on_s", "periods"}) out[name] = nlohmann::ordered_json::array();
    for (const Usage& usage : used_) {
      out["cpu_s"].push_back(usage.cpu_s);
      out["on_s"].push_back(usage.on_s);
      out["periods"].push_back(usage.periods);
    }
    return out.dump(2) + '\n';
  }

 private:
  double share(double seconds) const { return wall_s_ > 0 ? std::min(seconds / wall_s_, 1.0) : 0; }
  bool ends() const { return ends_.load(std::memory_order_relaxed); }

  void work(Usage& usage) {
    // Or else the system lets a sleep of a microsecond take fifty more.
    prctl(PR_SET_TIMERSLACK, 1);
    try {
      std::optional<TemporaryFile> file;
      if (options_.io) file.emplace();
      while (!ends()) {
        const auto begin = Clock::now();
        compute();
        usage.on_s += std::chrono::duration<double>(Clock::now() - begin).count();
        ++usage.periods;
        if (options_.period && !ends()) rest(file);
      }
    } catch (const std::exception& error) {
      usage.error = error.what();
      ends_.store(true, std::memory_order_relaxed);
    }
    usage.cpu_s = std::chrono::duration<double>(processor_time()).count();
  }

  /// Until the end or for a period of processor time: what the system gives to others is not computing.
  void compute() const {
    constexpr int kSteps = 256;  // about as many nanoseconds
    const auto until =
        options_.period ? processor_time() + std::chrono::microseconds(*options_.period) : Nanoseconds::max();
    std::uint64_t busy = 1;
    do {
      for (int i = 0; i < kSteps; ++i) {
        busy *= 0x9e3779b97f4a7c15ull;  // each step waits for the one before
        asm volatile("" : "+r"(busy));  // and none is optimised away
      }
    } while (!ends() && (!options_.period || processor_time() < until));
  }

  void rest(std::optional<TemporaryFile>& file) const {
    const auto until = Clock::now() + std::chrono::microseconds(*options_.period);
    if (file) file->write();
    while (!ends()) {
      const auto left = until - Clock::now();
      if (left <= Nanoseconds(0)) return;
      std::this_thread::sleep_for(std::min<Nanoseconds>(left, kLook));
    }
  }

  LoadOptions options_;
  std::vector<Usage> used_;
  double wall_s_ = 0;
  // The end has come: by the thread that waits for a signal, or by a worker that failed. Read by all of them;
  // relaxed, because it carries no other data.
  std::atomic<bool> ends_{false};
};

}  // namespace

Status generate_load(const std::string& usage, std::span<const std::string> arguments) {
  LoadOptions options;
  const auto all = load_options(options);
  const Arguments given = parse_arguments(all, arguments, usage + " --help");
  if (given.help) {
    print(help_text(all, "Keeps cores busy, as another program on the machine would, until a signal ends it",
                    usage));
    return Status::ok;
  }
  if (given.version) {
    print(fmt::format("anachron {}\n", kVersion));
    return Status::ok;
  }
  for (const auto& [name, text] : given.values)
    for (const auto& [group, option] : all)
      if (option.name == name) option.set(text);
  if (options.io && !options.period) throw InputError("--io needs --period");
  std::optional<OutputFile> report;
  if (!options.report.empty() && options.report != "-") report.emplace("report", options.report);
  Load load(options);
  load.run();
  InterruptGuard::let_end();
  if (report) report->write(load.json());
  print(options.report == "-" ? load.json() : load.text());
  return Status::ok;
}

}  // namespace anachron
