#include "core/weights/formats/gguf_reader.h"

#include <utility>

#include "core/api/error.h"
#include "core/weights/formats/gguf_header.h"
#include "core/weights/formats/mapped_tensor.h"

namespace kinescope {

GgufReader::GgufReader(std::shared_ptr<const MappedFile> file) : file_(std::move(file)), files_{file_->path()} {
    auto header = parse_gguf_header(file_->bytes(), file_->path());
    metadata_ = std::move(header.metadata);
    for (auto& entry : header.entries) {
        index_.emplace(entry.tensor.name, entries_.size());
        offsets_.push_back(entry.offset);
        entries_.push_back(std::move(entry.tensor));
    }
}

Tensor GgufReader::read(const std::string& name) const {
    const auto found = index_.find(name);
    if (found == index_.end())
        throw Error(ErrorCode::missing_keys, files_.front().string() + " has no tensor '" + name + "'");
    const TensorEntry& entry = entries_[found->second];
    const auto size = block_size(entry.packing);
    const auto shape =
        entry.packing == Packing::none ? entry.shape : std::vector<std::int64_t>{entry.bytes / size.bytes, size.bytes};
    return map_tensor(file_, {.offset = offsets_[found->second], .shape = shape, .dtype = entry.dtype, .strides = {}});
}

}  // namespace kinescope
