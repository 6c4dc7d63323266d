// Run, for checkpoints: what is written down between two stretches, and how a run goes on from that.
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <anachron/base/error.hpp>

#include "checkpoint/state_file.hpp"
#include "comm/transport/cluster.hpp"
#include "engine/checkpoint/restored.hpp"
#include "engine/terms/run.hpp"

namespace anachron::engine {
using checkpoint::EventRecord;
using checkpoint::LpRecord;

void Run::prepare_to_save() {
  for_each_pe([](pe::Consolidable& pe) { pe.forget_undone(); });
  deliver_all();
}

/// What waits at the PE, and as many LPs as others write.
void Run::save_part(pe::Pe& pe, checkpoint::StateWriter& to) const {
  const auto first_of = [&](std::size_t index) {
    return static_cast<LpId>(std::uint64_t{lps_.size()} * index / pes_.size());
  };
  checkpoint::StateWriter::Part part(to);
  for (LpId lp = first_of(pe.index()), end = first_of(pe.index() + 1); lp < end; ++lp)
    if (pe_ids_.own.contains(lps_.owner(lp))) part.add(lp);
  pe.for_each_waiting([&](const event::EventHeader& e) { part.add(e); });
  part.end();
}

void Run::save(checkpoint::StateWriter& to) {
  if (to.threads() == checkpoint::StateWriter::Threads::one) {
    for (const auto& pe : pes_) save_part(*pe, to);
    return;
  }
  std::vector<std::exception_ptr> errors(pes_.size());  // the run goes on after them
  for_each_pe([&](pe::Pe& pe) {
    try {
      save_part(pe, to);
    } catch (...) {
      errors[pe.index()] = std::current_exception();
    }
  });
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

void Run::restore(std::span<const std::filesystem::path> files, const event::TypeTable& table,
                  const std::function<void(const Progress&)>& progress,
                  const std::function<bool()>& interrupted) {
  const transport::Cluster::Running running(config_.cluster);
  set_up([](pe::Pe& pe) { pe.prepare(); }, {progress, interrupted});
  if (!started_.is_set_up) return;
  std::uint64_t lps = 0;
  checkpoint::StateReaders readers{.lp =
                                       [&](const LpRecord& record) {
                                         ++lps;
                                         if (pe_ids_.own.contains(lps_.owner(record.lp)))
                                           restore_lp(lps_, record);
                                       },
                                   .event =
                                       [&](const EventRecord& record) {
                                         if (!pe_ids_.own.contains(lps_.owner(record.receiver))) return;
                                         restore_event(pe_of(record.receiver), record);
                                       }};
  if (!ranks_ || ranks_->layout().rank() == 0) readers.output = config_.checkpoint.restore_output;
  for (const std::filesystem::path& file : files) checkpoint::read_states(file, lps_, table, readers);
  if (lps != lps_.size())
    throw InputError(fmt::format("the checkpoint has {} LPs; the model has {}", lps, lps_.size()));
  control_.note_pending(pending());
  if (ranks_) agree_on_start();
}

}  // namespace anachron::engine
