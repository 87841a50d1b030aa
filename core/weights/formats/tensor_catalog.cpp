#include "core/weights/formats/tensor_catalog.h"

#include <algorithm>
#include <charconv>

namespace kinescope {

TensorCatalog::TensorCatalog(std::shared_ptr<const CheckpointReader> reader) : reader_(std::move(reader)) {
    entries_.reserve(reader_->entries().size());
    for (const auto& entry : reader_->entries()) entries_.emplace(entry.name, &entry);
}

TensorCatalog TensorCatalog::renamed(const KeyMap& map) const {
    return TensorCatalog(with_canonical_names(reader_, map));
}

std::int64_t TensorCatalog::dim(const std::string& name, std::size_t axis) const {
    const auto found = entries_.find(name);
    if (found == entries_.end() || axis >= found->second->shape.size()) return 0;
    return found->second->shape[axis];
}

std::size_t TensorCatalog::num_axes(const std::string& name) const {
    const auto found = entries_.find(name);
    return found == entries_.end() ? 0 : found->second->shape.size();
}

std::optional<std::string> TensorCatalog::prefix_of(std::string_view marker) const {
    std::optional<std::string> prefix;
    for (const auto& entry : reader_->entries()) {
        const std::string_view name = entry.name;
        if (!name.ends_with(marker)) continue;
        const auto before = name.substr(0, name.size() - marker.size());
        if (!before.empty() && !before.ends_with('.')) continue;
        if (!prefix || before.size() < prefix->size()) prefix = std::string(before);
    }
    return prefix;
}

std::int64_t TensorCatalog::count(const std::string& prefix) const {
    std::int64_t count = 0;
    for (const auto& entry : reader_->entries()) {
        if (!entry.name.starts_with(prefix)) continue;
        const char* begin = entry.name.data() + prefix.size();
        const char* const end = entry.name.data() + entry.name.size();
        std::int64_t index = -1;
        const auto [after, error] = std::from_chars(begin, end, index);
        if (error != std::errc{} || (after != end && *after != '.')) continue;
        if (index >= 0 && index < 100'000) count = std::max(count, index + 1);
    }
    return count;
}

bool TensorCatalog::any_starts_with(std::string_view prefix) const {
    return std::ranges::any_of(reader_->entries(), [&](const auto& entry) { return entry.name.starts_with(prefix); });
}

}  // namespace kinescope
