#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/weights/checkpoint_reader.h"

namespace kinescope {

enum class TensorForm {
    as_stored,
    transposed,  ///< the transpose of a tensor with two axes
    squeezed,    ///< without axes of length 1: a 1x1 convolution used as a linear layer
};

/// Describes how a canonical tensor is obtained from a stored one: the first axis is split into `of` equal pieces, and
/// the pieces `take` are concatenated in that order.
struct TensorPiece {
    int of = 1;
    std::vector<int> take = {0};
    TensorForm form = TensorForm::as_stored;
    bool operator==(const TensorPiece&) const = default;
};

/// One rule of a key map. Both names consist of dot-separated segments; "*" stands for a number, the same on both
/// sides. The rest of a tensor's name (".weight", ".scale_weight") does not change.
struct KeyRule {
    std::string stored;
    std::string canonical;  ///< empty if the model does not use the tensor
    TensorPiece piece = {};
};

enum class Unmatched { kept, dropped };

/// Shapes by canonical name.
using TensorShapes = std::map<std::string, std::vector<std::int64_t>>;

/// Maps the tensor names of a file to those of diffusers. Rules are tried in order. The first match applies, together
/// with all other rules with the same `stored` name (a fused tensor has one per part).
struct KeyMap {
    std::string naming;  ///< display name of the naming scheme; empty if the names are canonical
    std::string prefix;  ///< removed from the names; tensors without it belong to other parts
    std::vector<KeyRule> rules;
    Unmatched unmatched = Unmatched::kept;
    TensorShapes shapes = {};  ///< of tensors whose values the file stores in another shape
};

struct MappedName {
    std::string name;
    TensorPiece piece = {};
    bool operator==(const MappedName&) const = default;
};

/// Returns the canonical tensors that a stored one maps to: none, one, or the parts of a fused one.
std::vector<MappedName> map_name(const KeyMap& map, std::string_view stored);

/// Returns the stored name for a canonical one, without the prefix. Returns the same name if no rule applies, and an
/// empty string for a part of a fused tensor.
std::string stored_name(const KeyMap& map, std::string_view canonical);

/// Wraps a reader and renames its tensors to canonical names. Slices are views. Throws Error(checkpoint_corrupt) if two
/// tensors map to the same name, a fused one cannot be split, or a shape of the map has another number of values.
class MappedReader final : public CheckpointReader {
public:
    MappedReader(std::shared_ptr<const CheckpointReader> stored, const KeyMap& map);

    const std::vector<TensorEntry>& entries() const override { return entries_; }
    Tensor read(const std::string& name) const override;
    const std::map<std::string, std::string>& metadata() const override { return stored_->metadata(); }
    const std::vector<std::filesystem::path>& files() const override { return stored_->files(); }
    std::filesystem::path source_of_damage(const std::string& name) const override {
        const auto found = sources_.find(name);
        return stored_->source_of_damage(found == sources_.end() ? name : found->second.name);
    }

private:
    struct Source {
        std::string name;
        TensorPiece piece;
        std::vector<std::int64_t> shape = {};  ///< empty if the values are returned in their own shape
    };

    void add(const TensorEntry& stored, const MappedName& mapped);
    void give_shape(TensorEntry& entry, const std::vector<std::int64_t>& shape);

    std::shared_ptr<const CheckpointReader> stored_;
    std::vector<TensorEntry> entries_;
    std::map<std::string, Source> sources_;
};

/// Returns a reader with canonical names, or `stored` itself if the map changes nothing.
std::shared_ptr<const CheckpointReader> with_canonical_names(std::shared_ptr<const CheckpointReader> stored,
                                                             const KeyMap& map);

}  // namespace kinescope
