#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/api/policy_summary.h"
#include "core/device/device_capability.h"
#include "core/device/precision.h"

namespace kinescope {

/// What the user wishes, in the command line's spelling ("auto", "fp32", "bf16", "fp16").
struct PrecisionWish {
    std::string device = "auto";
    std::string dtype = "auto";    ///< denoiser, computes in
    std::string storage = "auto";  ///< denoiser, kept in memory as; "auto": as it computes
    std::string text_encoder_dtype = "auto";
    std::string vae_dtype = "auto";
};

/// What the files say: the dtype that holds most bytes, by component ("text_encoder", "transformer", "vae",
/// "image_encoder", "transformer_2" ...).
using StoredDtypes = std::map<std::string, Dtype>;

struct ComponentChoice {
    Precision precision;
    std::string requested;
    std::string reason;
};

/// What runs, and why, for each component that has weights.
struct ComputePolicy {
    std::map<std::string, ComponentChoice> components;

    /// Throws Error(internal) for a component that the model does not have.
    const Precision& at(const std::string& component) const;
    /// "transformer" or "unet".
    const Precision& denoiser() const;
    Device device() const { return denoiser().device; }
};

/// The device that a wish names; "auto" is the first accelerator whose backend is there, else the CPU. `devices` holds
/// the CPU at least. Throws Error(device_unavailable) with what there is.
DeviceCapability choose_device(const std::string& wish, const std::vector<DeviceCapability>& devices);

/// Pure: float32 on a CPU, bfloat16 from compute capability 8, float32 elsewhere unless asked; the VAE in float32.
ComputePolicy resolve_compute_policy(const PrecisionWish& wish, const StoredDtypes& stored,
                                     const DeviceCapability& device);

/// `accumulation`: what apply_numeric_settings was told, in words.
PolicySummary summarize(const ComputePolicy& policy, const StoredDtypes& stored, const std::string& accumulation);

/// One row for `devices` and the doctor.
DeviceInfo describe_device(const DeviceCapability& device);

}  // namespace kinescope
