#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/api/device_info.h"
#include "core/api/policy_summary.h"
#include "core/api/sentence.h"

namespace kinescope {

/// A combination of device and libraries that public threads report as broken.
struct KnownBad {
    std::string id;
    std::string what;  ///< one sentence
    std::string cure;  ///< what to do or install
    std::string link;  ///< the public thread
};

/// What one operation of the canary did on a device.
struct CanaryFinding {
    /// The operation; its values are "dtype" and "shape".
    Sentence probe;
    std::string outcome;  ///< passed, wrong, refused, killed, hung, not run
    double error = 0;     ///< relative to float32 on the CPU, where it answered
    double tolerance = 0;
    double seconds = 0;
    std::string verdict;   ///< one readable sentence
    Sentence alternative;  ///< the way around that was found to work, its code the switches; empty: none
};

/// An op that the guard once had to raise in a run, and that is raised from the start since then.
struct LearnedOverride {
    std::string device;  ///< id and name
    std::string driver;
    std::string libtorch;  ///< version
    std::string model;     ///< family and fingerprint
    std::string learned;   ///< when, UTC, ISO 8601
    std::string component;
    std::string site;
    std::string precision;  ///< what it is raised to
};

struct DeviceReport {
    DeviceInfo device;
    std::vector<CanaryFinding> canary;  ///< empty: it did not run
    std::string canary_summary;         ///< one sentence
    std::vector<KnownBad> known_bad;
    PolicySummary policy;  ///< recommended, for a model trained in bfloat16
};

/// Everything that a bug report needs to say of the machine.
struct DoctorReport {
    std::string version;  ///< of the program
    std::map<std::string, std::string> libraries;
    std::map<std::string, std::string> settings;  ///< LibTorch's numeric switches, as it answers for them
    std::vector<DeviceReport> devices;
    std::vector<LearnedOverride> overrides;
};

enum class CanaryMode { cached, fresh };

}  // namespace kinescope
