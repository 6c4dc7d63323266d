// All that a model's author needs.
#pragma once

#include <anachron/base/error.hpp>
#include <anachron/model/context.hpp>
#include <anachron/model/logged.hpp>
#include <anachron/model/lp_ops.hpp>
#include <anachron/model/params.hpp>
#include <anachron/model/results.hpp>
#include <anachron/model/rng.hpp>
#include <anachron/run/cli.hpp>
#include <anachron/run/simulation.hpp>
