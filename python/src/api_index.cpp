// The C interface of the Python package: which index was out of bounds in a compiled handler. The code that
// raises the error has a constant text; the handler's thread asks for the numbers right behind it.

#include <cstdint>

#include "errors.hpp"

namespace {

struct WrongIndex {
  std::int64_t index = 0, size = 0, axis = 0;
};
thread_local WrongIndex noted;

}  // namespace

/// `index`: with the size added if it was below 0, so what is below 0 still is told as it was written.
ANACHRON_EXPORT void anachron_note_index(std::int64_t index, std::int64_t size, std::int64_t axis) noexcept {
  noted = {index < 0 ? index - size : index, size, axis};
}
/// Writes index, size, axis.
ANACHRON_EXPORT void anachron_noted_index(std::int64_t* out) noexcept {
  out[0] = noted.index;
  out[1] = noted.size;
  out[2] = noted.axis;
}
