#include <anachron/run/app.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <anachron/base/error.hpp>
#include <anachron/base/suggest.hpp>
#include <anachron/base/text.hpp>
#include <anachron/base/version.hpp>

#include "engine/memory_limit.hpp"
#include "run/checkpoint/resume.hpp"
#include "run/checkpoint/supervise.hpp"
#include "run/commands/model_run.hpp"
#include "run/commands/partition_command.hpp"
#include "run/commands/tune.hpp"
#include "run/commands/what_if_command.hpp"
#include "run/diff/diff.hpp"
#include "run/explain/explain.hpp"
#include "run/load/load.hpp"
#include "run/options/config_file.hpp"
#include "run/rank.hpp"
#include "run/signals/interrupt.hpp"
#include "topo/processors.hpp"

namespace anachron {

namespace {

using Words = std::span<const std::string>;

constexpr std::string_view kProgram = "anachron";

/// What a program does with a model. Another command is another line.
struct Command {
  std::string_view name, does;
  Status (*execute)(AnyModel&, const Invocation&, Words);
};
constexpr std::array kCommands{
    Command{"run", "run a model and print the report", run_model},
    Command{"tune", "try engine options on this machine", tune_model},
    Command{"what-if", "run a model and variants of it, and say what differs", what_if},
    Command{"partition", "deal LPs to processing elements ahead of a run", partition_model},
};

const Command* find_command(std::string_view name) {
  const auto* const found = std::find_if(kCommands.begin(), kCommands.end(),
                                         [name](const Command& command) { return command.name == name; });
  return found == kCommands.end() ? nullptr : found;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  return names;
}

/// How a program is called, and what it does then.
using UsageLine = std::pair<std::string, std::string>;
std::string listed(const std::vector<UsageLine>& lines, std::string_view before_first,
                   std::string_view before_others) {
  std::size_t width = 0;
  for (const auto& [call, does] : lines)
    if (!does.empty()) width = std::max(width, call.size());
  std::string out;
  for (const auto& [call, does] : lines) {
    out += out.empty() ? before_first : before_others;
    out += does.empty() ? call + '\n' : fmt::format("{:<{}}  {}\n", call, width, does);
  }
  return out;
}

/// Calls `action` and turns what it throws into a message and an exit status.
template <class Action>
int caught(std::string_view program, const Action& action) {
  // `end` ends the other ranks: those that do not know of it wait for this one, wherever they are.
  const auto complain = [program](Status status, const char* what, void (*end)(int) = end_others_for_good) {
    std::string who(program);
    if (const unsigned rank = own_rank(); rank > 0) {
      who += fmt::format(": rank {} on {}", rank, topo::host_name());
      // Most of what fails, fails on all ranks: then rank 0 says it, and ends the others.
      if (status == Status::bad_input) std::this_thread::sleep_for(std::chrono::seconds(2));
    }
    std::fputs(printable(fmt::format("{}: {}\n", who, what)).c_str(), stderr);
    end(static_cast<int>(status));
    return static_cast<int>(status);
  };
  try {
    return static_cast<int>(action());
  } catch (const InputError& error) {
    return complain(Status::bad_input, error.what());
  } catch (const SimulationError& error) {
    if (own_rank() > 0) return static_cast<int>(Status::failed);  // rank 0 knows of it and says it
    const std::string where = error.where().empty() ? "" : error.where() + ": ";
    return complain(Status::failed, (where + error.what()).c_str(), end_others);
  } catch (const std::bad_alloc&) {
    try {
      engine::throw_out_of_memory();
    } catch (const std::exception& error) {
      return complain(Status::failed, error.what());
    }
  } catch (const std::exception& error) {
    return complain(Status::failed, error.what());
  }
}

/// The same; a signal asks `command` to end.
template <class Command>
int guarded(std::string_view program, const Command& command) {
  return caught(program, [&command] {
    const InterruptGuard guard;
    return command();
  });
}

Status show(std::string_view text) {
  print(text);
  return Status::ok;
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
    if (const Command* const of_model = find_command(command)) return execute(*of_model, rest);
    if (command == "resume") return resume(rest);
    if (command == "supervise") return asks_for_help(rest) ? show(supervise_help(kProgram)) : supervise(rest);
    if (command == "list") return list(rest);
    if (command == "explain") return explain_report(rest);
    if (command == "diff") return diff(rest);
    if (command == "load") return generate_load(fmt::format("{} load", kProgram), rest);
    if (command == "help" || command == "--help" || command == "-h") return help(rest);
    if (command == "--version") return show(fmt::format("{} {}\n", kProgram, kVersion));
    std::vector<std::string> valid = command_names();
    valid.insert(valid.end(),
                 {"resume", "supervise", "list", "explain", "diff", "load", "help", "--version"});
    std::vector<std::string> near = valid;
    near.emplace_back("--help");
    // `anachron phold` is a likely slip.
    for (const std::string& name : names_) near.push_back("run " + name);
    const std::string slip =
        find(command) ? fmt::format("; did you mean 'run {}'?", command) : did_you_mean(command, near);
    throw InputError(
        fmt::format("unknown command '{}'{} (valid: {})", command, slip, fmt::join(valid, ", ")));
  }

