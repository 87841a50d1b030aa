#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/weights/key_map.h"

namespace kinescope {

/// Names and shapes of a checkpoint, for recognizing models. Reads no values.
class TensorCatalog {
public:
    explicit TensorCatalog(std::shared_ptr<const CheckpointReader> reader);
    /// Returns a catalog of the same tensors with canonical names.
    TensorCatalog renamed(const KeyMap& map) const;

    bool has(const std::string& name) const { return entries_.contains(name); }
    /// Returns the length of an axis, or 0 if the tensor or the axis does not exist.
    std::int64_t dim(const std::string& name, std::size_t axis) const;
    std::size_t num_axes(const std::string& name) const;
    /// Returns the text before `marker` in a name that ends with it, or nullopt if there is none. If there are several,
    /// returns the shortest one.
    std::optional<std::string> prefix_of(std::string_view marker) const;
    /// Returns one more than the largest N in names that start with `prefix` followed by N, such as "blocks.N", or 0 if
    /// there are none.
    std::int64_t count(const std::string& prefix) const;
    bool any_starts_with(std::string_view prefix) const;
    const CheckpointReader& reader() const { return *reader_; }

private:
    std::shared_ptr<const CheckpointReader> reader_;
    std::unordered_map<std::string_view, const TensorEntry*> entries_;  // the names belong to the reader
};

}  // namespace kinescope
