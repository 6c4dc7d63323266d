// Statistics that live in an LP's state, with which they roll back. `Results::add` merges those of all LPs in
// the order of their ids, so that they are the same, to the last bit, in every mode.
// docs/results/statistics.md
#pragma once

#include <anachron/model/stats/batch_means.hpp>
#include <anachron/model/stats/histogram.hpp>
#include <anachron/model/stats/series.hpp>
#include <anachron/model/stats/student.hpp>
#include <anachron/model/stats/tally.hpp>
#include <anachron/model/stats/time_average.hpp>
