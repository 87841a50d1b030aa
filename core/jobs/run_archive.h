#pragma once

#include <optional>

#include "core/pipeline/run_keeper.h"

namespace kinescope {

/// Where the state of a run lies between its steps.
class RunArchive {
public:
    virtual ~RunArchive() = default;
    /// nullopt: nothing is kept. Throws Error for what cannot be used.
    virtual std::optional<KeptRun> recall() = 0;
    /// The first thing that is kept of a run. Throws Error.
    virtual void keep_conditioning(const Conditioning& conditioning, const RunPosition& position) = 0;
    /// Replaces the step before. Throws Error.
    virtual void keep_step(const RunPosition& position) = 0;
    /// Throws Error.
    virtual void forget() = 0;
};

/// For as long as the program lives.
class MemoryArchive final : public RunArchive {
public:
    std::optional<KeptRun> recall() override { return kept_; }
    void keep_conditioning(const Conditioning& conditioning, const RunPosition& position) override {
        kept_ = KeptRun{.conditioning = conditioning, .noise_after_encode = position.noise, .position = position};
    }
    void keep_step(const RunPosition& position) override {
        if (kept_) kept_->position = position;
    }
    void forget() override { kept_.reset(); }

private:
    std::optional<KeptRun> kept_;
};

}  // namespace kinescope
