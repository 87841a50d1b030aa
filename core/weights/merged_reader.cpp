#include "core/weights/merged_reader.h"

namespace kinescope {

MergedReader::MergedReader(std::shared_ptr<const CheckpointReader> base, std::shared_ptr<const CheckpointReader> over)
    : base_(std::move(base)), over_(std::move(over)), files_(base_->files()) {
    for (const TensorEntry& entry : over_->entries()) over_names_.insert(entry.name);
    for (const TensorEntry& entry : base_->entries())
        if (!over_names_.contains(entry.name)) entries_.push_back(entry);
    entries_.insert(entries_.end(), over_->entries().begin(), over_->entries().end());
    files_.insert(files_.end(), over_->files().begin(), over_->files().end());
}

}  // namespace kinescope
