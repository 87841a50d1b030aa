#pragma once

#include <filesystem>
#include <string>

namespace kinescope {

/// What a preset is of no use without.
enum class PresetNeeds { nothing, lora };

/// Settings for a kind of machine, as they can be chosen for a request.
struct PresetInfo {
    std::string name;
    std::string description;     ///< English; empty: none
    std::string fields;          ///< JSON object: what it sets, each value such that the request's model can take it
    std::filesystem::path file;  ///< where it is written
    std::string written;         ///< the same as its file has it
    std::string machine;         ///< English, the devices that it is for: "cuda, 10.0 GiB to 14.0 GiB"; empty: any
    std::string family;          ///< of the models that it is for; empty: any
    PresetNeeds needs = PresetNeeds::nothing;
    bool fits = true;   ///< the request's device is one of those that it is for
    bool own = false;   ///< the user's, not one that came with the program
    bool best = false;  ///< the one that fits the request's device best
};

}  // namespace kinescope
