#include "run/checkpoint_options.hpp"

#include <atomic>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

#include "run/options/duration.hpp"
#include "run/report/fingerprint.hpp"

namespace anachron {
namespace {

// A signal handler can reach nothing else. Written by the handler and by the thread that asks.
std::atomic<bool> is_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_checkpoint_signal(int) { is_asked.store(true, std::memory_order_relaxed); }

void set_interval(CheckpointOptions& to, const std::string& text) {
  if (text.empty()) return;
  if (const auto seconds = seconds_of(text)) {
    to.every_s = *seconds;
    return;
  }
  to.every = positive(text);
  if (!to.every)
    throw bad_value("checkpoint-every", text, fmt::format("{}, or a simulated time above 0", kDuration));
}

}  // namespace

CheckpointOptions checkpoint_options(const RunOptions& options) {
  CheckpointOptions out;
  out.folder = options.checkpoint_folder;
  out.resume = options.resume_folder;
  set_interval(out, options.checkpoint_every);
  out.max_wall_s = duration_option("max-wall", options.max_wall);
  if (out.folder.empty() && !options.checkpoint_every.empty())
    throw InputError("--checkpoint-every has no effect without --checkpoint DIR");
  return out;
}

void add_origin(CheckpointOptions& to, const Settings& settings, const std::string& model) {
  if (to.folder.empty() && to.resume.empty()) return;
  for (const auto& [name, value] : settings.model_options()) to.inputs.emplace_back(name, fingerprint(value));
  to.command.push_back(model);
  for (const auto& [name, text] : settings.given()) to.command.push_back(fmt::format("--{}={}", name, text));
}

std::string resume_note(const Report& report) {
  if (report.checkpoint.empty()) return {};
  const std::string& folder = report.config.checkpoint.folder;
  return fmt::format("a checkpoint was written to {}; to go on, give the command 'resume {}'",
                     report.checkpoint, folder);
}

CheckpointSignal::CheckpointSignal() {
  is_asked.store(false, std::memory_order_relaxed);
  struct sigaction action{};
  action.sa_handler = on_checkpoint_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, &before_);
}

CheckpointSignal::~CheckpointSignal() { sigaction(SIGUSR1, &before_, nullptr); }

bool CheckpointSignal::take() noexcept { return is_asked.exchange(false, std::memory_order_relaxed); }

}  // namespace anachron
