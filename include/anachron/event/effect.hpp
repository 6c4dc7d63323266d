// What an executed event leaves behind besides sends: things to undo if it is rolled back, things to do when
// it commits. Effects are linked newest first and live in the history's memory.
#pragma once

namespace anachron::event {

struct Effect;

struct EffectOps {
  void (*undo)(Effect&, void* lp_state);  ///< null: nothing to undo
  void (*commit)(Effect&);                ///< null: nothing to do at commit
  void (*destroy)(Effect&) noexcept;      ///< null: trivially destructible
};

struct Effect {
  Effect* next = nullptr;  ///< the one before
  const EffectOps* ops = nullptr;
};

}  // namespace anachron::event
