#include "run/traces/timeline_file.hpp"

#include <exception>
#include <filesystem>

#include <fmt/format.h>
#include <anachron/base/parse.hpp>

#include "run/rank.hpp"

namespace anachron {
namespace {

/// A name that promises another format is a mistake, found before the run.
std::filesystem::path path_of_rank(const std::string& path) {
  for (const std::string_view ending : {".csv", ".txt", ".html"})
    if (path.ends_with(ending))
      throw bad_value("timeline", path,
                      "a file name that ends in .pftrace, for ui.perfetto.dev, or in .json, for small runs");
  std::filesystem::path file = path;
  if (own_rank() == 0) return file;
  return file.replace_filename(
      fmt::format("{}.rank{}{}", file.stem().string(), own_rank(), file.extension().string()));
}

}  // namespace

TimelineFile::TimelineFile(const std::string& path) : out_("timeline", path_of_rank(path)) {
  if (path.ends_with(".json")) json_.emplace();
}

TimelineOutput TimelineFile::output() {
  constexpr std::uint64_t kTimesAsLong = 5;  // JSON
  if (!json_) return {.write = [this](std::string_view bytes) { out_.write(bytes); }};
  return {.write = [this](std::string_view bytes) { out_.write(json_->add(bytes)); },
          .limit = TimelineOutput::kLimit / kTimesAsLong};
}

void TimelineFile::close() {
  if (json_) out_.write(json_->end());
  out_.close();
}

void TimelineFile::close_after_failure() noexcept {
  try {
    close();
  } catch (const std::exception&) {  // of the two errors the run's is the one to tell
  }
}

}  // namespace anachron
