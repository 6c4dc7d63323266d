// Rows of tables as bytes: for other ranks, and for checkpoints.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include <anachron/base/bytes.hpp>
#include <anachron/run/plain_simulation.hpp>

namespace anachron::plain {

void write_rows(ByteWriter& out, const Rows& table);
/// Adds what `write_rows` has written.
void read_rows(ByteReader& in, Rows& table);

/// `config`, and checkpoints have the rows of all tables that are saved. `setup` must outlive the run.
Config with_rows_saved(Config config, const Setup& setup);

}  // namespace anachron::plain
