#include "run/trace_file.hpp"

#include <exception>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

#include "run/report/table_csv.hpp"

namespace anachron {
namespace {

constexpr std::uint32_t kAll = TracedLps().last;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += (c == '<') - (c == '>');
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

TracedLps parse_one(const std::string& text) {
  const auto invalid = [&text] {
    return bad_value("trace-lp", text, "TYPE, TYPE:NUMBER or TYPE:FIRST-LAST, e.g. Player:17");
  };
  const std::size_t colon = text.rfind(':');
  const bool has_number = colon != std::string::npos && text.find('>', colon) == std::string::npos &&
                          !text.substr(0, colon).ends_with(':');
  TracedLps out{.type = text.substr(0, has_number ? colon : text.size())};
  if (out.type.empty()) throw invalid();
  if (!has_number) return out;
  const std::string numbers = text.substr(colon + 1);
  const std::size_t dash = numbers.find('-');
  try {
    out.first = parse_value<std::uint32_t>("trace-lp", numbers.substr(0, dash));
    out.last = dash == std::string::npos ? out.first
                                         : parse_value<std::uint32_t>("trace-lp", numbers.substr(dash + 1));
  } catch (const InputError&) {
    throw invalid();
  }
  if (out.last < out.first) throw invalid();
  return out;
}

}  // namespace

std::vector<TracedLps> parse_traced_lps(const std::string& text) {
  std::vector<TracedLps> lps;
  if (text.empty()) return lps;
  for (const std::string& part : split(text)) lps.push_back(parse_one(part));
  return lps;
}

std::string format_traced_lps(const std::vector<TracedLps>& lps) {
  std::vector<std::string> parts;
  for (const auto& [type, first, last] : lps)
    parts.push_back(last == kAll    ? type
                    : first == last ? fmt::format("{}:{}", type, first)
                                    : fmt::format("{}:{}-{}", type, first, last));
  return fmt::format("{}", fmt::join(parts, ","));
}

namespace {

/// A name that promises a format which no trace has is a mistake, found before the run.
const std::string& checked_name(const std::string& path) {
  for (const std::string_view ending : {".json", ".jsonl", ".ndjson"})
    if (path.ends_with(ending))
      throw bad_value("trace", path, "a file name that ends in .csv for a table, or in .txt for plain text");
  return path;
}

}  // namespace

TraceFile::TraceFile(const std::string& path)
    : out_("trace", checked_name(path)), is_csv_(path.ends_with(".csv")) {
  if (is_csv_) out_.write("time,lp_type,lp,event,sender_type,sender,payload\n");
}

void TraceFile::show(const CommittedEvent& event) {
  const std::string lp = std::to_string(event.lp),
                    sender = event.sender_type.empty() ? "" : std::to_string(event.sender);
  line_ = format_real(event.time);
  if (is_csv_) {
    for (const std::string_view cell : {event.lp_type, std::string_view(lp), event.event, event.sender_type,
                                        std::string_view(sender), event.payload}) {
      line_ += ',';
      append_csv(cell, line_);
    }
  } else {
    line_ += fmt::format("  {} {}  {} {}", event.lp_type, lp, event.event, event.payload);
    line_ += sender.empty() ? "  from outside" : fmt::format("  from {} {}", event.sender_type, sender);
  }
  line_ += '\n';
  out_.write(line_);
  has_shown_ = true;
}

void TraceFile::close() { out_.close(); }

void TraceFile::close_after_failure() noexcept {
  if (!has_shown_) return;
  try {
    close();
  } catch (const std::exception&) {  // of the two errors the run's is the one to tell
  }
}

}  // namespace anachron
