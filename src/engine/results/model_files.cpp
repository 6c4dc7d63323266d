#include "engine/results/model_files.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <set>

#include <anachron/base/error.hpp>

#include "comm/transport/cluster.hpp"
#include "engine/ranks/archived.hpp"
#include "pe/in_order.hpp"

namespace anachron::engine {
namespace {

using Pieces = std::vector<ModelFile::Piece>;

/// LP types may share their data.
ModelFiles all_of(const lp::LpStore& lps) {
  ModelFiles files;
  std::set<const void*> seen;
  for (const event::LpTypeEntry& type : lps.types())
    if (type.ops->output_files && seen.insert(type.shared).second) type.ops->output_files(type.shared, files);
  return files;
}

transport::Exchange* exchange_of(const Config& config) {
  return pe::is_over_ranks(config) ? &config.cluster->exchange() : nullptr;
}

/// Rank 0 does it. All ranks throw the InputError that it throws.
void on_rank_0(const Config& config, const std::function<void()>& action) {
  transport::Exchange* const exchange = exchange_of(config);
  if (!exchange) return action();
  std::string error;
  if (config.cluster->rank() == 0) try {
      action();
    } catch (const InputError& failure) {
      error = failure.what();
    }
  error = unarchived<std::string>(exchange->broadcast(archived(error)));
  if (!error.empty()) throw InputError(error);
}

bool is_rank_0(const Config& config) { return !exchange_of(config) || config.cluster->rank() == 0; }

checkpoint::WrittenFile written(const ModelFile& file, std::uint64_t bytes) {
  return {file.name(), bytes, file.heading()};
}

}  // namespace

std::vector<const ModelFile*> files_of(const lp::LpStore& lps) {
  const ModelFiles all = all_of(lps);
  std::vector<const ModelFile*> files;
  for (const ModelFiles::Entry& entry : all.all()) files.push_back(entry.file);
  return files;
}

void open_files(const lp::LpStore& lps, const Config& config) {
  const std::vector<const ModelFile*> files = files_of(lps);
  if (files.empty()) return;
  on_rank_0(config, [&] {
    for (const ModelFile* file : files) file->open();
  });
}

void go_on_with_files(const lp::LpStore& lps, const Config& config,
                      const std::vector<checkpoint::WrittenFile>& kept) {
  const std::vector<const ModelFile*> files = files_of(lps);
  if (files.empty()) return;
  on_rank_0(config, [&] {
    for (const ModelFile* file : files)
      if (const auto was = std::ranges::find(kept, file->name(), &checkpoint::WrittenFile::name);
          was != kept.end())
        file->go_on(was->bytes, was->heading);
  });
}

LastLines::LastLines(const lp::LpStore& lps, const Config& config) : config_(config), files_(all_of(lps)) {
  if (!is_rank_0(config)) return;
  for (const ModelFiles::Entry& entry : files_.all()) try {
      before_.push_back(written(*entry.file, entry.file->size()));
    } catch (const std::exception&) {
      before_.push_back(written(*entry.file, 0));  // it fails again when all is written
    }
}

/// What LPs of other ranks have written, in the order of the ranks.
void LastLines::gather() const {
  std::vector<Pieces> own;
  for (const ModelFiles::Entry& entry : files_.all())
    own.push_back(is_rank_0(config_) ? Pieces() : entry.file->take());
  const std::vector<transport::Bytes> of_ranks = exchange_of(config_)->gather(archived(own));
  for (std::size_t rank = 1; rank < of_ranks.size(); ++rank) {
    const auto of_files = unarchived<std::vector<Pieces>>(of_ranks[rank]);
    for (std::size_t k = 0; k < of_files.size(); ++k)
      for (const ModelFile::Piece& piece : of_files[k]) files_.all().at(k).file->add(piece);
  }
}

void LastLines::write(Time end, std::vector<std::string>& notes) const {
  if (files_.all().empty()) return;
  if (exchange_of(config_)) gather();
  if (!is_rank_0(config_)) return;
  for (std::size_t k = 0; k < before_.size(); ++k) try {
      const ModelFiles::Entry& entry = files_.all()[k];
      if (entry.at_end) entry.at_end(end);
      entry.file->flush();
      entry.file->go_on(before_[k].bytes, before_[k].heading);
    } catch (const std::exception& error) {
      notes.emplace_back(error.what());
    }
}

std::vector<checkpoint::WrittenFile> sync_files(const lp::LpStore& lps) {
  std::vector<checkpoint::WrittenFile> all;
  for (const ModelFile* file : files_of(lps)) all.push_back(written(*file, file->sync()));
  return all;
}

}  // namespace anachron::engine
