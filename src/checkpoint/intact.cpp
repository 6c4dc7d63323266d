#include "checkpoint/intact.hpp"

#include <string>

#include <fmt/format.h>

#include "checkpoint/folder.hpp"
#include "checkpoint/manifest.hpp"

namespace anachron::checkpoint {

void check_files(const std::filesystem::path& checkpoint) {
  for (const std::string& name : read_manifest(checkpoint).files) BlockReader(checkpoint / name).check_rest();
}

std::optional<std::filesystem::path> intact_before(const std::filesystem::path& checkpoint) {
  for (const std::filesystem::path& older : checkpoints_before(checkpoint)) try {
      check_files(older);
      return older;
    } catch (const BadFile&) {  // perhaps the one before it
    }
  return std::nullopt;
}

InputError with_intact_one(const BadFile& error, const std::filesystem::path& checkpoint) {
  const auto older = intact_before(checkpoint);
  return InputError(
      older ? fmt::format("{}; the newest before it that can be read is {}", error.what(), older->string())
            : fmt::format("{}; there is none before it that can be read", error.what()));
}

}  // namespace anachron::checkpoint
