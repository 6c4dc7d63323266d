#include "queueing/queueing.hpp"

#include <anachron/run/cli.hpp>

#include "queueing/model.hpp"

namespace anachron::models {

std::unique_ptr<AnyModel> make_queueing() {
  return make_model<queueing::Station>("queueing",
                                       "jobs in a network of queues, open or closed, of many kinds");
}

}  // namespace anachron::models
