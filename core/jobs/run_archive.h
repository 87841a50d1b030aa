#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/pipeline/run_keeper.h"

namespace kinescope {

/// What was kept of a run.
struct Recalled {
    std::optional<KeptRun> run;         ///< nullopt: nothing, the run starts from the beginning
    std::vector<std::string> warnings;  ///< what of it is damaged, and what is used instead
};

/// Where the state of a run lies between its steps.
class RunArchive {
public:
    virtual ~RunArchive() = default;
    /// Throws Error(bad_config) for what is whole and cannot be continued here; it stays.
    virtual Recalled recall() = 0;
    /// The first thing that is kept of a run. Throws Error.
    virtual void keep_conditioning(const Conditioning& conditioning, const RunPosition& position) = 0;
    /// Throws Error.
    virtual void keep_step(const RunPosition& position) = 0;
    /// Throws Error.
    virtual void forget() = 0;
};

/// For as long as the program lives.
class MemoryArchive final : public RunArchive {
public:
    Recalled recall() override { return {.run = kept_, .warnings = {}}; }
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
