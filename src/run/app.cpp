#include <anachron/run/app.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <anachron/base/error.hpp>
#include <anachron/base/suggest.hpp>
#include <anachron/base/text.hpp>
#include <anachron/base/version.hpp>

#include "run/config_file.hpp"
#include "run/interrupt.hpp"
#include "run/model_run.hpp"
#include "run/tune.hpp"

namespace anachron {

namespace {

using Words = std::span<const std::string>;

constexpr std::string_view kProgram = "anachron";

/// Calls `command` and turns what it throws into a message and an exit status.
template <class Command>
int guarded(std::string_view program, const Command& command) {
  const auto complain = [program](Status status, const char* what) {
    std::fputs(printable(fmt::format("{}: {}\n", program, what)).c_str(), stderr);
    return static_cast<int>(status);
  };
  try {
    const InterruptGuard guard;
    return static_cast<int>(command());
  } catch (const InputError& error) {
    return complain(Status::bad_input, error.what());
  } catch (const std::bad_alloc&) {
    return complain(Status::failed, "out of memory");
  } catch (const std::exception& error) {
    return complain(Status::failed, error.what());
  }
}

Words after(Words words, std::size_t n) { return words.subspan(std::min(n, words.size())); }

/// The program with bundled models.
class Bundle {
 public:
  explicit Bundle(std::span<const BundledModel> models) : models_(models) {
    for (const BundledModel& model : models) names_.push_back(model.name);
  }

  Status main(Words words) const {
    if (words.empty()) throw InputError(fmt::format("a command is missing\n{}", usage()));
    const std::string& command = words.front();
    const Words rest = after(words, 1);
    if (command == "run") return run(rest);
    if (command == "tune") return tune(rest);
    if (command == "list") return list(rest);
    if (command == "help" || command == "--help" || command == "-h") return help(rest);
    if (command == "--version") {
      print(fmt::format("{} {}\n", kProgram, kVersion));
      return Status::ok;
    }
    std::vector<std::string> commands{"run", "tune", "list", "help", "--help", "--version"};
    // `anachron phold` is a likely slip.
    for (const std::string& name : names_) commands.push_back("run " + name);
    const std::string slip =
        find(command) ? fmt::format("; did you mean 'run {}'?", command) : did_you_mean(command, commands);
    throw InputError(
        fmt::format("unknown command '{}'{} (valid: run, tune, list, help, --version)", command, slip));
  }

 private:
  std::string usage() const {
    return fmt::format(
        "Usage: {0} run MODEL [options]   run a model and print the report\n"
        "       {0} tune MODEL [options]  try engine options on this machine\n"
        "       {0} list                  list the models\n"
        "       {0} help MODEL            explain a model's options and the engine's\n"
        "       {0} --version\n",
        kProgram);
  }

  std::string model_list() const {
    std::size_t width = 0;
    for (const BundledModel& model : models_) width = std::max(width, model.name.size());
    std::string out;
    for (const BundledModel& model : models_)
      out += fmt::format("  {:<{}}  {}\n", model.name, width, model.summary);
    return out;
  }

  const BundledModel* find(const std::string& name) const {
    for (const BundledModel& model : models_)
      if (model.name == name) return &model;
    return nullptr;
  }

  const BundledModel& model(const std::string& name) const {
    if (const BundledModel* const found = find(name)) return *found;
    throw InputError(fmt::format("unknown model '{}'{} (valid: {})", name, did_you_mean(name, names_),
                                 fmt::join(names_, ", ")));
  }

  Status list(Words words) const {
    if (!words.empty())
      throw InputError(fmt::format("unexpected argument '{}': list takes none", words.front()));
    print(model_list());
    return Status::ok;
  }

  Status help(Words words) const {
    if (words.size() > 1)
      throw InputError(fmt::format("unexpected argument '{}': expected help MODEL", words[1]));
    if (!words.empty() && find(words.front())) {
      const std::vector<std::string> arguments{words.front(), "--help"};
      return run(arguments);
    }
    if (!words.empty()) model(words.front());  // throws
    print(fmt::format("Anachron {}: parallel discrete event simulation\n\n{}\nModels:\n{}", kVersion, usage(),
                      model_list()));
    return Status::ok;
  }

  Status run(Words words) const {
    if (!words.empty() && (words.front() == "--help" || words.front() == "-h")) return help({});
    const bool named = !words.empty() && !words.front().starts_with('-');
    const std::string name = named ? words.front() : model_in_file(words);
    const auto instance = model(name).make();
    return run_model(*instance, {std::string(kProgram), fmt::format("{} run {}", kProgram, name), names_},
                     named ? after(words, 1) : words);
  }

  Status tune(Words words) const {
    if (words.empty())
      throw InputError(
          fmt::format("a model is missing right after tune (valid: {})", fmt::join(names_, ", ")));
    const auto instance = model(words.front()).make();
    return tune_model(*instance,
                      {std::string(kProgram), fmt::format("{} tune {}", kProgram, words.front()), names_},
                      after(words, 1));
  }

  /// The model that the file of `--config FILE` names.
  std::string model_in_file(Words words) const {
    constexpr std::string_view kFlag = "--config";
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string_view word = words[i];
      if (!word.starts_with(kFlag)) continue;
      const std::string_view rest = word.substr(kFlag.size());
      std::string path;
      if (rest.starts_with('='))
        path = rest.substr(1);
      else if (rest.empty() && i + 1 < words.size())
        path = words[i + 1];
      if (path.empty()) continue;
      const ConfigFile file = read_config_file(path);
      if (!file.model)
        throw InputError(fmt::format("{}: no model is named: expected model = \"NAME\", or run MODEL", path));
      if (!find(file.model->text))
        throw InputError(fmt::format("{}: model: unknown model '{}'{} (valid: {})", file.model->where,
                                     file.model->text, did_you_mean(file.model->text, names_),
                                     fmt::join(names_, ", ")));
      return file.model->text;
    }
    throw InputError(fmt::format("a model is missing right after run (valid: {})", fmt::join(names_, ", ")));
  }

  std::span<const BundledModel> models_;
  std::vector<std::string> names_;
};

std::vector<std::string> words_of(int argc, char** argv) {
  return std::vector<std::string>(argv + std::min(argc, 1), argv + argc);
}

}  // namespace

int run_program(AnyModel& model, int argc, char** argv) {
  const std::string program = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : model.name();
  return guarded(program,
                 [&] { return run_model(model, {program, program, {model.name()}}, words_of(argc, argv)); });
}

int run_program(std::span<const BundledModel> models, int argc, char** argv) {
  return guarded(kProgram, [&] { return Bundle(models).main(words_of(argc, argv)); });
}

}  // namespace anachron
