#include "core/weights/weight_store.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "core/api/joined.h"
#include "core/api/numeric_error.h"
#include "core/base/log_line.h"
#include "core/base/mapped_file.h"
#include "core/device/device_fault.h"
#include "core/device/dtype.h"
#include "core/weights/weight_scan.h"

namespace kinescope {
namespace {

constexpr std::size_t kNamed = 8;  // number of tensors listed by name; the remaining ones are only counted

std::string join(const std::vector<std::string>& lines) {
    std::string text = joined(lines | std::views::take(kNamed), "; ");
    if (lines.size() > kNamed) text += "; and " + std::to_string(lines.size() - kNamed) + " more";
    return text;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
    return "[" + joined(shape, ", ", [](std::int64_t side) { return std::to_string(side); }) + "]";
}

std::string count_text(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " tensor" : " tensors");
}

std::span<const std::byte> memory_of(const Tensor& tensor) {
    return {static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()};
}

/// Returns the share of values at the limit of the float8 range, in the first rows of a weight. A cast without a scale
/// leaves many such values (detector S10).
double saturated_share(const Tensor& float8) {
    constexpr std::int64_t kRows = 256;
    if (float8.dim() == 0 || float8.numel() == 0) return 0;
    const WeightScan scan = scan_weight(float8.narrow(0, 0, std::min(float8.size(0), kRows)));
    return static_cast<double>(scan.saturated) / static_cast<double>(scan.count);
}

std::string file_name(const CheckpointReader& reader) {
    return reader.files().empty() ? "The checkpoint" : reader.files().front().string();
}

}  // namespace

WeightStore::WeightStore(std::shared_ptr<const CheckpointReader> reader, Float8Sink float8)
    : reader_(std::move(reader)), float8_(std::move(float8)) {
    for (const auto& entry : reader_->entries()) entries_.emplace(entry.name, &entry);
}

void WeightStore::note_float8(Float8Note note) const {
    if (float8_) float8_(std::move(note));
}

bool WeightStore::has(const std::string& name) const {
    return entries_.contains(name);
}

/// Finds the entry of a tensor. Records the tensor if it is missing or has another shape or type.
WeightStore::Found WeightStore::find(const std::string& name, const std::vector<std::int64_t>& shape) {
    const auto found = entries_.find(name);
    const bool is_new = used_.insert(name).second;
    if (!reader_) {
        if (is_new) wanted_.push_back({.name = name, .shape = shape});
        return {};
    }
    if (found == entries_.end()) {
        if (is_new) missing_.push_back(name);
        return {};
    }
    const TensorEntry& entry = *found->second;
    if (!is_quantized(entry) && !c10::isFloatingType(entry.dtype)) {
        mismatched_.push_back(name + " is stored as " + storage_name(entry) + ", which is not supported");
        ++unsupported_;
        return {};
    }
    if (entry.shape != shape) {
        mismatched_.push_back(name + " has the shape " + shape_text(entry.shape) + " instead of " + shape_text(shape));
        return {};
    }
    return {&entry, is_new};
}

StoredWeight WeightStore::read_checked(const TensorEntry& entry) {
    auto weight = read_stored(*reader_, entry);
    const auto memory = memory_of(weight.data);
    pages_.push_back(memory);
    prefetch_pages(memory);
    if (checked_.insert(entry.name).second) check_numbers(entry, weight);
    if (reading_ == Reading::pinned) weight.data = pinned_if_possible(weight.data);
    return weight;
}

/// Returns a pinned copy, or `data` itself if no pinned memory is left. The copy to the device is then slower.
Tensor WeightStore::pinned_if_possible(const Tensor& data) {
    if (!can_pin_) return data;
    try {
        return data.pin_memory();
    } catch (const c10::Error& error) {
        if (device_fault(error) != DeviceFault::out_of_memory) throw;
        can_pin_ = false;
        log_warning(
            "The computer has no pinned memory left, so streamed blocks are copied from ordinary memory, which is "
            "slower");
        return data;
    }
}

/// Records tensors with NaN or infinite values when they are read (detector S0). If they were not detected, they would
/// make every step invalid.
void WeightStore::check_numbers(const TensorEntry& entry, const StoredWeight& weight) {
    if (!weight.is_quantized()) {
        const WeightScan scan = scan_weight(weight.data);
        if (scan.nan + scan.inf > 0) damaged_.push_back({entry.name, describe_non_finite(scan)});
    } else if (const StoredDamage damage = find_damage(weight); damage.any()) {
        damaged_.push_back({entry.name, describe_damage(damage, storage_name(entry))});
    } else if (c10::isFloat8Type(weight.data.scalar_type())) {
        note_float8(
            {.weight = entry.name, .saturated = saturated_share(weight.data), .kept = weight.data.scalar_type()});
    }
}

