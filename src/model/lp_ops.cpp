#include <anachron/model/lp_ops.hpp>

#include <string>

namespace anachron::detail {

void fail_with_exception(event::Frame& frame) noexcept {
  try {
    throw;
  } catch (const std::exception& e) {
    frame.fail_as([&] { return std::string("threw: ") + e.what(); });
  } catch (...) {
    frame.fail_as([] { return std::string("threw an exception that is not a std::exception"); });
  }
}

}  // namespace anachron::detail
