// All that a model's author needs.
#pragma once

#include <anachron/model/model.hpp>
#include <anachron/run/cli.hpp>
#include <anachron/run/ranks.hpp>
#include <anachron/run/simulation.hpp>
