// What the address of a live view has so that only those who were told it can look at the run or steer it.
#pragma once

#include <string>
#include <string_view>

namespace anachron::live {

/// 128 random bits of the system in hexadecimal digits. Throws std::runtime_error when it has none.
std::string make_token();

/// Takes the same time wherever the two differ.
bool is_same_token(std::string_view a, std::string_view b);

}  // namespace anachron::live
