#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/api/doctor_report.h"
#include "core/base/platform_machine.h"
#include "core/device/device_capability.h"

namespace kinescope {

/// Compares versions part by part: "12.4.5" < "12.10". Parts that are not numbers count as 0. Returns -1, 0 or 1.
int compare_versions(const std::string& a, const std::string& b);

/// A combination that public reports describe as broken: one entry of resources/known_bad.json. Empty conditions always
/// match.
struct KnownBadRule {
    /// A range of versions, including `from` and excluding `below`. An empty string means that the range has no bound
    /// on that side.
    struct Versions {
        std::string from;   ///< first affected version
        std::string below;  ///< first fixed version

        bool contains(const std::string& version) const;
    };
    struct Library {
        std::string name;  ///< as in library_versions()
        Versions affected;
    };

    KnownBad entry;
    std::optional<DeviceKind> device = {};
    std::optional<OperatingSystem> system = {};
    std::vector<std::string> names = {};  ///< matches if any of them occurs in the device's name, see names_device
    std::vector<int> capabilities = {};   ///< compute capabilities times 10, e.g. 120 for 12.0; matches any of them
    int capability_below = 0;             ///< times 10; 0: no bound
    std::optional<Versions> macos = {};   ///< for MPS
    std::vector<bool CpuFeatures::*> cpu_features = {};  ///< the CPU must have all of them
    std::vector<Library> libraries = {};                 ///< all of them must be loaded in an affected version
};

/// Reads the table. Throws Error(bad_config), which names the invalid entry. Unknown conditions are errors as well,
/// because a rule without them would match too much.
std::vector<KnownBadRule> read_known_bad(const std::filesystem::path& file);

/// The machine to which the rules are applied.
struct KnownBadContext {
    OperatingSystem system = operating_system();
    std::map<std::string, std::string> libraries = {};  ///< as from library_versions()
};

/// Returns the entries that match a device. Pure.
std::vector<KnownBad> match_known_bad(const std::vector<KnownBadRule>& rules, const DeviceCapability& device,
                                      const KnownBadContext& context);

}  // namespace kinescope
