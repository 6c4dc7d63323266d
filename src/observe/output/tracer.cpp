#include "observe/output/tracer.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <anachron/base/parse.hpp>

namespace anachron::observe {
namespace {

const event::LpTypeEntry* find(std::span<const event::LpTypeEntry> types, const std::string& name) {
  const auto found = std::find_if(types.begin(), types.end(),
                                  [&name](const event::LpTypeEntry& type) { return type.name() == name; });
  return found == types.end() ? nullptr : &*found;
}

}  // namespace

class Tracer::Showing final : public event::Task {
 public:
  Showing(const Tracer& tracer, ShownEvent event) : tracer_(tracer), event_(std::move(event)) {}

  void run() override { tracer_.show(event_); }

 private:
  const Tracer& tracer_;
  ShownEvent event_;
};

Tracer::Tracer(const Trace& trace, const lp::LpStore& lps, std::function<void(const ShownEvent&)> elsewhere)
    : trace_(trace), lps_(lps), elsewhere_(std::move(elsewhere)) {
  if (trace.lps.empty()) return;
  is_traced_.resize(lps.size());
  for (const TracedLps& traced : trace.lps) {
    const event::LpTypeEntry& type = *find(lps.types(), traced.type);
    const std::uint32_t last = std::min(traced.last, type.count - 1);
    for (std::uint32_t k = traced.first; k <= last; ++k) is_traced_[type.first + k] = true;
  }
}

std::pair<std::unique_ptr<event::Task>, std::size_t> Tracer::record(const event::EventHeader& e) const {
  ShownEvent event{.key = e.key(), .receiver = e.receiver, .ops = e.ops, .payload = {}};
  if (e.ops->print) e.ops->print(e, event.payload);
  return task(std::move(event));
}

std::pair<std::unique_ptr<event::Task>, std::size_t> Tracer::task(ShownEvent event) const {
  const std::size_t bytes = sizeof(Showing) + event.payload.size();
  return {std::make_unique<Showing>(*this, std::move(event)), bytes};
}

void Tracer::show(const ShownEvent& event) const {
  if (elsewhere_) return elsewhere_(event);
  const event::LpTypeEntry& type = lps_.type_of(event.receiver);
  CommittedEvent shown{.time = event.key.time,
                       .lp_type = type.name(),
                       .lp = event.receiver - type.first,
                       .event = event.ops->event_name,
                       .sender_type = {},
                       .sender = 0,
                       .payload = event.payload};
  if (event.key.sender < lps_.size()) {
    const event::LpTypeEntry& of_sender = lps_.type_of(event.key.sender);
    shown.sender_type = of_sender.name();
    shown.sender = event.key.sender - of_sender.first;
  }
  trace_.show(shown);
}

void check_trace(const Trace& trace, const std::vector<event::LpTypeEntry>& types) {
  for (const TracedLps& traced : trace.lps) {
    const event::LpTypeEntry* const type = find(types, traced.type);
    if (!type) {
      std::vector<std::string_view> names;
      for (const event::LpTypeEntry& valid : types) names.push_back(valid.name());
      throw bad_value("trace-lp", traced.type, fmt::format("an LP type: one of {}", fmt::join(names, ", ")));
    }
    constexpr std::uint32_t kAll = TracedLps().last;
    const std::uint32_t last = traced.last == kAll ? traced.first : traced.last;
    if (last >= type->count)
      throw bad_value("trace-lp", fmt::format("{}:{}", traced.type, last),
                      fmt::format("at most {}:{}", traced.type, type->count - 1));
  }
}

}  // namespace anachron::observe
