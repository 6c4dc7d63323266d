#include "run/traces/trace_file.hpp"

#include <exception>
#include <utility>

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

TraceFile::TraceFile(const std::string& path, std::optional<GrowingFile> so_far)
    : out_("trace", checked_name(path)), so_far_(std::move(so_far)), is_csv_(path.ends_with(".csv")) {
  has_shown_ = so_far_ && !so_far_->is_new();
  if (is_csv_ && !has_shown_) write(trace_head());
}

TraceFile TraceFile::beside_checkpoints(const std::string& path, const std::filesystem::path& folder,
                                        const std::filesystem::path& from, std::uint64_t kept) {
  const char* const name = path.ends_with(".csv") ? "trace.csv" : "trace.txt";
  return TraceFile(path, GrowingFile("trace", folder / name, {from / name, kept}));
}

void TraceFile::write(std::string_view text) { so_far_ ? so_far_->write(text) : out_.write(text); }

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
  write(line_);
  has_shown_ = true;
}

void TraceFile::close() {
  if (so_far_) so_far_->copy_to(out_);
  out_.close();
}

void TraceFile::close_after_failure() noexcept {
  if (!has_shown_) return;
  try {
    close();
  } catch (const std::exception&) {  // of the two errors the run's is the one to tell
  }
}

}  // namespace anachron
