#include "rollback/check.hpp"

#include <fmt/format.h>

namespace anachron::rollback {

std::string to_text(const Unchecked& unchecked) {
  switch (unchecked.what) {
    case Unchecked::What::states:
      return fmt::format("states of {} cannot be compared; make it copyable and give it operator==",
                         unchecked.type);
    case Unchecked::What::some_states:
      return fmt::format(
          "some states of {} are not equal to their copies, perhaps for a NaN, and were not compared",
          unchecked.type);
    case Unchecked::What::events:
      return fmt::format("events {} cannot be compared; give the type operator==", unchecked.type);
    case Unchecked::What::some_events:
      return fmt::format(
          "some events {} are not equal to themselves, perhaps for a NaN, and were not compared",
          unchecked.type);
  }
  return {};
}

}  // namespace anachron::rollback
