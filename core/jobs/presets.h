#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/api/preset_info.h"
#include "core/api/video_request.h"
#include "core/base/json.h"
#include "core/device/device_capability.h"

namespace kinescope {

/// Settings for a kind of machine: resources/presets/*.json, and the user's own in the configuration folder.
struct Preset {
    enum class Choice {
        automatic,  ///< where it fits best
        by_name,    ///< it costs quality, or needs something of the user's
    };
    /// Devices and models that it is for; a bound that is 0 holds always.
    struct Match {
        std::string device_kind;     ///< "cuda", "mps", "cpu"; empty: any
        double capability_from = 0;  ///< CUDA compute capability, 8.6
        double capability_below = 0;
        std::int64_t memory_from_bytes = 0;
        std::int64_t memory_below_bytes = 0;
        std::string native_dtype;  ///< that the device computes natively, "bfloat16"; empty: any
        std::string family;        ///< of the model, "wan"; empty: any
        PresetNeeds needs = PresetNeeds::nothing;
        Choice choice = Choice::automatic;
    };
    enum class Origin { shipped, user };

    std::string name;
    std::string description;
    Match match;
    Json request;  ///< any fields of a request
    Origin origin = Origin::shipped;
    std::filesystem::path file = {};
};

/// All presets by name, the user's in the place of shipped ones of the same name. Throws Error(bad_config) that names
/// the file and what is wrong with it.
std::vector<Preset> read_presets(const std::filesystem::path& shipped, const std::filesystem::path& user);

/// The preset that fits a device and a model best, of those that are chosen automatically: the user's own first, then
/// one for just this dtype or family, then the one with the narrowest memory; null: none. Pure.
const Preset* best_preset(const std::vector<Preset>& presets, const DeviceCapability& device, const ModelCard& card);

/// A request with its preset, and what to tell of it.
struct PresetChoice {
    VideoRequest request;            ///< its `preset` is unset: it has been applied
    std::vector<std::string> notes;  ///< which was chosen and why, what it sets, what that costs and what it lacks
};

/// Lays the preset that the request names ("auto": the best one for the device) under the request: what the request
/// sets itself stays. A value that the model cannot take becomes the nearest that it can. Throws Error(bad_request) for
/// a name that is not there, with those that are, and for one of another family's. Pure.
PresetChoice apply_preset(const VideoRequest& request, const std::vector<Preset>& presets,
                          const DeviceCapability& device, const ModelCard& card);

/// Every preset that is for the request's model, with the values that it can take, and which one fits the device best.
/// Pure.
std::vector<PresetInfo> describe_presets(const VideoRequest& request, const std::vector<Preset>& presets,
                                         const DeviceCapability& device, const ModelCard& card);

/// For a request without a preset: which one would fit the device and what it would set; empty: none would set
/// anything, or the request has one. Pure.
std::string suggest_preset(const VideoRequest& request, const std::vector<Preset>& presets,
                           const DeviceCapability& device, const ModelCard& card);

}  // namespace kinescope
