#include "core/weights/formats/safetensors_reader.h"

#include <utility>

#include "core/api/error.h"
#include "core/weights/formats/mapped_tensor.h"
#include "core/weights/formats/safetensors_header.h"

namespace kinescope {

SafetensorsReader::SafetensorsReader(std::shared_ptr<const MappedFile> file)
    : file_(std::move(file)), files_{file_->path()} {
    auto header = parse_safetensors_header(file_->bytes(), file_->path());
    metadata_ = std::move(header.metadata);
    index_.reserve(header.entries.size());
    entries_.reserve(header.entries.size());
    offsets_.reserve(header.entries.size());
    for (auto& entry : header.entries) {
        offsets_.push_back(entry.offset);
        entries_.push_back(std::move(entry.tensor));
        index_.emplace(entries_.back().name, entries_.size() - 1);
    }
}

Tensor SafetensorsReader::read(const std::string& name) const {
    const auto found = index_.find(name);
    if (found == index_.end()) {
        throw Error(ErrorCode::missing_keys, files_.front().string() + " has no tensor '" + name + "'");
    }
    const TensorEntry& entry = entries_[found->second];
    return map_tensor(file_,
                      {.offset = offsets_[found->second], .shape = entry.shape, .dtype = entry.dtype, .strides = {}});
}

}  // namespace kinescope
