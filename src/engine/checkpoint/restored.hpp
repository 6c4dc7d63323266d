// LPs and events as they were: of a checkpoint, or of another rank.
#pragma once

#include "checkpoint/records.hpp"
#include "lp/lp_store.hpp"
#include "pe/pe.hpp"

namespace anachron::engine {

/// Precondition: the LP is constructed, and is an LP of this process. Throws InputError for a state that
/// cannot be read.
void restore_lp(const lp::LpStore& lps, const checkpoint::LpRecord& record);
/// `pe` is that of the receiver. Throws InputError likewise, and when there is too little memory.
void restore_event(pe::Pe& pe, const checkpoint::EventRecord& record);

}  // namespace anachron::engine
