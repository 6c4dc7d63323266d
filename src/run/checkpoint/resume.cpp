#include "run/checkpoint/resume.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <anachron/base/error.hpp>

#include "checkpoint/folder.hpp"
#include "checkpoint/intact.hpp"
#include "checkpoint/manifest.hpp"
#include "run/options/engine_options.hpp"

namespace anachron {
namespace {

/// `--name` of `--name` and `--name=value`.
std::string_view name_in(std::string_view word) { return word.substr(0, word.find('=')); }

/// Options that suit a machine.
bool is_layout(std::string_view word) {
  constexpr std::array<std::string_view, 3> kLayout{"--sync", "--workers", "--pes"};
  return std::ranges::find(kLayout, name_in(word)) != kLayout.end();
}

/// `--partition=FILE`: the file is for the number of processing elements that the run had.
bool is_partition_file(std::string_view word) {
  constexpr std::string_view kOption = "--partition=";
  return word.starts_with(kOption) && names_partition_file(word.substr(kOption.size()));
}

/// Where a run that goes on from here writes checkpoints.
std::filesystem::path folder_to_write(const std::filesystem::path& given) {
  std::filesystem::path folder = checkpoint::folder_of(given);
  if (checkpoint::is_checkpoint(folder))
    throw InputError(
        fmt::format("resume {}: this checkpoint has no name such as checkpoint-000001, so it is in no folder "
                    "of checkpoints; name one for new ones with --checkpoint DIR",
                    given.string()));
  return folder;
}

}  // namespace

std::vector<std::string> resumed_command(std::span<const std::string> words) {
  if (words.empty() || words.front().starts_with('-'))
    throw InputError("a folder is missing: expected resume DIR [options]");
  const std::filesystem::path given = words.front();
  const std::filesystem::path newest = checkpoint::newest_in(given);
  std::vector<std::string> command =
      checkpoint::offering_intact(newest, [&] { return checkpoint::read_manifest(newest); }).command;
  if (command.empty())
    throw InputError(
        fmt::format("resume {}: the checkpoint was not written by a command; give --resume to the "
                    "program that has written it",
                    given.string()));
  // Threads and the like are those of another machine, perhaps, if some are named anew.
  if (std::ranges::any_of(words, is_layout))
    std::erase_if(command,
                  [](const std::string& word) { return is_layout(word) || is_partition_file(word); });
  const auto is_folder = [](std::string_view word) { return name_in(word) == "--checkpoint"; };
  if (std::ranges::none_of(words, is_folder))
    command.push_back(fmt::format("--checkpoint={}", folder_to_write(given).string()));
  command.push_back(fmt::format("--resume={}", given.string()));
  command.insert(command.end(), words.begin() + 1, words.end());
  return command;
}

bool asks_for_help(std::span<const std::string> words) {
  return !words.empty() && (words.front() == "--help" || words.front() == "-h");
}

std::string resume_help(std::string_view program) {
  return fmt::format(
      "Usage: {} resume DIR [options]\n\n"
      "Goes on from the newest checkpoint in the folder DIR, with the options of the run that has written "
      "it.\n"
      "DIR may also be one checkpoint in such a folder. New checkpoints are written into the folder.\n"
      "Options behind DIR replace those of the run. They may be about speed, and --until may be another "
      "time.\n",
      program);
}

}  // namespace anachron
