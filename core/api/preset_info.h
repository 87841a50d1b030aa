#pragma once

#include <filesystem>
#include <string>

namespace kinescope {

/// Settings for a kind of machine, as they can be chosen for a request.
struct PresetInfo {
    std::string name;
    std::string description;     ///< English; empty: none
    std::string fields;          ///< JSON object: what it sets, each value such that the request's model can take it
    std::filesystem::path file;  ///< where it is written
    bool own = false;            ///< the user's, not one that came with the program
    bool best = false;           ///< the one that fits the request's device best
};

}  // namespace kinescope
