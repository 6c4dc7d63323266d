#include "run/report/text/precision_text.hpp"

#include <cmath>

#include <fmt/format.h>
#include <anachron/base/parse.hpp>

#include "run/report/format.hpp"

namespace anachron {

std::string precision_text(const Replications& replications) {
  const auto& [relative, figure] = *replications.precision;
  std::string text = fmt::format("{} of {}", percent(relative),
                                 figure.empty() ? "every mean" : fmt::format("the mean of {}", figure));
  const bool has_ended = replications.failure.empty() && !replications.is_interrupted();
  if (has_ended) text += replications.imprecise.empty() ? "; reached" : "; MISSED";
  return text;
}

std::string precision_note(const Replications& replications) {
  if (replications.imprecise.empty()) return {};
  std::string reached;
  for (const auto& [name, width] : replications.imprecise)
    reached += fmt::format("{}{} has {}", reached.empty() ? "" : ", ", name,
                           std::isfinite(width) ? percent(width) : "no relative width");
  return fmt::format("--precision {} was missed with {} replications: {}; --replications allows more",
                     format_real(replications.precision->relative), replications.wanted, reached);
}

json::Json precision_json(const Replications& replications) {
  if (!replications.precision) return nullptr;
  json::Json out{{"relative", json::number(replications.precision->relative)},
                 {"of", replications.precision->figure}};
  json::Json& missed = out["missed"] = json::Json::object();
  for (const auto& [figure, reached] : replications.imprecise) missed[figure] = json::number(reached);
  return out;
}

}  // namespace anachron
