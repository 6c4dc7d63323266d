#include <anachron/model/payload_ops.hpp>

namespace anachron::detail {

Failure failure_of_exception() {
  try {
    throw;
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "threw an exception that is not a std::exception";
  }
}

}  // namespace anachron::detail
