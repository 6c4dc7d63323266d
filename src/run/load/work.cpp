#include "run/load/work.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <anachron/base/parse.hpp>
#include <anachron/base/platform.hpp>

#include "topo/caches.hpp"

namespace anachron {

namespace {

[[noreturn]] void fail_at_file() {
  throw std::runtime_error(fmt::format("cannot write a temporary file in {}: {}",
                                       std::filesystem::temp_directory_path().string(),
                                       std::strerror(errno)));
}

/// About a nanosecond for each.
void multiply(std::uint64_t& value, unsigned times) {
  for (unsigned i = 0; i < times; ++i) {
    value *= 0x9e3779b97f4a7c15ull;  // each step waits for the one before
    asm volatile("" : "+r"(value));  // and none is optimised away
  }
}

class Computing final : public Work {
 public:
  std::uint64_t step() override {
    multiply(value_, kSteps);
    return kSteps;
  }

 private:
  static constexpr unsigned kSteps = 256;
  std::uint64_t value_ = 1;
};

class Streaming final : public Work {
 public:
  explicit Streaming(std::uint64_t bytes)
      : numbers_(std::max(bytes / kBlock, std::uint64_t{1}) * kPerBlock, 1) {}
  std::uint64_t step() override {
    std::uint64_t* const block = numbers_.data() + at_;
    for (std::size_t i = 0; i < kPerBlock; ++i) block[i] = 3 * block[i] + 1;
    asm volatile("" : : "r"(block) : "memory");
    at_ = at_ + kPerBlock < numbers_.size() ? at_ + kPerBlock : 0;
    return kBlock;
  }

 private:
  static constexpr std::size_t kBlock = 16 * 1024, kPerBlock = kBlock / sizeof(std::uint64_t);
  std::vector<std::uint64_t> numbers_;
  std::size_t at_ = 0;
};

/// The ring of threads that communicate.
class Ring {
 public:
  using Message = std::array<std::uint64_t, 128>;

  explicit Ring(unsigned threads) : boxes_(threads) {
    for (Box& box : boxes_) box.messages.resize(kMessages);
  }
  /// Waits for a message to this thread. Returns false when there is none for a while: the load may have
  /// ended, or pause.
  bool receive(unsigned thread, Message& message) {
    Box& box = boxes_[thread];
    std::unique_lock lock(box.mutex);
    if (!box.has_some.wait_for(lock, kLook, [&box] { return !box.messages.empty(); })) return false;
    message = box.messages.front();
    box.messages.pop_front();
    return true;
  }
  void send_on(unsigned thread, const Message& message) {
    Box& box = boxes_[(thread + 1) % boxes_.size()];
    {
      const std::scoped_lock lock(box.mutex);
      box.messages.push_back(message);
    }
    box.has_some.notify_one();
  }

 private:
  static constexpr unsigned kMessages = 4;  // on their way, for each thread
  static constexpr std::chrono::milliseconds kLook{10};

  struct alignas(kNoSharing) Box {  // all but the mutex is guarded by it
    std::mutex mutex;
    std::condition_variable has_some;
    std::deque<Message> messages;
  };
  std::vector<Box> boxes_;
};

class Communicating final : public Work {
 public:
  Communicating(unsigned thread, Ring& ring) : thread_(thread), ring_(ring) {}
  std::uint64_t step() override {
    if (!ring_.receive(thread_, message_)) return 0;
    for (std::uint64_t& number : message_) multiply(number, kStepsPerNumber);
    ring_.send_on(thread_, message_);
    return 1;
  }

 private:
  static constexpr unsigned kStepsPerNumber = 64;  // some microseconds for a message
  const unsigned thread_;
  Ring& ring_;
  Ring::Message message_{};
};

class Writing final : public Work {
 public:
  std::uint64_t step() override {
    file_.write();
    return 1;
  }

 private:
  TemporaryFile file_;
};

class ComputeShop final : public Workshop {
 public:
  std::unique_ptr<Work> make(unsigned) override { return std::make_unique<Computing>(); }
  std::string_view unit() const override { return "multiplications"; }
};

class StreamShop final : public Workshop {
 public:
  explicit StreamShop(const LoadOptions& options)
      : threads_(options.threads), memory_(options.memory.value_or(usual_memory())) {}
  std::unique_ptr<Work> make(unsigned) override try {
    return std::make_unique<Streaming>(memory_ / threads_);
  } catch (const std::bad_alloc&) {
    throw std::runtime_error(fmt::format("--memory: cannot have {}", format_size(memory_)));
  }
  std::string_view unit() const override { return "bytes"; }
  std::uint64_t memory() const override { return memory_; }

 private:
  static std::uint64_t usual_memory() {
    constexpr std::uint64_t kLeast = 64 << 20;
    return std::max(2 * topo::last_level_cache().value_or(0), kLeast);
  }

  const unsigned threads_;
  const std::uint64_t memory_;
};

class CommunicateShop final : public Workshop {
 public:
  explicit CommunicateShop(unsigned threads) : ring_(threads) {}
  std::unique_ptr<Work> make(unsigned thread) override {
    return std::make_unique<Communicating>(thread, ring_);
  }
  std::string_view unit() const override { return "messages"; }

 private:
  Ring ring_;
};

class IoShop final : public Workshop {
 public:
  std::unique_ptr<Work> make(unsigned) override { return std::make_unique<Writing>(); }
  std::string_view unit() const override { return "writes"; }
};

}  // namespace

TemporaryFile::TemporaryFile() : bytes_(64 * 1024, 'x') {
  std::string path = (std::filesystem::temp_directory_path() / "anachron-load-XXXXXX").string();
  file_ = mkstemp(path.data());
  if (file_ < 0) fail_at_file();
  unlink(path.c_str());
}

TemporaryFile::~TemporaryFile() { close(file_); }

void TemporaryFile::write() {
  if (pwrite(file_, bytes_.data(), bytes_.size(), 0) != static_cast<ssize_t>(bytes_.size()) ||
      fdatasync(file_) != 0)
    fail_at_file();
}

std::unique_ptr<Workshop> make_workshop(const LoadOptions& options) {
  switch (options.kind) {
    case LoadKind::compute:
      break;
    case LoadKind::stream:
      return std::make_unique<StreamShop>(options);
    case LoadKind::communicate:
      return std::make_unique<CommunicateShop>(options.threads);
    case LoadKind::io:
      return std::make_unique<IoShop>();
  }
  return std::make_unique<ComputeShop>();
}

}  // namespace anachron
