#include "engine/model_files.hpp"

#include <algorithm>
#include <exception>
#include <set>

#include <anachron/model/model_file.hpp>

namespace anachron::engine {
namespace {

/// LP types may share their data.
std::vector<const ModelFile*> all_of(const lp::LpStore& lps) {
  ModelFiles files;
  std::set<const void*> seen;
  for (const event::LpTypeEntry& type : lps.types())
    if (type.ops->output_files && seen.insert(type.shared).second) type.ops->output_files(type.shared, files);
  return files.all();
}

}  // namespace

std::vector<std::pair<std::string, std::uint64_t>> sync_files(const lp::LpStore& lps) {
  std::vector<std::pair<std::string, std::uint64_t>> lengths;
  for (const ModelFile* file : all_of(lps)) lengths.emplace_back(file->name(), file->sync());
  return lengths;
}

void go_on_with_files(const lp::LpStore& lps,
                      const std::vector<std::pair<std::string, std::uint64_t>>& kept) {
  for (const ModelFile* file : all_of(lps)) {
    const auto is_of_file = [file](const auto& one) { return one.first == file->name(); };
    if (const auto of_file = std::ranges::find_if(kept, is_of_file); of_file != kept.end())
      file->go_on(of_file->second);
  }
}

void flush_files(const lp::LpStore& lps, std::vector<std::string>& notes) {
  for (const ModelFile* file : all_of(lps)) try {
      file->flush();
    } catch (const std::exception& error) {
      notes.emplace_back(error.what());
    }
}

}  // namespace anachron::engine
