// All that a file which defines LP types needs; a program that also runs them includes
// <anachron/anachron.hpp>.
#pragma once

#include <anachron/base/error.hpp>
#include <anachron/model/any_id.hpp>
#include <anachron/model/broadcast.hpp>
#include <anachron/model/context.hpp>
#include <anachron/model/logged.hpp>
#include <anachron/model/model_file.hpp>
#include <anachron/model/neighbours.hpp>
#include <anachron/model/order.hpp>
#include <anachron/model/params.hpp>
#include <anachron/model/plots.hpp>
#include <anachron/model/resources.hpp>
#include <anachron/model/results.hpp>
#include <anachron/model/rng.hpp>
#include <anachron/model/stream.hpp>
#include <anachron/model/view.hpp>
