// A model without a simulation: what the command line needs, and nothing else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <anachron/base/parse.hpp>
#include <anachron/run/any_model.hpp>
#include <anachron/run/app.hpp>

#include "support/temporary_folder.hpp"

namespace anachron::test {

class FakeModel : public AnyModel {
 public:
  std::uint32_t lps = 16;
  double mean = 1.5;
  std::string receiver = "uniform", network;
  bool fast = false;
  std::optional<Time> model_until = 100;
  std::vector<Option> more_options;
  std::function<Report(const Config&, const ProgressCallback&, const std::function<bool()>&)> action;

  std::optional<Config> seen;  // of the last run

  const std::string& name() const override { return name_; }
  const std::string& summary() const override { return summary_; }
  std::optional<Time> default_until() const override { return model_until; }

  std::vector<Option> options() override {
    std::vector<Option> out{bound(lps, "lps", "N", "Number of LPs"), bound(mean, "mean", "X", "Mean delay"),
                            bound(network, "network", "FILE", "Road network"),
                            bound(fast, "fast", "", "Take short cuts")};
    Option choice = bound(receiver, "receiver", "uniform|torus", "Who gets the events");
    choice.choices = {"uniform", "torus"};
    choice.set = [this](const std::string& text) {
      if (text != "uniform" && text != "torus")
        throw bad_choice("receiver", text, std::vector<std::string>{"uniform", "torus"});
      receiver = text;
    };
    out.push_back(choice);
    out.insert(out.end(), more_options.begin(), more_options.end());
    return out;
  }

  Report run(const Config& config, const ProgressCallback& progress,
             const std::function<bool()>& interrupted) override {
    seen = config;
    if (action) return action(config, progress, interrupted);
    return report(config);
  }

  Report report(const Config& config) const {
    Report out;
    out.model = name_;
    out.config = config;
    out.digest = 0xabcdef;
    out.lps = lps;
    out.committed = 900;
    out.executed = 1000;
    out.rolled_back = 100;
    out.rollbacks = 7;
    out.sent = 1000;
    out.sent_remote = 250;
    out.wall_s = 2;
    out.end_time = config.until;
    out.pes.resize(config.pes.value_or(1));
    out.results.count("arrived", 12345);
    out.results.row("links", {"id", "flow"}, {std::int64_t{1}, 2.5});
    return out;
  }

  template <class T>
  static Option bound(T& target, std::string name, std::string hint, std::string help) {
    Option option;
    option.name = name;
    option.help = std::move(help);
    option.hint = std::move(hint);
    option.default_text = format_value(target);
    option.set = [&target, name](const std::string& text) { target = parse_value<T>(name, text); };
    option.text = [&target] { return format_value(target); };
    return option;
  }

 private:
  std::string name_ = "fake", summary_ = "a model for tests";
};

inline std::string read_all(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// What `action` throws as an Error, as text.
template <class Error, class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

struct Outcome {
  int status;
  std::string out, err;
};

inline Outcome captured(const std::function<int()>& program) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int status = program();
  std::string out = testing::internal::GetCapturedStdout();
  return {status, std::move(out), testing::internal::GetCapturedStderr()};
}

inline std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

/// The single-model program.
inline Outcome run_fake(FakeModel& model, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "/usr/bin/prog");
  return captured(
      [&] { return run_program(model, static_cast<int>(arguments.size()), pointers(arguments).data()); });
}

}  // namespace anachron::test
