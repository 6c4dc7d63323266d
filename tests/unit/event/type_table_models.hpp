// LP types of which one source file sends the events and another one asks for their numbers.
#pragma once

#include <anachron/model/context.hpp>

namespace anachron::type_table_models {

struct Load {
  double tons = 0;
};
struct Visit {};

struct Depot {
  void on(Context<Depot>&, const Load&) {}
};
struct Shop {
  void on(Context<Shop>&, const Visit&) {}
};

/// Never called: that it could be is enough.
void deliver(Context<Depot>& cx);

}  // namespace anachron::type_table_models
