#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/api/doctor_report.h"
#include "core/device/device_capability.h"

namespace kinescope {

/// Versions compared part by part: "12.4.5" < "12.10". Parts that are no numbers count as 0.
int compare_versions(const std::string& a, const std::string& b);

/// One combination that public threads report as broken: a row of resources/known_bad.json. A condition that is empty
/// holds always.
struct KnownBadRule {
    KnownBad words;
    std::string device_kind;         ///< "cuda", "mps", "cpu"
    std::vector<std::string> names;  ///< one of them is in the device's name, see names_device
    int capability_below = 0;        ///< compute capability times 10
    int macos_below = 0;
    struct Library {
        std::string name;   ///< as in library_versions
        std::string from;   ///< this version or a later one
        std::string below;  ///< and before this one
    };
    std::vector<Library> libraries;  ///< all of them are loaded in such a version
};

/// Reads the table. Throws Error(bad_config) that names the entry.
std::vector<KnownBadRule> read_known_bad(const std::filesystem::path& file);

/// The rows that fit a device and the libraries that are loaded. Pure.
std::vector<KnownBad> match_known_bad(const std::vector<KnownBadRule>& rules, const DeviceCapability& device,
                                      const std::map<std::string, std::string>& libraries);

}  // namespace kinescope
