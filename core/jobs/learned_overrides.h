#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/cache_file.h"
#include "core/jobs/model_fingerprint.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// The setup for which an override (the record of a raised op) was learned. Another driver, library or model may need
/// other overrides, or none.
struct OverrideKey {
    std::string device;    ///< id and name, "cuda:0 NVIDIA H100"
    std::string driver;    ///< version; empty for the CPU
    std::string libtorch;  ///< version
    std::string model;     ///< family and networks, see ModelIdentity
    bool operator==(const OverrideKey&) const = default;
};

/// An override, and the precision that was planned for its component when it was learned.
struct StoredOverride {
    PrecisionOverride override;
    std::string planned;  ///< see planned_precision
    bool operator==(const StoredOverride&) const = default;
};

struct LearnedOverrides {
    OverrideKey key;
    std::string learned;  ///< time, UTC, ISO 8601
    std::vector<StoredOverride> overrides;
};

template <>
struct CacheFormat<LearnedOverrides> {
    static Json write(const LearnedOverrides& entry);
    static LearnedOverrides read(const Json& json);
};

/// Returns the precision of a component, which determines whether its ops overflow or lose accuracy: "float16", or
/// "float32, int8 weights". Returns an empty string if the policy does not contain the component.
std::string planned_precision(const ComputePolicy& policy, const std::string& component);

/// Reads all entries of the file. Returns none if the file is missing or damaged.
std::vector<LearnedOverrides> list_learned_overrides(const std::filesystem::path& file);
/// Deletes the file. Returns the number of its entries. Throws Error(output_not_writable).
int forget_learned_overrides(const std::filesystem::path& file);

/// Returns "<cache>/learned_overrides.json".
std::filesystem::path default_overrides_file();

OverrideKey override_key(const PreparedRun& job, const ModelIdentity& model);

/// Reads and writes the overrides of one setup in the file.
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
