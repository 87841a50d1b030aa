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

/// What a canary probe examines.
enum class CanaryKind {
    fused,  ///< Kinescope's fused kernels
    attention,
    convolution,
    sums,
    products,
    conversion,  ///< norms, and conversions of stored weights
    layers,      ///< layers of the models with one or two rows
};

/// What the program uses instead of a failed operation.
enum class CanaryFallback {
    plain_cublas,  ///< cuBLAS instead of cuBLASLt
    no_cudnn,
    no_onednn,
    flash_attention,
    float32_convolution,
    plain_ops,  ///< LibTorch's ops
};

/// The outcome of a canary probe.
enum class ProbeOutcome {
    not_run,
    passed,
    wrong,
    refused,
    killed,
    hung,
    slower,  ///< a fast path takes longer than what it replaces
};

std::string to_string(CanaryKind kind);
std::string to_string(CanaryFallback fallback);
/// Returns the enumerator's name in words: "not run".
std::string to_string(ProbeOutcome outcome);

/// Result of one canary probe on a device.
struct CanaryFinding {
    CanaryKind kind = CanaryKind::layers;
    /// The tested operation. Its values are "dtype" and "shape", and "model" for a layer of a model.
    LocalizableMessage probe;
    ProbeOutcome outcome = ProbeOutcome::not_run;
    double error = 0;  ///< relative to float32 on the CPU, if the probe finished
    double tolerance = 0;
    double seconds = 0;
    std::string verdict;                    ///< one sentence
    std::vector<CanaryFallback> fallbacks;  ///< those that work together; empty: none
    std::string alternative;                ///< the fallbacks in words
};

/// An op that the guard raised in an earlier run, and that later runs raise from the start.
struct LearnedOverride {
    std::string device;  ///< id and name
    std::string driver;
    std::string libtorch;  ///< version
    std::string model;     ///< family and fingerprint of the networks
    std::string learned;   ///< time, UTC, ISO 8601
    std::string component;
    std::string site;
    std::string precision;  ///< raised precision
};

/// What a device can do with a model, according to the memory plan of the preset that fits the device.
struct DeviceAbility {
    std::string id;         ///< of the model, see ModelCard
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
