#include "checkpoint/experiment.hpp"

#include <map>
#include <string>

#include <fmt/format.h>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron::checkpoint {
namespace {

std::map<std::string, std::string> named(const Experiment& experiment) {
  std::map<std::string, std::string> all;
  // Over ranks, the file of --partition is among the model's options (run/rank.cpp), as ranks compare it.
  for (const auto& [name, value] : experiment.model_options)
    if (name != "--partition") all[name.starts_with("--") ? name.substr(2) : name] = value;
  all["seed"] = std::to_string(experiment.seed);
  all["tie-seed"] = std::to_string(experiment.tie_seed);
  all["warm-up"] = format_real(experiment.warm_up);
  return all;
}

}  // namespace

Experiment experiment_of(const Config& config) {
  return {
      .seed = config.seed,
      .tie_seed = config.tie_seed,
      .warm_up = config.warm_up,
      .until = config.until,
      .model_options = config.checkpoint.inputs.empty() ? config.model_options : config.checkpoint.inputs};
}

void require_same_model(const std::vector<std::string>& run, const std::vector<std::string>& checkpoint,
                        const std::filesystem::path& folder) {
  if (run.empty() || checkpoint.empty() || run.front() == checkpoint.front()) return;
  throw InputError(fmt::format("checkpoint {}: it is of model {}, and the run is of model {}",
                               folder.string(), checkpoint.front(), run.front()));
}

void require_same(const Experiment& run, const Experiment& checkpoint, const std::filesystem::path& folder) {
  const auto here = named(run), there = named(checkpoint);
  const auto value = [](const auto& all, const std::string& name) {
    const auto at = all.find(name);
    return at == all.end() ? std::string("not given") : at->second;
  };
  std::map<std::string, std::string> names = here;
  names.insert(there.begin(), there.end());
  for (const auto& [name, ignored] : names) {
    if (value(here, name) == value(there, name)) continue;
    if (name.find(' ') != std::string::npos)  // what has no option
      throw InputError(
          fmt::format("checkpoint {}: the {} are not those that it was written with", folder.string(), name));
    throw InputError(
        fmt::format("checkpoint {}: --{} was {} and is {} now: a run goes on with the same options",
                    folder.string(), name, value(there, name), value(here, name)));
  }
}

}  // namespace anachron::checkpoint
