// Results as bytes: what one rank tells the others when it has put together what all LPs have reported.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <anachron/model/results.hpp>

namespace anachron::detail {

/// All of them: figures in their order, tables, series, the span.
std::vector<std::byte> encoded(const Results& results);

/// The same without tables and series, which grow with the model.
std::vector<std::byte> encoded_figures(const Results& results);

/// The same results to the last bit. Throws InputError unless the bytes are those of results.
Results decoded_results(std::span<const std::byte> bytes);

}  // namespace anachron::detail
