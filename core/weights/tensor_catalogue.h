#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/weights/key_map.h"

namespace kinescope {

/// The names and shapes of a checkpoint, to be asked what it is. Nothing here reads a value.
class TensorCatalogue {
public:
    explicit TensorCatalogue(std::shared_ptr<const CheckpointReader> reader);
    /// The same tensors under canonical names.
    TensorCatalogue renamed(const KeyMap& map) const;

    bool has(const std::string& name) const { return entries_.contains(name); }
    /// The length of an axis; 0 for a tensor that is not there or has not so many axes.
    std::int64_t dim(const std::string& name, std::size_t axis) const;
    std::size_t num_axes(const std::string& name) const;
    /// What stands before `marker` in the one name that ends in it; the shortest where there are several.
    std::optional<std::string> prefix_of(std::string_view marker) const;
    /// One more than the largest N of the names that begin with `prefix` and N, as "blocks.N"; 0: none.
    std::int64_t count(const std::string& prefix) const;
    bool any_starts_with(std::string_view prefix) const;
    const CheckpointReader& reader() const { return *reader_; }

private:
    std::shared_ptr<const CheckpointReader> reader_;
    std::unordered_map<std::string, const TensorEntry*> entries_;
};

}  // namespace kinescope
