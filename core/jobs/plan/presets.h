#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/api/preset_info.h"
#include "core/api/video_request.h"
#include "core/base/json.h"
#include "core/device/device_capability.h"

namespace kinescope {

/// Request values for a kind of machine, from resources/presets/*.json and from the user's configuration folder.
struct Preset {
    enum class Choice {
        automatic,  ///< used for preset "auto" if it is the best match
        by_name,    ///< used only by name: it costs quality or needs a file from the user
    };
    /// The devices and models that the preset is for. A bound of 0 means that there is no bound.
    struct Match {
        std::optional<DeviceKind> device_kind;  ///< nullopt: any
        double capability_from = 0;             ///< CUDA compute capability, 8.6
        double capability_below = 0;
        std::int64_t memory_from_bytes = 0;
        std::int64_t memory_below_bytes = 0;
        std::string native_dtype;  ///< dtype that the device must support natively, "bfloat16"; empty: any
        std::string family;        ///< model family, "wan"; empty: any
        PresetNeeds needs = PresetNeeds::nothing;
        Choice choice = Choice::automatic;
    };
    enum class Origin { shipped, user };

    std::string name;
    std::string description;
    Match match;
    Json request;  ///< fields to set, see preset_fields_in(); other fields in the file are ignored
    /// Memory of a device for which size, length and tiling are computed, so that the model's video fits. If it is 0,
    /// they are not computed.
    std::int64_t fit_memory_bytes = 0;
    /// The model with which the LoRAs in `request` are used. Others leave them out. Empty: any model.
    struct LoraModel {
        std::string family;
        std::string variant;
    };
    LoraModel lora_model = {};
    Origin origin = Origin::shipped;
    std::filesystem::path file = {};
};

/// Computes the fields with which a video of the request's model fits a device, for presets with fit_memory_bytes.
using FieldsThatFit = std::function<Json(const VideoRequest& request, const DeviceCapability& device)>;

struct PresetList {
    std::vector<Preset> presets;
    std::vector<std::string> faults;  ///< why files of the user are left out, one sentence for each
};

/// Reads all presets. A user's preset replaces a shipped preset of the same name. Throws Error(bad_config) for an
/// invalid shipped preset; an invalid preset of the user is left out.
PresetList read_presets(const std::filesystem::path& shipped, const std::filesystem::path& user);

/// Returns the automatic preset that best matches a device and a model: the user's presets first, then those for this
/// dtype or family, then those with the highest lower bound of memory. Returns null if none matches. Pure.
const Preset* best_preset(const std::vector<Preset>& presets, const DeviceCapability& device, const ModelCard& card);

/// A request after applying its preset, with notes for the user.
struct PresetChoice {
    VideoRequest request;            ///< `preset` is unset
    std::vector<std::string> notes;  ///< the chosen preset, the reason, its values and caveats, faults of the list
};

/// Sets the values that the request leaves unset from the preset that it names ("auto" is the best match for the
/// device). Replaces values that the model does not support with the nearest valid ones. Throws Error(bad_request) for
/// an unknown name, listing the known names and the faults of the list, and for a preset of another family. Pure if
/// `fit` is.
PresetChoice apply_preset(const VideoRequest& request, const PresetList& list, const DeviceCapability& device,
                          const ModelCard& card, const FieldsThatFit& fit);

/// Returns all presets for the request's model, with values that the model supports. Marks the best match for the
/// device. Pure if `fit` is.
std::vector<PresetInfo> describe_presets(const VideoRequest& request, const std::vector<Preset>& presets,
                                         const DeviceCapability& device, const ModelCard& card,
                                         const FieldsThatFit& fit);

/// Returns a hint that names a matching preset and its values, for a request without a preset. Returns an empty string
/// if the request has a preset or no preset would change it. Pure if `fit` is.
std::string suggest_preset(const VideoRequest& request, const std::vector<Preset>& presets,
                           const DeviceCapability& device, const ModelCard& card, const FieldsThatFit& fit);

}  // namespace kinescope
