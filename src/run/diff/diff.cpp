#include "run/diff/diff.hpp"

#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/run/report_json.hpp>

#include "run/files/read_text.hpp"

namespace anachron {
namespace {

constexpr std::string_view kHelp =
    "Usage: anachron diff A.json B.json\n"
    "       anachron diff A.csv B.csv\n\n"
    "Says what two runs have not in common: of two reports the options, digests, figures and\n"
    "tables; of two traces the first event in time, and the logical processes. Exit status 0:\n"
    "nothing; 1: something.\n";

constexpr std::string_view kExpected = "a report (JSON) or a trace (CSV)";

bool is_trace(const std::string& path) { return std::filesystem::path(path).extension() == ".csv"; }

json::Json report_in(const std::string& path) {
  json::Json report = json::Json::parse(contents_of(path, kExpected), nullptr, false);
  if (!report.is_object() || !report.contains("schema") || report["schema"] != kReportSchema)
    throw InputError(fmt::format("{}: expected a report of schema \"{}\"", path, kReportSchema));
  return report;
}

}  // namespace

Status diff(std::span<const std::string> arguments) {
  if (!arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h")) {
    print(std::string(kHelp));
    return Status::ok;
  }
  if (arguments.size() != 2)
    throw InputError(fmt::format("diff: {} files: expected two reports or two traces", arguments.size()));
  const std::string &a = arguments[0], &b = arguments[1];
  if (is_trace(a) != is_trace(b))
    throw InputError("diff: expected two reports or two traces, not one of each");
  Differences found;
  try {
    found = is_trace(a) ? diff_traces(contents_of(a, kExpected), contents_of(b, kExpected))
                        : diff_reports(report_in(a), report_in(b));
  } catch (const json::Json::exception& error) {
    throw InputError(fmt::format("diff: this is no whole report: {}", error.what()));
  }
  print(fmt::format("a: {}\nb: {}\n\n{}", a, b, found.text));
  return found.are_same ? Status::ok : Status::failed;
}

}  // namespace anachron