 private:
  std::string usage() const {
    std::vector<UsageLine> lines;
    for (const Command& command : kCommands)
      lines.emplace_back(fmt::format("{} {} MODEL [options]", kProgram, command.name), command.does);
    lines.emplace_back(fmt::format("{} resume DIR [options]", kProgram), "go on from a checkpoint of a run");
    lines.emplace_back(fmt::format("{} supervise -- COMMAND", kProgram), "start a run again that has died");
    lines.emplace_back(fmt::format("{} list", kProgram), "list the models");
    lines.emplace_back(fmt::format("{} explain REPORT.json", kProgram), "say why a run was fast or slow");
    lines.emplace_back(fmt::format("{} diff A.json B.json", kProgram),
                       "say what two runs have not in common");
    lines.emplace_back(fmt::format("{} load [options]", kProgram),
                       "keep cores busy, as other programs would");
    lines.emplace_back(fmt::format("{} help MODEL", kProgram), "explain a model's options and the engine's");
    lines.emplace_back(fmt::format("{} --version", kProgram), "");
    return listed(lines, "Usage: ", "       ");
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

  Status resume(Words words) const {
    if (asks_for_help(words)) return show(resume_help(kProgram));
    const auto command = resumed_command(words);
    return execute(kCommands.front(), command);
  }

  Status list(Words words) const {
    if (!words.empty())
      throw InputError(fmt::format("unexpected argument '{}': list takes none", words.front()));
    return show(model_list());
  }

  Status help(Words words) const {
    if (words.size() > 1)
      throw InputError(fmt::format("unexpected argument '{}': expected help MODEL", words[1]));
    if (!words.empty() && find(words.front())) {
      const std::vector<std::string> arguments{words.front(), "--help"};
      return execute(kCommands.front(), arguments);
    }
    if (!words.empty()) model(words.front());  // throws
    return show(fmt::format("Anachron {}: parallel discrete event simulation\n\n{}\nModels:\n{}", kVersion,
                            usage(), model_list()));
  }

  Status execute(const Command& command, Words words) const {
    if (asks_for_help(words)) return help({});
    const bool named = !words.empty() && !words.front().starts_with('-');
    const std::string name = named ? words.front() : model_in_file(command, words);
    const auto instance = model(name).make();
    return command.execute(
        *instance, {std::string(kProgram), fmt::format("{} {} {}", kProgram, command.name, name), names_, {}},
        named ? after(words, 1) : words);
  }

  /// The model that the file of `--config FILE` names.
  std::string model_in_file(const Command& command, Words words) const {
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
        throw InputError(
            fmt::format("{}: no model is named: expected model = \"NAME\", or {} MODEL", path, command.name));
      if (!find(file.model->text))
        throw InputError(fmt::format("{}: model: unknown model '{}'{} (valid: {})", file.model->where,
                                     file.model->text, did_you_mean(file.model->text, names_),
                                     fmt::join(names_, ", ")));
      return file.model->text;
    }
    throw InputError(
        fmt::format("a model is missing right after {} (valid: {})", command.name, fmt::join(names_, ", ")));
  }

