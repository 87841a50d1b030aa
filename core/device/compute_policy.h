#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/api/dtype_choice.h"
#include "core/api/model_card.h"
#include "core/api/policy_summary.h"
#include "core/device/device_capability.h"
#include "core/device/precision.h"

namespace kinescope {

/// The user's options.
struct PrecisionOptions {
    std::string device = "auto";                   ///< as in a request
    DtypeChoice dtype = DtypeChoice::automatic;    ///< compute dtype of the denoiser
    DtypeChoice storage = DtypeChoice::automatic;  ///< storage dtype of the denoiser's weights
    DtypeChoice text_encoder_dtype = DtypeChoice::automatic;
    DtypeChoice vae_dtype = DtypeChoice::automatic;
};

/// The format in which most bytes of a component's file are stored.
struct StoredFormat {
    StoredFormat(Dtype numbers = at::kFloat, std::string packed = {}) : dtype(numbers), packing(std::move(packed)) {}

    Dtype dtype;          ///< uint8 for GGUF blocks
    std::string packing;  ///< such as "gguf q4_k"; empty if the values are not packed

    std::string name() const;
};

/// Storage formats of the files by component ("text_encoder", "transformer", "vae", "image_encoder", "transformer_2"
/// ...).
using StoredDtypes = std::map<std::string, StoredFormat>;

struct ComponentChoice {
    Precision precision;
    std::string attention;  ///< the LibTorch kernel that its attention uses
    DtypeChoice requested = DtypeChoice::automatic;
    std::string reason;  ///< one sentence; names requested options that the device does not support
};

/// The precision of each component that has weights, with the reason for it.
struct ComputePolicy {
    std::map<std::string, ComponentChoice> components;

    /// Returns the precision of a component. Throws Error(internal) if the model does not have this component.
    const Precision& at(const std::string& component) const;
    /// Returns "transformer" or "unet".
    std::string denoiser_name() const;
    const Precision& denoiser() const { return at(denoiser_name()); }
    Device device() const { return denoiser().device; }
};

/// Chooses the storage and compute dtype of each component and states the reasons. Pure.
///   denoiser and text encoders: bfloat16 if native (compute capability 8.0, macOS 14); otherwise, for the denoiser,
///     float16 if native (compute capability 7.0), on scaled operands unless `card` marks the model as safe for
///     float16; otherwise 16-bit storage and float32 products
///   VAE: the model card's vae_dtype if a CUDA device supports it natively, otherwise float32; image encoder: float32
///   CPU: float32 everywhere
/// Linear weights of the denoiser and the text encoders that are stored as float8 or GGUF blocks keep that format
/// unless another storage is requested or the device cannot store it. If the device does not support a requested dtype,
/// the policy uses the nearest one and states this in the reason. If the user requested the device as well, it throws
/// Error(unsupported). For accumulation, see apply_numeric_settings.
ComputePolicy resolve_compute_policy(const PrecisionOptions& options, const StoredDtypes& stored,
                                     const DeviceCapability& device, const ModelCard& card = {});

/// Returns one row per component. `accumulation` is the name of the mode passed to apply_numeric_settings.
PolicySummary summarize(const ComputePolicy& policy, const StoredDtypes& stored, const std::string& accumulation);

/// Describes a device for the commands `devices` and `doctor`.
DeviceInfo describe_device(const DeviceCapability& device);

}  // namespace kinescope
