// What came of a variant, as JSON.
#pragma once

#include <string>

#include <anachron/run/variant.hpp>

namespace anachron {

/// One JSON object: what was executed, and how LPs differ. Without report, digest and results.
std::string variant_json(const VariantReport& variant);

}  // namespace anachron
