// Options for a program that runs its simulation itself.

#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <anachron/base/version.hpp>
#include <anachron/run/app.hpp>

#include "run/checkpoint/checkpoint_options.hpp"
#include "run/options/command_line.hpp"
#include "run/options/settings.hpp"

namespace anachron {
namespace {

/// The program as a model: it has a name and options.
class OwnProgram final : public AnyModel {
 public:
  OwnProgram(std::string name, std::vector<Option> options)
      : name_(std::move(name)), options_(std::move(options)) {}

  const std::string& name() const override { return name_; }
  const std::string& summary() const override { return summary_; }
  std::vector<Option> options() override { return options_; }
  std::optional<Time> default_until() const override { return std::nullopt; }
  Report run(const Config&, const ProgressCallback&, const std::function<bool()>&) override {
    throw std::logic_error("anachron: a program that runs its simulation itself");
  }

 private:
  std::string name_, summary_;
  std::vector<Option> options_;
};

}  // namespace

std::string read_options(Config& config, std::vector<Option> own, const std::string& program,
                         std::span<const std::string> words) {
  OwnProgram model(program, std::move(own));
  Settings settings(model, config);
  // What is printed and written of a run is the program's own business.
  std::vector<GroupedOption> valid = settings.all();
  std::erase_if(valid, [](const GroupedOption& of_group) {
    const Option& option = of_group.option;
    return (is_for_one_run(option) && !is_about_checkpoints(option)) || option.name == "quiet";
  });
  const Arguments given = parse_arguments(valid, words, program + " --help");
  if (given.help) return help_text(valid, program, program);
  if (given.version) return fmt::format("Anachron {}\n", kVersion);
  settings.set(given, {program, program, {program}, {}});
  config = settings.options().config;
  config.checkpoint = checkpoint_options(settings.options());
  return {};
}

}  // namespace anachron
