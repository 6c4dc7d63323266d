// The options of a run, the model's and the engine's, and what they are set to.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <anachron/base/error.hpp>
#include <anachron/run/any_model.hpp>

#include "run/commands/model_run.hpp"
#include "run/options/command_line.hpp"
#include "run/options/engine_options.hpp"

namespace anachron {

/// One that runs a model in its own way.
struct ModelCommand {
  std::string_view name, summary;
  std::vector<GroupedOption> own;
  std::string more{};  ///< in its help, behind the options
};

class Settings {
 public:
  /// Engine options are those of `defaults` until they are set. Throws std::logic_error for options of the
  /// model that are named like others.
  explicit Settings(AnyModel& model, const Config& defaults = {});
  Settings(const Settings&) = delete;  // the options point into it
  Settings& operator=(const Settings&) = delete;

  const std::vector<GroupedOption>& all() const { return all_; }
  const std::vector<Option>& engine() const { return engine_; }
  const RunOptions& options() const { return options_; }
  std::vector<std::pair<std::string, std::string>> model_options() const;
  /// Those that decide the results; of files and folders what is in them.
  std::vector<std::pair<std::string, std::string>> model_inputs() const;
  /// The names of the engine's options that were set, in the file or on the command line.
  const std::vector<std::string>& set_engine_options() const { return set_engine_options_; }

  /// Names and texts of what the command line has set.
  const std::vector<std::pair<std::string, std::string>>& given() const { return given_; }

  /// The file first, so that the command line wins. Passes over what is none of these options.
  void set(const Arguments& arguments, const Invocation& invocation);

  /// The same for the arguments of a command, with its own options and those that are not for one run only.
  /// False: the user has asked for help, which was printed. Throws std::logic_error for an option of the
  /// model that is named like one of the command's.
  bool read(const ModelCommand& command, const Invocation& invocation,
            std::span<const std::string> arguments);

  /// The error with file and line in front, if the message begins with an option, `--NAME`, that the file has
  /// set. That a value is impossible may show much later than when it is read.
  InputError located(const InputError& error) const;

 private:
  std::vector<GroupedOption> options_beside(const ModelCommand& command) const;
  void note_as_set(const std::string& name);
  void apply_file(const std::string& path, const Invocation& invocation);

  AnyModel& model_;
  RunOptions options_;
  std::vector<Option> model_options_, engine_;
  std::vector<GroupedOption> all_;
  std::vector<std::string> set_engine_options_;
  std::vector<std::pair<std::string, std::string>> given_;
  std::map<std::string, std::string, std::less<>> places_;  // in the file, of the options that it has set
};

/// The options of this rank's run, with the model's among them for the ranks to compare. Rank 0 alone prints
/// and writes files.
RunOptions options_of_rank(const Settings& settings);

}  // namespace anachron
