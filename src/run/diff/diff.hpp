// `anachron diff A B`: what two runs have not in common, in words.
#pragma once

#include <span>
#include <string>

#include "run/commands/model_run.hpp"
#include "run/report/json_parts.hpp"

namespace anachron {

/// Two reports as --report writes them, or two traces as --trace writes them as CSV. Returns `failed` when
/// they differ. Throws InputError.
Status diff(std::span<const std::string> arguments);

/// Where two runs stand apart; `same`: nothing was found.
struct Differences {
  bool are_same = true;
  std::string text;
};
Differences diff_reports(const json::Json& a, const json::Json& b);
/// Of two traces as text: the first event in time that differs, and the LPs that do.
Differences diff_traces(const std::string& a, const std::string& b);

}  // namespace anachron
