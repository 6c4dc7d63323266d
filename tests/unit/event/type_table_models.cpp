#include "unit/event/type_table_models.hpp"

#include <anachron/model/lp_ops.hpp>
#include <anachron/model/multicast_ops.hpp>

namespace anachron::type_table_models {

void deliver(Context<Depot>& cx) {
  cx.send(cx.self(), 1, Load{});
  cx.broadcast<Shop>(1, Visit{});
}

}  // namespace anachron::type_table_models
