#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/api/device_info.h"
#include "core/api/localizable_message.h"
#include "core/api/model_card.h"
#include "core/api/policy_summary.h"

namespace kinescope {

/// A combination of device and libraries with a publicly reported problem.
struct KnownBad {
    std::string id;
    std::string what;  ///< one sentence
    std::string fix;   ///< what to do or install
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

/// What a device can do with a model, according to the memory plan of the preset that fits the device.
struct DeviceAbility {
    std::string model;      ///< display name
    std::string precision;  ///< compute dtype of the denoiser, "bfloat16"
    Size size;
    int num_frames = 0;
    int fps = 0;
    std::int64_t memory_bytes = 0;  ///< planned peak
    double seconds = 0;             ///< 0: unknown
};

struct DeviceReport {
    DeviceInfo device;
    std::vector<CanaryFinding> canary;  ///< results of the canary; empty: not run
    std::string canary_summary;         ///< one sentence
    std::vector<KnownBad> known_bad;
    PolicySummary policy;                       ///< recommended, for a model trained in bfloat16
    std::vector<DeviceAbility> abilities = {};  ///< one for each complete model; empty for a device that cannot be used
};

/// All information about the machine that a bug report needs.
struct DoctorReport {
    std::string version;  ///< of the program
    std::map<std::string, std::string> libraries;
    std::map<std::string, std::string> settings;  ///< LibTorch's numeric settings, as it reports them
    std::vector<DeviceReport> devices;
    std::vector<LearnedOverride> overrides;
};

enum class CanaryMode { cached, fresh };

}  // namespace kinescope
