#pragma once

#include <set>

#include "core/weights/lora_file.h"
#include "core/weights/weight_addition.h"

namespace kinescope {

/// Whose names a LoRA may use, besides the canonical ones: those of the original authors. May be empty.
using NativeKeys = KeyMap;

/// Finds the tensors of `base` that a LoRA changes. Returns the names of the modules that fit; those of another shape
/// do not.
std::set<std::string> resolve_lora(const LoraFile& lora, double scale, const CheckpointReader& base,
                                   const NativeKeys& native, WeightAdditions& additions);

/// A checkpoint whose changed tensors are read as float32 with their additions; quantised ones stay as they are stored
/// and carry theirs along.
class PatchedReader final : public CheckpointReader {
public:
    PatchedReader(std::shared_ptr<const CheckpointReader> base, WeightAdditions additions);

    const std::vector<TensorEntry>& entries() const override { return entries_; }
    Tensor read(const std::string& name) const override;
    const std::map<std::string, std::string>& metadata() const override { return base_->metadata(); }
    const std::vector<std::filesystem::path>& files() const override { return base_->files(); }
    std::filesystem::path source_of_damage(const std::string& name) const override;

private:
    std::shared_ptr<const CheckpointReader> base_;
    WeightAdditions additions_;  ///< to what read() gives
    WeightAdditions carried_;    ///< to quantised tensors, by their entries
    std::vector<TensorEntry> entries_;
};

}  // namespace kinescope
