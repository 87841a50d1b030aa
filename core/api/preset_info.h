#pragma once

#include <filesystem>
#include <string>

namespace kinescope {

/// The files that a preset requires in addition to a model.
enum class PresetNeeds { nothing, lora };

/// A preset: settings for a kind of machine, adapted to a request.
struct PresetInfo {
    std::string name;
    std::string description;     ///< English; empty: none
    std::string fields;          ///< JSON object of its settings and LoRAs, adapted to the request's model
    std::filesystem::path file;  ///< the preset's file
    std::string written;         ///< JSON object of its settings and LoRAs as in the file
    std::string machine;         ///< matching devices, English: "cuda, 10.0 GiB to 14.0 GiB"; empty: any
    std::string family;          ///< matching model family; empty: any
    PresetNeeds needs = PresetNeeds::nothing;
    bool fits = true;   ///< matches the request's device
    bool own = false;   ///< user preset, not a shipped one
    bool best = false;  ///< best match for the request's device
};

}  // namespace kinescope
