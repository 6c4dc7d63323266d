#include "run/files/read_text.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/base/text.hpp>

namespace anachron {

std::string read_text(std::string_view option, const std::string& path) {
  constexpr std::size_t kLargestFile = std::size_t{1} << 20;
  const auto fail = [&](const std::string& why) {
    return InputError(fmt::format("--{}: cannot read '{}': {}", option, path, why));
  };
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) throw fail("it is a folder");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw fail(std::generic_category().message(errno));
  std::string text(kLargestFile + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw fail("reading failed");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kLargestFile)
    throw fail(fmt::format("expected a file of at most {}", format_size(kLargestFile)));
  return text;
}

std::string contents_of(const std::string& path, std::string_view expected) {
  const auto refuse = [&](const std::string& why) {
    return InputError(fmt::format("{}: {}: expected {}", path, why, expected));
  };
  if (std::filesystem::is_directory(path)) throw refuse("this is a folder");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw refuse(std::generic_category().message(errno));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace anachron
