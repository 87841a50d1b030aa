#include "core/weights/weight_store.h"

#include <algorithm>
#include <utility>

#include "core/api/error.h"
#include "core/base/log_line.h"
#include "core/device/dtype.h"

namespace kinescope {
namespace {

constexpr std::size_t kNamed = 8;  // how many are spelt out; the rest is counted

std::string join(const std::vector<std::string>& lines) {
    std::string text;
    for (std::size_t i = 0; i < std::min(lines.size(), kNamed); ++i) text += (i ? "; " : "") + lines[i];
    if (lines.size() > kNamed) text += "; and " + std::to_string(lines.size() - kNamed) + " more";
    return text;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + "]";
}

std::string count_text(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " tensor" : " tensors");
}

}  // namespace

WeightStore::WeightStore(std::shared_ptr<const CheckpointReader> reader) : reader_(std::move(reader)) {
    for (const auto& entry : reader_->entries()) entries_.emplace(entry.name, &entry);
}

bool WeightStore::has(const std::string& name) const {
    return entries_.contains(name);
}

Tensor WeightStore::take(const std::string& name, const std::vector<std::int64_t>& shape) {
    const auto found = entries_.find(name);
    const bool is_new = used_.insert(name).second;
    if (found == entries_.end()) {
        if (is_new) missing_.push_back(name);
        return {};
    }
    const Dtype dtype = found->second->dtype;
    if (dtype != at::kFloat && dtype != at::kHalf && dtype != at::kBFloat16 && dtype != at::kDouble) {
        mismatched_.push_back(name + " is stored as " + dtype_name(dtype) + ", which means nothing without its scale");
        return {};
    }
    const auto& stored = found->second->shape;
    if (stored != shape) {
        mismatched_.push_back(name + " is " + shape_text(stored) + " where the configuration asks for " +
                              shape_text(shape));
        return {};
    }
    return reader_->read(name);
}

void WeightStore::finish(const std::vector<std::string>& known_unused) const {
    if (missing_.empty() && mismatched_.empty()) return warn_of_unused(known_unused);
    const std::string file = reader_->files().empty() ? "The checkpoint" : reader_->files().front().string();
    std::string message = file;
    if (!missing_.empty()) message += " lacks " + count_text(missing_.size()) + ": " + join(missing_);
    if (!missing_.empty() && !mismatched_.empty()) message += ". Besides, it";
    if (!mismatched_.empty()) {
        message += " has " + count_text(mismatched_.size()) + " that do not fit: " + join(mismatched_);
    }
    throw Error(missing_.empty() ? ErrorCode::wrong_shape : ErrorCode::missing_keys, std::move(message),
                "The weights and the config.json beside them are probably of different models.",
                {{"path", file},
                 {"missing", std::to_string(missing_.size())},
                 {"mismatched", std::to_string(mismatched_.size())}});
}

void WeightStore::warn_of_unused(const std::vector<std::string>& known_unused) const {
    std::vector<std::string> names = unused();
    std::erase_if(names, [&](const std::string& name) {
        return std::ranges::any_of(known_unused, [&](const std::string& prefix) { return name.starts_with(prefix); });
    });
    if (names.empty()) return;
    const std::string file = reader_->files().empty() ? "The checkpoint" : reader_->files().front().string();
    log_warning(file + ": " + count_text(names.size()) + " not used: " + join(names));
}

std::vector<std::string> WeightStore::unused() const {
    std::vector<std::string> names;
    for (const auto& entry : reader_->entries()) {
        if (!used_.contains(entry.name)) names.push_back(entry.name);
    }
    return names;
}

std::string WeightScope::path(std::string_view name) const {
    std::string path = prefix_;
    if (!path.empty() && !name.empty()) path += '.';
    return path.append(name);
}

WeightScope WeightScope::operator/(std::string_view name) const {
    return WeightScope(*store_, path(name));
}

}  // namespace kinescope