  std::span<const BundledModel> models_;
  std::vector<std::string> names_;
};

/// The program of a single model: the same commands, of which `run` goes without saying.
class Single {
 public:
  Single(AnyModel& model, std::string program) : model_(model), program_(std::move(program)) {}

  Status main(Words words) const {
    if (words.empty() || words.front().starts_with('-')) return execute(kCommands.front(), program_, words);
    if (words.front() == "help") return help(after(words, 1));
    if (words.front() == "resume") return resume(after(words, 1));
    return execute(words.front(), after(words, 1));
  }

 private:
  Status execute(const std::string& name, Words words) const {
    if (const Command* const command = find_command(name))
      return execute(*command, fmt::format("{} {}", program_, name), words);
    std::vector<std::string> valid = command_names();
    valid.insert(valid.end(), {"resume", "help"});
    throw InputError(fmt::format("unknown command '{}'{} (valid: {}; options have the form --NAME VALUE)",
                                 name, did_you_mean(name, valid), fmt::join(valid, ", ")));
  }
  Status execute(const Command& command, const std::string& usage, Words words) const {
    return command.execute(model_, {program_, usage, {model_.name()}, commands()}, words);
  }

  Status resume(Words words) const {
    if (asks_for_help(words)) return show(resume_help(program_));
    const auto command = resumed_command(words);
    if (command.front() != model_.name())
      throw InputError(fmt::format("resume {}: the checkpoint is of model {}; this program has {}",
                                   words.front(), command.front(), model_.name()));
    return execute(kCommands.front(), program_, after(command, 1));
  }

  /// `help`, `help COMMAND`.
  Status help(Words words) const {
    const std::vector<std::string> arguments{"--help"};
    if (words.empty()) return execute(kCommands.front(), program_, arguments);
    if (words.size() > 1)
      throw InputError(fmt::format("unexpected argument '{}': expected help COMMAND", words[1]));
    return execute(words.front(), arguments);
  }

  std::string commands() const {
    std::vector<UsageLine> lines;
    for (const Command& command : kCommands)
      lines.emplace_back(fmt::format("{} {} [options]", program_, command.name), command.does);
    lines.emplace_back(fmt::format("{} resume DIR [options]", program_), "go on from a checkpoint of a run");
    lines.emplace_back(fmt::format("{} help COMMAND", program_), "explain its options");
    return "\nCommands, run if none is given:\n" + listed(lines, "  ", "  ");
  }

  AnyModel& model_;
  std::string program_;
};

std::string program_name(int argc, char** argv, std::string_view otherwise) {
  return argc > 0 ? std::filesystem::path(argv[0]).filename().string() : std::string(otherwise);
}

std::vector<std::string> words_of(int argc, char** argv) {
  return std::vector<std::string>(argv + std::min(argc, 1), argv + argc);
}

}  // namespace

int run_program(AnyModel& model, int argc, char** argv) {
  const std::string program = program_name(argc, argv, model.name());
  return guarded(program, [&] { return Single(model, program).main(words_of(argc, argv)); });
}

int run_program(std::span<const BundledModel> models, int argc, char** argv) {
  return guarded(kProgram, [&] { return Bundle(models).main(words_of(argc, argv)); });
}

int run_program(Config& config, std::vector<Option> own, int argc, char** argv,
                const std::function<void()>& body) {
  const std::string program = program_name(argc, argv, kProgram);
  return caught(program, [&] {
    const std::string answer = read_options(config, std::move(own), program, words_of(argc, argv));
    if (answer.empty())
      body();
    else
      print(answer);
    return Status::ok;
  });
}

}  // namespace anachron
