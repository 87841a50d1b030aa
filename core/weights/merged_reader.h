#pragma once

#include <memory>
#include <unordered_set>

#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// Reads two checkpoints as one. A tensor that both contain comes from the second one.
class MergedReader final : public CheckpointReader {
public:
    MergedReader(std::shared_ptr<const CheckpointReader> base, std::shared_ptr<const CheckpointReader> over);

    const std::vector<TensorEntry>& entries() const override { return entries_; }
    Tensor read(const std::string& name) const override { return source_of(name).read(name); }
    const std::map<std::string, std::string>& metadata() const override { return base_->metadata(); }
    const std::vector<std::filesystem::path>& files() const override { return files_; }
    std::filesystem::path source_of_damage(const std::string& name) const override {
        return source_of(name).source_of_damage(name);
    }

private:
    const CheckpointReader& source_of(const std::string& name) const {
        return over_names_.contains(name) ? *over_ : *base_;
    }

    std::shared_ptr<const CheckpointReader> base_;
    std::shared_ptr<const CheckpointReader> over_;
    std::unordered_set<std::string> over_names_;
    std::vector<TensorEntry> entries_;
    std::vector<std::filesystem::path> files_;
};

}  // namespace kinescope