Tensor WeightStore::take(const std::string& name, const std::vector<std::int64_t>& shape) {
    const auto [entry, is_new] = find(name, shape);
    if (!entry) return {};
    if (is_new && is_quantized(*entry)) upcast_.push_back(name);
    if (reading_ == Reading::names) return {};
    const auto weight = read_checked(*entry);
    if (!weight.is_quantized()) return weight.data;
    return weight.dequantize(at::kFloat);
}

StoredWeight WeightStore::take_stored(const std::string& name, const std::vector<std::int64_t>& shape) {
    const auto [entry, is_new] = find(name, shape);
    if (!entry) return {};
    if (is_new && is_quantized(*entry)) ++kept_[storage_name(*entry)];
    return reading_ == Reading::names ? StoredWeight{} : read_checked(*entry);
}

WeightSource WeightStore::source(const std::string& name) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) return {};
    return [reader = reader_, entry = found->second] { return read_stored(*reader, *entry).dequantize(at::kFloat); };
}

void WeightStore::refuse_damaged() const {
    if (damaged_.empty()) return;
    const auto& first = damaged_.front();
    const std::string file = reader_->source_of_damage(first.name).string();
    std::vector<std::string> lines;
    for (const auto& tensor : damaged_)
        if (reader_->source_of_damage(tensor.name) == file) lines.push_back(tensor.name + ": " + tensor.found);
    throw NumericError(
        ErrorCode::not_finite, file + " has " + count_text(lines.size()) + " with invalid values: " + join(lines),
        "The file is damaged or was converted to a dtype with too small a range. Download it again, or use another "
        "conversion.",
        {.detector = Detector::weights, .phase = Phase::load, .site = first.name, .found = first.found, .file = file},
        {{"path", file}, {"tensor", first.name}});
}

void WeightStore::finish(const std::vector<std::string>& known_unused) const {
    require_requested();
    refuse_damaged();
    report_quantized();
    warn_of_unused(known_unused);
}

void WeightStore::require_requested() const {
    if (missing_.empty() && mismatched_.empty()) return;
    const std::string file = file_name(*reader_);
    std::string message = file;
    if (!missing_.empty()) message += " lacks " + count_text(missing_.size()) + ": " + join(missing_);
    if (!missing_.empty() && !mismatched_.empty()) message += ". In addition, it";
    if (!mismatched_.empty()) {
        const char* verb = mismatched_.size() == 1 ? " with a wrong shape or type: " : " with wrong shapes or types: ";
        message += " has " + count_text(mismatched_.size()) + verb + join(mismatched_);
    }
    const bool is_type_alone = missing_.empty() && unsupported_ == mismatched_.size();
    throw Error(missing_.empty() ? ErrorCode::wrong_shape : ErrorCode::missing_keys, std::move(message),
                is_type_alone ? "Convert the weights to bfloat16, float16, float32, float8 or GGUF."
                              : "The weights and their config.json probably belong to different models.",
                {{"path", file},
                 {"missing", std::to_string(missing_.size())},
                 {"mismatched", std::to_string(mismatched_.size())},
                 {"unsupported", std::to_string(unsupported_)}});
}

/// Logs how quantized tensors were loaded, in one line per component regardless of their number.
void WeightStore::report_quantized() const {
    if (kept_.empty() && upcast_.empty()) return;
    std::string line = file_name(*reader_) + ":";
    for (const auto& [name, count] : kept_)
        line +=
            " " + count_text(static_cast<std::size_t>(count)) + " are kept as " + name + " and dequantized when used;";
    if (!upcast_.empty()) line += " " + count_text(upcast_.size()) + " upcast on load: " + join(upcast_) + ";";
    line.pop_back();
    log_info(line);
}

void WeightStore::warn_of_unused(const std::vector<std::string>& known_unused) const {
    std::vector<std::string> names = unused();
    std::erase_if(names, [&](const std::string& name) {
        return std::ranges::any_of(known_unused, [&](const std::string& prefix) { return name.starts_with(prefix); });
    });
    if (names.empty()) return;
    log_warning(file_name(*reader_) + ": " + count_text(names.size()) + " not used: " + join(names));
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

std::shared_ptr<WeightStore> WeightScope::share_store() const {
    if (auto store = store_->weak_from_this().lock()) return store;
    throw Error(ErrorCode::internal, "Cannot stream blocks: the weight store is not owned by a shared_ptr");
}

void WeightScope::release_pages() const {
    for (const auto& pages : store_->take_pages()) kinescope::release_pages(pages);
}

WeightScope WeightScope::operator/(std::string_view name) const {
    return WeightScope(*store_, path(name));
}

}  // namespace kinescope
