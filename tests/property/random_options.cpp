#include "property/random_options.hpp"

#include <optional>
#include <string_view>

#include "exec/seams.hpp"

namespace anachron::test {

std::string describe(const Config& c) {
  std::string text;
  const auto option = [&text](std::string_view name, std::string_view value) {
    text.append(" --").append(name).append(" ").append(value);
  };
  const auto number = [&option](std::string_view name, const auto& value) {
    option(name, value ? std::to_string(*value) : "auto");
  };
  if (c.sync) option("sync", to_string(*c.sync));
  number("workers", c.workers);
  number("pes", c.pes);
  option("queue", to_string(c.queue));
  option("partition", to_string(c.partition));
  option("rollback", to_string(c.rollback));
  number("checkpoint-interval", c.checkpoint_interval);
  option("throttle", to_string(c.throttle));
  number("window", c.window);
  number("batch", c.batch);
  option("gvt", to_string(c.gvt));
  number("gvt-interval", c.gvt_interval);
  option("lps-per-group", std::to_string(c.lps_per_group));
  option("cancellation", to_string(c.cancellation));
  if (c.check_rollback) text += " --check-rollback";
  option("test-chaos", std::to_string(c.test_chaos));
  option("seed", std::to_string(c.seed));
  if (c.seams) text += " with " + c.seams->description;
  return text;
}

}  // namespace anachron::test
