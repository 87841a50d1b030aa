#include "core/numerics/run_numerics.h"

namespace kinescope {

NumericsState RunNumerics::snapshot() {
    return {.phase = probe_.phase(),
            .last_block = probe_.last_blocks(),
            .components = probe_.components(),
            .guard = guard_.state(),
            .journal = journal_.state(),
            .log = journal_.log().lengths()};
}

void RunNumerics::restore(const NumericsState& state) {
    probe_.restore(state.phase, state.last_block, state.components);
    guard_.restore(state.guard);
    journal_.restore(state.journal);
}

}  // namespace kinescope
