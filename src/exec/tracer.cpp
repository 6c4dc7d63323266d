#include "exec/tracer.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <anachron/base/parse.hpp>

namespace anachron::exec {
namespace {

const event::LpTypeEntry* find(std::span<const event::LpTypeEntry> types, const std::string& name) {
  const auto found = std::find_if(types.begin(), types.end(),
                                  [&name](const event::LpTypeEntry& type) { return type.ops->name == name; });
  return found == types.end() ? nullptr : &*found;
}

}  // namespace

/// An event, after its memory is gone.
class Tracer::Shown final : public event::Task {
 public:
  Shown(const Trace& trace, const CommittedEvent& event, std::string payload)
      : trace_(trace), event_(event), payload_(std::move(payload)) {}

  void run() override {
    event_.payload = payload_;
    trace_.show(event_);
  }

 private:
  const Trace& trace_;
  CommittedEvent event_;
  std::string payload_;
};

Tracer::Tracer(const Trace& trace, const lp::LpStore& lps) : trace_(trace), lps_(lps) {
  if (trace.lps.empty()) return;
  is_traced_.resize(lps.size());
  for (const TracedLps& traced : trace.lps) {
    const event::LpTypeEntry& type = *find(lps.types(), traced.type);
    const std::uint32_t last = std::min(traced.last, type.count - 1);
    for (std::uint32_t k = traced.first; k <= last; ++k) is_traced_[type.first + k] = true;
  }
}

std::pair<std::unique_ptr<event::Task>, std::size_t> Tracer::record(const event::EventHeader& e) const {
  const event::LpTypeEntry& type = lps_.type_of(e.receiver);
  CommittedEvent event{.time = e.time,
                       .lp_type = type.ops->name,
                       .lp = e.receiver - type.first,
                       .event = e.ops->event_name,
                       .sender_type = {},
                       .sender = 0,
                       .payload = {}};
  if (e.sender < lps_.size()) {
    const event::LpTypeEntry& of_sender = lps_.type_of(e.sender);
    event.sender_type = of_sender.ops->name;
    event.sender = e.sender - of_sender.first;
  }
  std::string payload;
  if (e.ops->print) e.ops->print(e, payload);
  const std::size_t bytes = sizeof(Shown) + payload.size();
  return {std::make_unique<Shown>(trace_, event, std::move(payload)), bytes};
}

void check_trace(const Trace& trace, const std::vector<event::LpTypeEntry>& types) {
  for (const TracedLps& traced : trace.lps) {
    const event::LpTypeEntry* const type = find(types, traced.type);
    if (!type) {
      std::vector<std::string_view> names;
      for (const event::LpTypeEntry& valid : types) names.push_back(valid.ops->name);
      throw bad_value("trace-lp", traced.type, fmt::format("an LP type: one of {}", fmt::join(names, ", ")));
    }
    constexpr std::uint32_t kAll = TracedLps().last;
    const std::uint32_t last = traced.last == kAll ? traced.first : traced.last;
    if (last >= type->count)
      throw bad_value("trace-lp", fmt::format("{}:{}", traced.type, last),
                      fmt::format("at most {}:{}", traced.type, type->count - 1));
  }
}

}  // namespace anachron::exec
