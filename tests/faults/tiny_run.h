#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/api/run_event.h"
#include "core/device/tensor.h"
#include "core/numerics/numerics_probe.h"
#include "core/pipeline/override_memory.h"

namespace kinescope::faults {

/// Settings of a tiny run. Components without a setting compute in float32.
struct RunSettings {
    std::string component;  ///< "transformer", "vae" or "text_encoder"; empty: none
    DtypeChoice dtype = DtypeChoice::fp32;
    DtypeChoice storage = DtypeChoice::automatic;  ///< storage of the denoiser's weights
    std::filesystem::path gguf = {};               ///< weights of the denoiser; empty: those of the model
    std::filesystem::path vae = {};                ///< empty: the VAE of the case
    GuardMode guard = GuardMode::heal;
    Monitoring monitoring = Monitoring::on;
    std::int64_t seed = 1;
    int num_inference_steps = 3;
    std::string prompt;  ///< empty: the prompt of the case
    std::shared_ptr<OverrideMemory> memory = nullptr;
};

/// The result of one run.
struct RunReport {
    RunStatus status = RunStatus::completed;  ///< completed or healed; failed after an error
    std::optional<Error> error;
    std::vector<GuardActed> acts;
    std::vector<GuardActed> warnings;  ///< RunResult::warnings; empty after an error
    std::vector<NumericSample> samples;
    Tensor frames;  ///< [F, H, W, 3]; undefined after an error
};

/// Runs a model in this process with the request of a case, without output files.
RunReport run_tiny(const std::filesystem::path& case_dir, const std::filesystem::path& model,
                   const RunSettings& settings);

/// Returns the PSNR for a peak of 1. Infinite for equal frames.
double psnr_db(const Tensor& a, const Tensor& b);

}  // namespace kinescope::faults
