#include "run/explain/explain.hpp"

#include <string_view>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/run/report_json.hpp>

#include "run/explain/explanation.hpp"
#include "run/files/read_text.hpp"

namespace anachron {

namespace {

constexpr std::string_view kHelp =
    "Usage: anachron explain REPORT.json\n\n"
    "Says in plain sentences why a run was fast or slow, and what to try. REPORT.json is\n"
    "what --report has written.\n";

json::Json report_in(const std::string& path) {
  constexpr std::string_view kExpected = "a report of one run, as --report writes it";
  const auto refuse = [&](const std::string& why) {
    return InputError(fmt::format("{}: {}: expected {}", path, why, kExpected));
  };
  const json::Json report = json::Json::parse(contents_of(path, kExpected), nullptr, false);
  if (!report.is_object() || !report.contains("schema")) throw refuse("this is no report");
  if (report["schema"] != kReportSchema)
    throw refuse(fmt::format("its schema is {}, not \"{}\"", report["schema"].dump(), kReportSchema));
  return report;
}

}  // namespace

Status explain_report(std::span<const std::string> arguments) {
  if (!arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h")) {
    print(std::string(kHelp));
    return Status::ok;
  }
  if (arguments.empty()) throw InputError("explain: a report is missing: expected explain REPORT.json");
  if (arguments.size() > 1)
    throw InputError(fmt::format("unexpected argument '{}': expected explain REPORT.json", arguments[1]));
  const json::Json report = report_in(arguments.front());
  try {
    print(explanation(report));
  } catch (const json::Json::exception& error) {
    throw InputError(fmt::format("{}: this is no whole report: {}", arguments.front(), error.what()));
  }
  return Status::ok;
}

}  // namespace anachron
