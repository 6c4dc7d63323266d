#include <anachron/run/plain_simulation.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/model/payload_ops.hpp>
#include <anachron/model/region/region.hpp>
#include <anachron/run/simulation.hpp>

#include "run/plain/plain_ranks.hpp"
#include "run/plain/plain_rows.hpp"

namespace anachron::plain {

void Rows::add(Time time, LpId lp, std::span<const std::byte> row) {
  Shard& shard = shards_[lp % shards_.size()];
  const std::lock_guard lock(shard.mutex);
  shard.rows.insert(shard.rows.end(), row.begin(), row.end());
  shard.times.push_back(time);
  shard.lps.push_back(lp);
}

std::size_t Rows::count() const {
  std::size_t sum = 0;
  for (const Shard& shard : shards_) sum += shard.times.size();
  return sum;
}

void Rows::write(std::byte* rows, Time* times, std::uint32_t* lps) const {
  struct Place {
    Time time;
    LpId lp;
    std::size_t at;
  };
  std::vector<Place> places;
  places.reserve(count());
  for (const Shard& shard : shards_)
    for (std::size_t i = 0; i < shard.times.size(); ++i) places.push_back({shard.times[i], shard.lps[i], i});
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.time != b.time ? a.time < b.time : a.lp < b.lp;
  });
  for (const Place& place : places) {
    const Shard& shard = shards_[place.lp % shards_.size()];
    std::memcpy(rows, shard.rows.data() + place.at * row_bytes_, row_bytes_);
    rows += row_bytes_;
    *times++ = place.time;
    *lps++ = place.lp;
  }
}

Setup::Setup(std::shared_ptr<const Model> model, std::vector<TypeInRun> types, const void* params,
             const void* shared)
    : model_(std::move(model)), types_(std::move(types)) {
  if (types_.size() != model_->lp_types())
    throw InputError(fmt::format("{} LP types are set up of {}", types_.size(), model_->lp_types()));
  for (std::uint32_t i = 0; i < model_->tables(); ++i) {
    tables_.push_back(std::make_unique<Rows>(model_->row_bytes(i)));
    sinks_.push_back(tables_.back().get());
  }
  std::uint64_t first = 0;
  for (std::uint32_t i = 0; i < types_.size(); ++i) {
    const TypeInRun& type = types_[i];
    const event::LpOps& ops = model_->lp(i);
    detail::check_lp_count(ops.name, type.count, first);
    const auto check = [&](std::string_view what, bool is_declared, std::size_t given) {
      if (is_declared && given != type.count)
        throw InputError(
            fmt::format("{} of LP type {}: there are {} for {} LPs", what, ops.name, given, type.count));
    };
    check("load", ops.load, type.load.size());
    check("position", ops.position, type.position.size());
    first += type.count;
    data_.push_back({params, shared, sinks_, model_->event_tables(), type.lookahead, type.may_stop,
                     std::span(type.load), std::span(type.position)});
  }
}

std::vector<event::LpTypeEntry> Setup::entries() const {
  std::vector<event::LpTypeEntry> entries;
  LpId first = 0;
  for (std::uint32_t i = 0; i < types_.size(); ++i) {
    const auto count = static_cast<std::uint32_t>(types_[i].count);
    entries.push_back({&model_->lp(i), first, count, &data_[i], nullptr, model_->shares_name(i)});
    first += count;
  }
  return entries;
}

namespace {

/// An edit of an LP whose type is known at run time.
struct EditBytes {
  std::size_t offset;
  std::vector<std::byte> content;
};
using EditPayload = detail::PayloadTable<EditBytes, event::kPayloadOffset<EditBytes>>;

void execute_edit(event::Frame&, void* state, event::EventHeader& e) {
  const EditBytes& edit = event::payload<EditBytes>(e);
  std::memcpy(static_cast<std::byte*>(state) + edit.offset, edit.content.data(), edit.content.size());
}
void destroy_edit(event::EventHeader& e) noexcept { std::destroy_at(&event::payload<EditBytes>(e)); }

constexpr event::EventOps kEditOps{
    .type_hash = hash_text("anachron::edit"),
    .bytes = event::kPayloadOffset<EditBytes> + sizeof(EditBytes),
    .execute = &execute_edit,
    .commit = nullptr,
    .destroy = &destroy_edit,
    .undo = event::UndoKind::copy,
    .may_throw_unreversed = false,
    .event_name = "edit",
    .equal = nullptr,
    .alignment = alignof(event::EventHeader),
    .copy = &EditPayload::copy,
    .move = &EditPayload::move,
};

}  // namespace

Run::Run(const Setup& setup, const Config& config, const ProgressCallback& progress,
         const std::function<bool()>& interrupted)
    : model_(setup.model()) {
  auto [made, finished] =
      detail::run_kernel(setup.entries(), with_rows_saved(config, setup), progress, interrupted);
  report = std::move(made);
  finished_ = std::move(finished);
  if (report.config.cluster) of_all_ranks_ = share_with_ranks(setup, *finished_, report.config);
}

const void* Run::state(std::uint32_t type, std::uint32_t index) const {
  if (type < of_all_ranks_.size()) {
    const std::size_t bytes = model_.state_bytes(type);
    const std::vector<std::byte>& states = of_all_ranks_[type].states;
    if (index < states.size() / bytes) return states.data() + index * bytes;
  }
  return detail::final_state(finished_.get(), type, index);
}

std::span<const std::byte> Run::region(std::uint32_t type, std::uint32_t index) const {
  if (type < of_all_ranks_.size()) return of_all_ranks_[type].regions.at(index);
  return region::Region::of(state(type, index)).bytes();
}

Session::Session(const Setup& setup, const Config& config)
    : model_(setup.model()), kernel_(setup.entries(), with_rows_saved(config, setup)) {}

EventHandle Session::schedule(std::uint32_t number, std::uint32_t index, Time time, const void* payload) {
  const std::size_t bytes = model_.payload_bytes(number);
  return kernel_.schedule(model_.event(number), model_.receiver(number), index, time, model_.order(number),
                          [&](event::EventHeader& e) { std::memcpy(&e + 1, payload, bytes); });
}

void Variant::schedule(std::uint32_t number, std::uint32_t index, Time time, const void* payload) {
  const auto* const begin = static_cast<const std::byte*>(payload);
  changes_.push_back(std::make_shared<const event::Change>(event::Change{
      event::Change::Scheduled{
          &model_.event(number), model_.receiver(number), index, time, model_.order(number),
          [content = std::vector(begin, begin + model_.payload_bytes(number))](event::EventHeader& e) {
            std::memcpy(&e + 1, content.data(), content.size());
          }},
      {}}));
}

void Variant::edit(std::uint32_t type, std::uint32_t index, Time time, std::size_t offset,
                   std::span<const std::byte> bytes) {
  if (offset + bytes.size() > model_.state_bytes(type)) throw std::out_of_range("edit: behind the state");
  changes_.push_back(std::make_shared<const event::Change>(
      event::Change{event::Change::Scheduled{
                        &kEditOps, type, index, time, detail::kEditOrder,
                        [offset, content = std::vector(bytes.begin(), bytes.end())](event::EventHeader& e) {
                          std::construct_at(&event::payload<EditBytes>(e), EditBytes{offset, content});
                        }},
                    {}}));
}

}  // namespace anachron::plain
