#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "core/device/precision.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// Decodes or encodes a video chunk by chunk. Each chunk is a transaction on `State`, which contains the frames that
/// the layers cache from earlier chunks.
template <class State>
class ChunkLoop {
public:
    /// Computes chunk `index` and advances `state` past it.
    using Run = std::function<Tensor(std::int64_t index, State& state, const ForwardContext& context)>;

    ChunkLoop(const ForwardContext& context, const Precision& precision, Run run)
        : context_(context), precision_(precision), run_(std::move(run)) {}

    Tensor next() {
        context_.cancellation.throw_if_requested();
        Tensor chunk;
        State after;
        int attempts = 0;
        context_.probe.transact([&] {
            after = {};
            after = ++attempts == 1 ? before_first_attempt() : before_further_attempt();
            chunk = run_(index_, after, context_);
        });
        state_ = std::move(after);
        ++index_;
        return chunk;
    }

private:
    /// Returns true if the state is copied before each chunk. The state is as large as the activations, so it is copied
    /// only if the guard may raise the precision. In float32, another attempt can only name the layer that failed; it
    /// recomputes the state.
    bool keeps_state() const { return precision_.compute != at::kFloat; }

    State before_first_attempt() { return keeps_state() ? state_ : std::move(state_); }

    State before_further_attempt() const {
        if (keeps_state()) return state_;
        SilentProbe silent;
        const ForwardContext unwatched{silent, context_.cancellation, context_.component};
        State state;
        for (std::int64_t i = 0; i < index_; ++i) run_(i, state, unwatched);
        return state;
    }

    const ForwardContext& context_;
    Precision precision_;
    Run run_;
    State state_;
    std::int64_t index_ = 0;
};

}  // namespace kinescope
