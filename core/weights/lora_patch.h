#pragma once

#include <set>

#include "core/weights/lora_file.h"
#include "core/weights/weight_addition.h"

namespace kinescope {

/// Names of the original authors that a LoRA may use in addition to the canonical names. The map may be empty.
using NativeKeys = KeyMap;

/// Collects the additions of a LoRA to the tensors of `base`. Returns the names of the modules that match by name and
/// shape. A module with a part that does not fit adds nothing.
std::set<std::string> resolve_lora(const LoraFile& lora, double scale, const CheckpointReader& base,
                                   const NativeKeys& native, WeightAdditions& additions);

/// A reader that applies LoRA additions to a checkpoint. Returns changed tensors as float32 with the additions applied.
/// Quantized tensors keep their format, and their entries list the additions.
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
    WeightAdditions additions_;  ///< applied by read()
    WeightAdditions carried_;    ///< additions to quantized tensors, listed in their entries
    std::vector<TensorEntry> entries_;
};

}  // namespace kinescope
