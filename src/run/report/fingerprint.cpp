#include "run/report/fingerprint.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <anachron/base/hash.hpp>

namespace anachron {
namespace {

namespace fs = std::filesystem;

struct Contents {
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;

  void add(std::string_view block) {
    bytes += block.size();
    checksum = mix64(checksum ^ hash_text(block));
  }
};

/// Returns whether all of it could be read.
bool read(const fs::path& file, Contents& contents) {
  std::ifstream in(file, std::ios::binary);
  std::array<char, 1 << 16> block;
  while (in) {
    in.read(block.data(), block.size());
    contents.add({block.data(), static_cast<std::size_t>(in.gcount())});
  }
  return in.eof();
}

std::vector<fs::path> files_in(const fs::path& folder, std::error_code& error) {
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->is_regular_file(error)) files.push_back(at->path());
  std::sort(files.begin(), files.end());
  return files;
}

bool is_number(const std::string& value) {
  double number = 0;
  const char* const end = value.data() + value.size();
  return std::from_chars(value.data(), end, number).ptr == end && !value.empty();
}

}  // namespace

std::string fingerprint(const std::string& value) {
  if (is_number(value) || value == "true" || value == "false") return value;  // a file may be called so
  std::error_code error;
  Contents contents;
  if (fs::is_regular_file(value, error)) {
    if (!read(value, contents)) return value;
    return fmt::format("a file of {} bytes with checksum {:016x}", contents.bytes, contents.checksum);
  }
  if (value.empty() || !fs::is_directory(value, error)) return value;
  const std::vector<fs::path> files = files_in(value, error);
  for (const fs::path& file : files) {
    contents.add(file.filename().native());
    if (!read(file, contents)) return value;
  }
  if (error) return value;
  return fmt::format("a folder of {} files with checksum {:016x}", files.size(), contents.checksum);
}

}  // namespace anachron
