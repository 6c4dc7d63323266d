// What somebody is told about bad input.
#pragma once

#include <string>

#include <anachron/base/error.hpp>

namespace anachron::test {

/// The message of the InputError that `use` ends with.
template <class Use>
std::string error_of(const Use& use) {
  try {
    use();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace anachron::test
