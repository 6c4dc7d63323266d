// The C interface of the Python package: what an exception of a compiled handler does not tell. The code that
// raises it has constant texts only; the handler's thread asks for the rest right behind it.

#include <cstdint>
#include <utility>

#include "errors.hpp"

namespace {

struct WrongIndex {
  std::int64_t index = 0, size = 0, axis = 0;
};
thread_local WrongIndex noted_index;

struct Place {
  const char* file = nullptr;  // constant, in compiled code
  std::int64_t line = 0;
};
thread_local Place noted_place;

}  // namespace

/// `index`: with the size added if it was below 0, so what is below 0 still is told as it was written.
ANACHRON_EXPORT void anachron_note_index(std::int64_t index, std::int64_t size, std::int64_t axis) noexcept {
  noted_index = {index < 0 ? index - size : index, size, axis};
}
/// Writes index, size, axis.
ANACHRON_EXPORT void anachron_noted_index(std::int64_t* out) noexcept {
  out[0] = noted_index.index;
  out[1] = noted_index.size;
  out[2] = noted_index.axis;
}

/// Where the model calls what has raised an exception.
ANACHRON_EXPORT void anachron_note_place(const char* file, std::int64_t line) noexcept {
  noted_place = {file, line};
}
/// The file, and writes the line. Null: none was noted since the last call.
ANACHRON_EXPORT const char* anachron_noted_place(std::int64_t* line) noexcept {
  *line = noted_place.line;
  return std::exchange(noted_place, {}).file;
}
