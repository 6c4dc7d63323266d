// What the customers of an LP wait for: places, amounts and items. Each is a member of the LP's state, and is
// copied, compared and rolled back with it. The LP hears by events what was granted.
// docs/reference/context.md has a section on them, and docs/coming-from/simpy.md says what they are in
// Python.
#pragma once

#include <anachron/model/resources/container.hpp>
#include <anachron/model/resources/resource.hpp>
#include <anachron/model/resources/store.hpp>
