#include "run/trace_file.hpp"

#include <exception>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

#include "run/report/table_csv.hpp"

namespace anachron {
namespace {

/// A name that promises a format which no trace has is a mistake, found before the run.
const std::string& checked_name(const std::string& path) {
  for (const std::string_view ending : {".json", ".jsonl", ".ndjson"})
    if (path.ends_with(ending))
      throw bad_value("trace", path, "a file name that ends in .csv for a table, or in .txt for plain text");
  return path;
}

}  // namespace

std::string trace_head() { return "time,lp_type,lp,event,sender_type,sender,payload\n"; }

void append_trace_row(const CommittedEvent& event, std::string& to) {
  const std::string lp = std::to_string(event.lp),
                    sender = event.sender_type.empty() ? "" : std::to_string(event.sender);
  to += format_real(event.time);
  for (const std::string_view cell : {event.lp_type, std::string_view(lp), event.event, event.sender_type,
                                      std::string_view(sender), event.payload}) {
    to += ',';
    append_csv(cell, to);
  }
  to += '\n';
}

TraceFile::TraceFile(const std::string& path)
    : out_("trace", checked_name(path)), is_csv_(path.ends_with(".csv")) {
  if (is_csv_) out_.write(trace_head());
}

void TraceFile::show(const CommittedEvent& event) {
  line_.clear();
  if (is_csv_) {
    append_trace_row(event, line_);
  } else {
    line_ = fmt::format("{}  {} {}  {} {}", format_real(event.time), event.lp_type, event.lp, event.event,
                        event.payload);
    line_ += event.sender_type.empty() ? "  from outside"
                                       : fmt::format("  from {} {}", event.sender_type, event.sender);
    line_ += '\n';
  }
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
