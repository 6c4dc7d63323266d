// How what is thrown here comes to Python: as values, since nothing may be thrown through a C interface.
#pragma once

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include <anachron/base/error.hpp>

namespace anachron::python {

/// In the layout of anachron/_native.py. Texts are to be freed with anachron_free.
struct Error {
  int kind = 0;  ///< 0: none, 1: InputError, 2: SimulationError, 3: out of range, 4: no memory, 5: other
  char* message = nullptr;
  char* lp = nullptr;  ///< of a SimulationError, like what follows
  char* event = nullptr;
  char* cause = nullptr;
  double time = 0;
};

inline char* copy_text(const std::string& text) {
  auto* const out = static_cast<char*>(std::malloc(text.size() + 1));
  if (out) std::memcpy(out, text.c_str(), text.size() + 1);
  return out;
}

/// Calls `action` and returns what it does; when it throws, a value made of nothing, and `error` says why.
template <class Action>
auto guarded(Error* error, const Action& action) noexcept -> decltype(action()) {
  const auto fail = [error](int kind, const char* what) {
    error->kind = kind;
    error->message = copy_text(what);
  };
  try {
    return action();
  } catch (const SimulationError& e) {
    fail(2, e.what());
    error->lp = copy_text(e.lp());
    error->event = copy_text(e.event());
    error->cause = copy_text(e.cause());
    error->time = e.time();
  } catch (const InputError& e) {
    fail(1, e.what());
  } catch (const std::out_of_range& e) {
    fail(3, e.what());
  } catch (const std::bad_alloc&) {
    fail(4, "out of memory");
  } catch (const std::exception& e) {
    fail(5, e.what());
  } catch (...) {
    fail(5, "an exception that is not a std::exception");
  }
  return decltype(action())();
}

}  // namespace anachron::python

#define ANACHRON_EXPORT extern "C" [[gnu::visibility("default")]]
