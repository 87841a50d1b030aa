#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/models/model_files.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// For what an override was learned: another driver, library or model may need others, or none.
struct OverrideKey {
    std::string device;    ///< id and name, "cuda:0 NVIDIA H100"
    std::string driver;    ///< its version; empty for a CPU
    std::string libtorch;  ///< version
    std::string model;     ///< family and fingerprint, see model_fingerprint
    bool operator==(const OverrideKey&) const = default;
};

/// An override and what the policy had planned for its component when it was learned.
struct StoredOverride {
    PrecisionOverride override;
    std::string planned;  ///< see planned_precision
    bool operator==(const StoredOverride&) const = default;
};

struct LearnedOverrides {
    OverrideKey key;
    std::string learned;  ///< when, UTC, ISO 8601
    std::vector<StoredOverride> overrides;
};

/// What decides whether an op overflows or rounds too coarsely: "float16", "float32, int8 weights". Empty for a
/// component that the policy does not have.
std::string planned_precision(const ComputePolicy& policy, const std::string& component);

/// The file that holds them all: JSON, replaced as a whole. One that cannot be read is the same as none.
std::vector<LearnedOverrides> list_learned_overrides(const std::filesystem::path& file);
/// Deletes them all; returns how many entries there were. Throws Error(output_not_writable).
int forget_learned_overrides(const std::filesystem::path& file);

/// "$XDG_CACHE_HOME/kinescope/learned_overrides.json", or below ~/.cache.
std::filesystem::path default_overrides_file();

/// Changes with the weights: 16 hexadecimal digits over each weight file's component, size and pieces of it.
std::string model_fingerprint(const ModelFiles& files);

OverrideKey override_key(const VideoJob& job);

/// The entry of one key in that file.
class OverrideFile final : public OverrideMemory {
public:
    OverrideFile(std::filesystem::path file, OverrideKey key) : file_(std::move(file)), key_(std::move(key)) {}
    std::vector<PrecisionOverride> recall(const ComputePolicy& policy) const override;
    void keep(const std::vector<PrecisionOverride>& overrides, const ComputePolicy& policy) override;

private:
    std::filesystem::path file_;
    OverrideKey key_;
};

}  // namespace kinescope
