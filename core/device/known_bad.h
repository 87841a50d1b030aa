#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/api/doctor_report.h"
#include "core/device/device_capability.h"

namespace kinescope {

/// Compares versions part by part: "12.4.5" < "12.10". Parts that are not numbers count as 0. Returns -1, 0 or 1.
int compare_versions(const std::string& a, const std::string& b);

/// A combination that public reports describe as broken: one row of resources/known_bad.json. Empty conditions always
/// match.
struct KnownBadRule {
    KnownBad entry;
    std::string device_kind;         ///< "cuda", "mps", "cpu"
    std::vector<std::string> names;  ///< any of them occurs in the device's name, see names_device
    int capability_below = 0;        ///< compute capability times 10
    int macos_below = 0;
    struct Library {
        std::string name;   ///< as in library_versions()
        std::string from;   ///< first affected version
        std::string below;  ///< first fixed version; empty if none
    };
    std::vector<Library> libraries;  ///< all of them must be loaded in an affected version
};

/// Reads the table. Throws Error(bad_config) that names the invalid entry.
std::vector<KnownBadRule> read_known_bad(const std::filesystem::path& file);

/// The rows that match a device and the loaded libraries. Pure.
std::vector<KnownBad> match_known_bad(const std::vector<KnownBadRule>& rules, const DeviceCapability& device,
                                      const std::map<std::string, std::string>& libraries);

}  // namespace kinescope
