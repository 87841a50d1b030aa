#include "core/weights/key_map.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "core/api/error.h"

namespace kinescope {
namespace {

/// Removes the first segment from `rest` and returns it. The dot before the next segment remains in `rest`.
std::string_view take_segment(std::string_view& rest) {
    if (rest.starts_with('.')) rest.remove_prefix(1);
    const auto segment = rest.substr(0, rest.find('.'));
    rest.remove_prefix(segment.size());
    return segment;
}

bool is_number(std::string_view text) {
    return !text.empty() && text.size() <= 6 &&
           std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

struct Match {
    std::vector<std::string_view> numbers;
    std::string_view rest;  ///< starts with a dot
};

std::optional<Match> match(std::string_view pattern, std::string_view name) {
    Match found;
    while (!pattern.empty()) {
        if (name.empty()) return std::nullopt;
        const auto expected = take_segment(pattern);
        const auto segment = take_segment(name);
        if (expected != "*" && expected != segment) return std::nullopt;
        if (expected != "*") continue;
        if (!is_number(segment)) return std::nullopt;
        found.numbers.push_back(segment);
    }
    found.rest = name;
    return found;
}

std::string fill(std::string_view pattern, const Match& found) {
    std::string name;
    auto number = found.numbers.begin();
    while (!pattern.empty()) {
        const auto segment = take_segment(pattern);
        if (!name.empty()) name += '.';
        name += segment == "*" && number != found.numbers.end() ? *number++ : segment;
    }
    return name.append(found.rest);
}

std::vector<std::int64_t> mapped_shape(std::vector<std::int64_t> shape, const TensorPiece& piece) {
    if (piece.of > 1) shape.front() = shape.front() / piece.of * static_cast<std::int64_t>(piece.take.size());
    if (piece.form == TensorForm::squeezed) std::erase(shape, 1);
    if (piece.form == TensorForm::transposed) std::reverse(shape.begin(), shape.end());
    return shape;
}

Tensor cut(const Tensor& stored, const TensorPiece& piece) {
    if (piece.of == 1) return stored;
    const auto length = stored.size(0) / piece.of;
    std::vector<Tensor> parts;
    for (const int index : piece.take) parts.push_back(stored.narrow(0, index * length, length));
    return parts.size() == 1 ? parts.front() : at::cat(parts);
}

[[noreturn]] void refuse(const CheckpointReader& reader, const std::string& what) {
    const std::string file = reader.files().empty() ? "The checkpoint" : reader.files().front().string();
    throw Error(ErrorCode::checkpoint_corrupt, file + ": " + what, "Download the file again.", {{"path", file}});
}

}  // namespace

std::vector<MappedName> map_name(const KeyMap& map, std::string_view stored) {
    if (!stored.starts_with(map.prefix)) return {};
    stored.remove_prefix(map.prefix.size());
    std::vector<MappedName> names;
    const KeyRule* first = nullptr;
    for (const auto& rule : map.rules) {
        if (first != nullptr && rule.stored != first->stored) continue;
        const auto found = match(rule.stored, stored);
        if (!found) continue;
        first = &rule;
        if (!rule.canonical.empty()) names.push_back({fill(rule.canonical, *found), rule.piece});
    }
    if (first == nullptr && map.unmatched == Unmatched::kept) names.push_back({std::string(stored), {}});
    return names;
}

std::string stored_name(const KeyMap& map, std::string_view canonical) {
    const KeyRule* best = nullptr;
    std::optional<Match> matched;
    for (const auto& rule : map.rules) {
        // Prefer the longest name: "attn.relative_attention_bias" does not belong to "attn".
        if (rule.canonical.empty() || (best != nullptr && rule.canonical.size() <= best->canonical.size())) continue;
        auto found = match(rule.canonical, canonical);
        if (!found) continue;
        best = &rule;
        matched = std::move(found);
    }
    if (best == nullptr) return std::string(canonical);
    return best->piece == TensorPiece{} ? fill(best->stored, *matched) : std::string();
}

MappedReader::MappedReader(std::shared_ptr<const CheckpointReader> stored, const KeyMap& map)
    : stored_(std::move(stored)) {
    for (const auto& entry : stored_->entries())
        for (const auto& mapped : map_name(map, entry.name)) add(entry, mapped);
    for (auto& entry : entries_)
        if (const auto found = map.shapes.find(entry.name); found != map.shapes.end()) give_shape(entry, found->second);
}

void MappedReader::add(const TensorEntry& stored, const MappedName& mapped) {
    const auto& piece = mapped.piece;
    if (piece.of > 1 && (stored.shape.empty() || stored.shape.front() % piece.of != 0))
        refuse(*stored_, stored.name + " cannot be split into " + std::to_string(piece.of) + " equal parts");
    if (piece.form == TensorForm::transposed && stored.shape.size() != 2)
        refuse(*stored_, stored.name + " does not have two axes");
    if (!sources_.emplace(mapped.name, Source{.name = stored.name, .piece = piece}).second)
        refuse(*stored_, sources_.at(mapped.name).name + " and " + stored.name + " both map to the model's tensor " +
                             mapped.name);
    TensorEntry entry = stored;
    entry.name = mapped.name;
    entry.shape = mapped_shape(stored.shape, piece);
    if (entry.scale.defined() && entry.scale.dim() > 0) entry.scale = cut(entry.scale, piece);  // one scale per row
    entry.bytes = stored.bytes / piece.of * static_cast<std::int64_t>(piece.take.size());
    entries_.push_back(std::move(entry));
}

void MappedReader::give_shape(TensorEntry& entry, const std::vector<std::int64_t>& shape) {
    const auto values = entry.numel();
    entry.shape = shape;
    if (entry.numel() != values) refuse(*stored_, entry.name + " has another number of values than expected");
    if (entry.packing == Packing::none) sources_.at(entry.name).shape = shape;  // packed values are read as blocks
}

Tensor MappedReader::read(const std::string& name) const {
    const auto found = sources_.find(name);
    if (found == sources_.end()) return stored_->read(name);  // throws for an unknown name
    const auto& [stored, piece, shape] = found->second;
    const Tensor tensor = cut(stored_->read(stored), piece);
    if (!shape.empty()) return tensor.reshape(shape);
    if (piece.form == TensorForm::squeezed) return tensor.squeeze();
    return piece.form == TensorForm::transposed ? tensor.t().contiguous() : tensor;
}

std::shared_ptr<const CheckpointReader> with_canonical_names(std::shared_ptr<const CheckpointReader> stored,
                                                             const KeyMap& map) {
    const bool is_identity =
        map.prefix.empty() && map.rules.empty() && map.shapes.empty() && map.unmatched == Unmatched::kept;
    if (is_identity) return stored;
    return std::make_shared<MappedReader>(std::move(stored), map);
}

}  // namespace kinescope
