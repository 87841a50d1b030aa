#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/api/model_card.h"
#include "core/api/policy_summary.h"
#include "core/device/device_capability.h"
#include "core/device/precision.h"

namespace kinescope {

/// What the user wishes, in the command line's spelling ("auto", "fp32", "bf16", "fp16"; storage also "fp8", "int8",
/// and "gguf", which is: as a quantised file holds them).
struct PrecisionWish {
    std::string device = "auto";
    std::string dtype = "auto";    ///< denoiser, computes in
    std::string storage = "auto";  ///< denoiser, kept in memory as; "auto": as the policy says
    std::string text_encoder_dtype = "auto";
    std::string vae_dtype = "auto";
};

/// How most bytes of one component's file are stored.
struct StoredFormat {
    StoredFormat(Dtype numbers = at::kFloat, std::string packed = {}) : dtype(numbers), packing(std::move(packed)) {}

    Dtype dtype;          ///< uint8 for blocks of GGUF
    std::string packing;  ///< "gguf q4_k" ...; empty: plain numbers

    std::string name() const;
};

/// What the files say, by component ("text_encoder", "transformer", "vae", "image_encoder", "transformer_2" ...).
using StoredDtypes = std::map<std::string, StoredFormat>;

struct ComponentChoice {
    Precision precision;
    std::string attention;  ///< which of LibTorch's kernels its attention takes
    std::string requested;
    std::string reason;  ///< one sentence; says aloud what was asked for and cannot be had
};

/// What runs, and why, for each component that has weights.
struct ComputePolicy {
    std::map<std::string, ComponentChoice> components;

    /// Throws Error(internal) for a component that the model does not have.
    const Precision& at(const std::string& component) const;
    /// "transformer" or "unet".
    std::string denoiser_name() const;
    const Precision& denoiser() const { return at(denoiser_name()); }
    Device device() const { return denoiser().device; }
};

/// Pure: what each component is kept in, computes in, and why.
///   denoiser and text encoders: bfloat16 where it is native (compute capability 8.0, macOS 14); float16 from
///   capability
///     7.0 if the card says that the model bears it; else 16 bits in memory and float32 products
///   VAE: the card's vae_dtype where a CUDA device computes it natively, else float32; image encoder: float32
///   CPU: float32 throughout
/// Linear weights of the denoiser and the text encoders that their file holds in float8 or GGUF's blocks stay so,
/// unless another storage is asked for or the device cannot hold it. A wish that the device cannot fulfil becomes the
/// nearest possible choice and its reason says so, unless the device was named as well: then Error(unsupported).
/// Accumulation is not decided here: see apply_numeric_settings.
ComputePolicy resolve_compute_policy(const PrecisionWish& wish, const StoredDtypes& stored,
                                     const DeviceCapability& device, const ModelCard& card = {});

/// `accumulation`: what apply_numeric_settings was told, in words.
PolicySummary summarize(const ComputePolicy& policy, const StoredDtypes& stored, const std::string& accumulation);

/// One row for `devices` and the doctor.
DeviceInfo describe_device(const DeviceCapability& device);

}  // namespace kinescope
