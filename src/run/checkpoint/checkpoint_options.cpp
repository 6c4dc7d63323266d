#include "run/checkpoint/checkpoint_options.hpp"

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

#include "run/options/duration.hpp"

namespace anachron {
namespace {

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
  to.inputs = settings.model_inputs();
  to.command.push_back(model);
  for (const auto& [name, text] : settings.given()) to.command.push_back(fmt::format("--{}={}", name, text));
}

std::string resume_note(const Report& report) {
  if (report.checkpoint.empty()) return {};
  const std::string& folder = report.config.checkpoint.folder;
  return fmt::format("a checkpoint was written to {}; to go on, give the command 'resume {}'",
                     report.checkpoint, folder);
}

}  // namespace anachron
