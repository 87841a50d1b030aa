#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/weights/checkpoint_reader.h"

namespace kinescope {

enum class TensorForm {
    as_stored,
    transposed,  ///< of two axes
    squeezed,    ///< without the axes of length one: a 1x1 convolution as a linear layer
};

/// What of a stored tensor a canonical one takes: the first axis is cut into `of` equal pieces, of which `take` are
/// joined in that order.
struct TensorPiece {
    int of = 1;
    std::vector<int> take = {0};
    TensorForm form = TensorForm::as_stored;
    bool operator==(const TensorPiece&) const = default;
};

/// One line of a key map. Both names are whole segments between dots; "*" stands for a number, the same on both sides.
/// What follows in a tensor's name (".weight", ".scale_weight") is kept.
struct KeyRule {
    std::string stored;
    std::string canonical;  ///< empty: of no use to the model
    TensorPiece piece = {};
};

enum class Unmatched { kept, dropped };

/// How the tensors of a file are called in diffusers. Lines are tried in order; the first that fits counts, together
/// with all lines of the same `stored` (a fused tensor has one for each part).
struct KeyMap {
    std::string naming;  ///< whose names these are, for people; empty: canonical already
    std::string prefix;  ///< taken off; tensors without it belong to other parts
    std::vector<KeyRule> rules;
    Unmatched unmatched = Unmatched::kept;
};

struct MappedName {
    std::string name;
    TensorPiece piece = {};
    bool operator==(const MappedName&) const = default;
};

/// The canonical tensors that a stored one gives: none, one, or the parts of a fused one.
std::vector<MappedName> map_name(const KeyMap& map, std::string_view stored);

/// The stored name of a canonical one without the prefix; the same where no rule applies, and empty for a part of a
/// fused tensor.
std::string stored_name(const KeyMap& map, std::string_view canonical);

/// Another reader's tensors under canonical names. Slices are views. Throws Error(checkpoint_corrupt) when two tensors
/// get one name or a fused one cannot be cut.
class MappedReader final : public CheckpointReader {
public:
    MappedReader(std::shared_ptr<const CheckpointReader> stored, const KeyMap& map);

    const std::vector<TensorEntry>& entries() const override { return entries_; }
    Tensor read(const std::string& name) const override;
    const std::map<std::string, std::string>& metadata() const override { return stored_->metadata(); }
    const std::vector<std::filesystem::path>& files() const override { return stored_->files(); }

private:
    struct Source {
        std::string name;
        TensorPiece piece;
    };

    void add(const TensorEntry& stored, const MappedName& mapped);

    std::shared_ptr<const CheckpointReader> stored_;
    std::vector<TensorEntry> entries_;
    std::map<std::string, Source> sources_;
};

/// The reader itself where the map changes nothing.
std::shared_ptr<const CheckpointReader> with_canonical_names(std::shared_ptr<const CheckpointReader> stored,
                                                             const KeyMap& map);

}  // namespace kinescope
