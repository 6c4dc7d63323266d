// Which checkpoints can be read, and which one to go on from when the newest cannot.
#pragma once

#include <filesystem>
#include <optional>

#include <anachron/base/error.hpp>

#include "checkpoint/blocks/block_file.hpp"

namespace anachron::checkpoint {

/// Reads the manifest and the file of each rank, and compares checksums. Throws BadFile that names the file
/// and what is wrong with it.
void check_files(const std::filesystem::path& checkpoint);

/// The newest checkpoint that is older than this one, lies in the same folder, and passes `check_files`.
/// None: there is no such checkpoint.
std::optional<std::filesystem::path> intact_before(const std::filesystem::path& checkpoint);

/// The error of a checkpoint that cannot be read, and which one can be read instead.
InputError with_intact_one(const BadFile& error, const std::filesystem::path& checkpoint);

/// What `read` returns. When it throws BadFile, the error is `with_intact_one`.
template <class Read>
auto offering_intact(const std::filesystem::path& checkpoint, const Read& read) {
  try {
    return read();
  } catch (const BadFile& error) {
    throw with_intact_one(error, checkpoint);
  }
}

}  // namespace anachron::checkpoint
