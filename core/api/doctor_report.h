#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/api/device_info.h"
#include "core/api/localizable_message.h"
#include "core/api/policy_summary.h"

namespace kinescope {

/// A combination of device and libraries with a publicly reported problem.
struct KnownBad {
    std::string id;
    std::string what;  ///< one sentence
    std::string cure;  ///< what to do or install
    std::string link;  ///< public report
};

/// Result of one canary probe on a device.
struct CanaryFinding {
    /// The tested operation; its values are "dtype" and "shape".
    LocalizableMessage probe;
    std::string outcome;  ///< passed, wrong, refused, killed, hung, not run
    double error = 0;     ///< relative to float32 on the CPU, if the probe finished
    double tolerance = 0;
    double seconds = 0;
    std::string verdict;             ///< one sentence
    LocalizableMessage alternative;  ///< working fallback; its code names the backend switches; empty: none
};

/// An op that the guard raised in an earlier run, and that later runs raise from the start.
struct LearnedOverride {
    std::string device;  ///< id and name
    std::string driver;
    std::string libtorch;  ///< version
    std::string model;     ///< family and fingerprint
    std::string learned;   ///< time, UTC, ISO 8601
    std::string component;
    std::string site;
    std::string precision;  ///< raised precision
};

struct DeviceReport {
    DeviceInfo device;
    std::vector<CanaryFinding> canary;  ///< results of the canary; empty: not run
    std::string canary_summary;         ///< one sentence
    std::vector<KnownBad> known_bad;
    PolicySummary policy;  ///< recommended, for a model trained in bfloat16
};

/// Everything a bug report needs about the machine.
struct DoctorReport {
    std::string version;  ///< of the program
    std::map<std::string, std::string> libraries;
    std::map<std::string, std::string> settings;  ///< LibTorch's numeric settings, as it reports them
    std::vector<DeviceReport> devices;
    std::vector<LearnedOverride> overrides;
};

enum class CanaryMode { cached, fresh };

}  // namespace kinescope
