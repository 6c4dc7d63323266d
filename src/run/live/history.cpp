#include "run/live/history.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "run/progress/progress_line.hpp"

namespace anachron::live {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPes = 256;  // whose times are shown

/// JSON has no infinity.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

template <class Point>
Json row_of(const Point& point) {
  return {point.wall_s,   number(point.gvt), number(point.horizon), point.committed,
          point.executed, point.workers,     point.memory};
}

Json state_of(const Progress& now) {
  Json pes = Json::array();
  for (std::size_t pe = 0; pe < std::min(now.pes.size(), kMostPes); ++pe) pes.push_back(number(now.pes[pe]));
  Json out{{"wall", now.wall_s},
           {"gvt", number(now.gvt)},
           {"horizon", number(now.horizon)},
           {"until", number(now.until)},
           {"committed", now.committed},
           {"executed", now.executed},
           {"workers", now.active_workers},
           {"memory", now.memory},
           {"paused", now.is_paused},
           {"pes", std::move(pes)},
           {"all_pes", now.pes.size()}};
  if (now.long_event) out["long_event"] = text_of(*now.long_event);
  return out;
}

/// A server-sent event. `data` is one line.
std::string event_text(std::string_view name, std::string_view data) {
  return fmt::format("event: {}\ndata: {}\n\n", name, data);
}

/// Names of a model may be in any encoding.
std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

/// Where time stands, because of a pause, there is no new point.
void History::add(const Progress& now) {
  now_ = now;
  ++version_;
  if (!points_.empty() && now.wall_s <= points_.back().wall_s) return;
  if (added_++ % every_ != 0) return;
  points_.push_back({.wall_s = now.wall_s,
                     .gvt = now.gvt,
                     .horizon = now.horizon,
                     .committed = now.committed,
                     .executed = now.executed,
                     .memory = now.memory,
                     .workers = now.active_workers});
  if (points_.size() < kMost) return;
  for (std::size_t i = 0; i < kMost / 2; ++i) points_[i] = points_[2 * i];
  points_.resize(kMost / 2);
  every_ *= 2;
}

std::string History::since(std::uint64_t& seen) const {
  std::string out;
  if (seen == 0) {
    Json rows = Json::array();
    for (const Point& point : points_) rows.push_back(row_of(point));
    out += event_text("history", line_of(rows));
  }
  if (version_ > 0 && seen != version_ + 1) out += event_text("now", line_of(state_of(now_)));
  seen = version_ + 1;
  if (!ending_.empty()) out += event_text("over", line_of(Json{{"ending", ending_}}));
  return out;
}

}  // namespace anachron::live
