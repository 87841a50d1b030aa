#include "core/jobs/plan/weight_sizes.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "core/nn/cpu/linear_product.h"
#include "core/nn/cpu/winograd.h"
#include "core/weights/quantizable.h"
#include "core/weights/stored_weight.h"

namespace kinescope {

namespace {

/// Limit of block numbers. Larger numbers are ignored, because tensor names can contain any number.
constexpr std::size_t kMaxBlocks = 4096;

constexpr std::int64_t kKernelSide = 3, kKernel = 9;

std::int64_t size_of(Dtype dtype) {
    return static_cast<std::int64_t>(c10::elementSize(dtype));
}

/// Returns the number of the block to which a tensor belongs: 12 for "blocks.12.attn1.to_q.weight" and the list
/// "blocks".
std::optional<std::size_t> number_in(const std::string& name, const std::string& list) {
    if (!name.starts_with(list + ".")) return std::nullopt;
    std::size_t number = 0;
    const auto* begin = name.data() + list.size() + 1;
    const auto [end, error] = std::from_chars(begin, name.data() + name.size(), number);
    const bool is_number = error == std::errc{} && end != name.data() + name.size() && *end == '.';
    return is_number && number < kMaxBlocks ? std::optional(number) : std::nullopt;
}

/// Returns true for the weight of a 3x3 convolution, over one or more frames, that uses Winograd's algorithm. A 16-bit
/// weight then stays in 16 bits.
bool is_for_winograd(const TensorEntry& entry, const Precision& precision) {
    const bool is_plain = precision.device.is_cpu() && precision.compute == at::kFloat && !is_quantized(entry);
    if (!is_plain || entry.shape.size() < 4 || entry.shape.back() != kKernelSide) return false;
    return winograd_pays(entry.shape[1], entry.shape[0]);
}

/// Returns the memory in which StoredWeight::dequantize computes the weight of a layer, including the result.
std::int64_t dequantizing_bytes(const TensorEntry& entry, const Precision& precision) {
    constexpr std::int64_t kFloat = sizeof(float);
    // For each value of a packed weight; measured: 9.1 bytes for Q8_0, 14.5 for Q5_K.
    constexpr std::int64_t kUnpacking = 15;
    const auto numbers = entry.numel(), result = numbers * size_of(precision.compute);
    const auto unpacking =
        entry.packing == Packing::none ? 0 : kUnpacking * std::min(numbers, numbers_unpacked_at_once(precision.device));
    // The sum and one addition to it, which are float32.
    if (!entry.additions.empty()) return numbers * kFloat + std::max(numbers * kFloat, unpacking);
    // Weights that the program quantizes itself have a scale.
    const bool is_scaled = entry.scale.defined() || !is_quantized(entry);
    return result + (is_scaled && precision.compute != at::kFloat ? numbers * kFloat : unpacking);
}

/// Returns the size of the LoRAs of a quantized weight, which stay beside it.
std::int64_t additions_bytes(const TensorEntry& entry) {
    std::int64_t bytes = 0;
    for (const WeightAddition& addition : entry.additions)
        for (const Tensor& part : {addition.down, addition.up, addition.diff})
            if (part.defined()) bytes += static_cast<std::int64_t>(part.nbytes());
    return bytes;
}

/// Returns the size of the temporary copy that a matrix product makes of a weight, or 0 if it makes none.
std::int64_t widened_bytes(const TensorEntry& entry, Dtype kept, const Precision& precision) {
    if (entry.shape.size() < 2) return 0;
    if (is_for_winograd(entry, precision))
        return transformed_filter_bytes(entry.shape[1], entry.shape[0],
                                        entry.numel() / entry.shape[0] / entry.shape[1] / kKernel);
    const bool is_half = kept == at::kHalf || kept == at::kBFloat16;
    const bool is_read_so = is_half && precision.device.is_cpu() && precision.compute == at::kFloat &&
                            entry.shape.size() == 2 && !is_quantized(entry) && rows_for_free_widening().has_value();
    return kept == precision.compute || is_read_so ? 0 : entry.numel() * size_of(precision.compute);
}

/// Returns the dtype in which a tensor is kept in memory. Norms, gates and biases are small and always float32.
Dtype kept_dtype(const TensorEntry& entry, const Precision& precision) {
    if (entry.shape.size() < 2) return at::kFloat;
    const bool is_half = entry.dtype == at::kHalf || entry.dtype == at::kBFloat16;
    if (is_half && is_for_winograd(entry, precision)) return entry.dtype;
    const bool may_quantize = entry.shape.size() == 2 && is_quantizable(entry.name);
    return may_quantize ? precision.storage : plain_storage(precision);
}

/// Returns true for tensors of a Linear or a convolution, to which Precision::storage applies.
bool is_product_weight(const TensorEntry& entry) {
    const bool is_named = entry.name.ends_with(".weight") || entry.name.ends_with(".bias");
    return is_named && !is_quantized(entry) && entry.name.find("norm") == std::string::npos;
}

}  // namespace

Dtype exact_storage(const std::vector<TensorEntry>& entries, const Precision& precision) {
    std::set<Dtype> dtypes;
    for (const auto& entry : entries)
        if (is_product_weight(entry)) dtypes.insert(entry.dtype);
    const bool is_half = dtypes == std::set{at::kBFloat16} || dtypes == std::set{at::kHalf};
    return is_half && precision.storage == at::kFloat ? *dtypes.begin() : precision.storage;
}

void WeightSizes::Bytes::add(const Bytes& other) {
    stored += other.stored;
    kept += other.kept;
    copied += other.copied;
    read += other.read;
}

WeightSizes::WeightSizes(const std::vector<TensorEntry>& entries, const std::vector<std::string>& block_lists,
                         const Precision& precision)
    : precision_(precision), lists_(block_lists.size()) {
    for (const auto& entry : entries) {
        Bytes* group = &outside_;
        for (std::size_t list = 0; list < block_lists.size(); ++list) {
            const auto number = number_in(entry.name, block_lists[list]);
            if (!number) continue;
            lists_[list].resize(std::max(lists_[list].size(), *number + 1));
            group = &lists_[list][*number];
        }
        add(entry, *group);
    }
}

void WeightSizes::add(const TensorEntry& entry, Bytes& group) {
    const bool is_packed = is_quantized(entry) && precision_.quantized == QuantizedWeights::keep;
    const auto dtype = is_packed ? entry.dtype : kept_dtype(entry, precision_);
    const auto stored = entry.bytes + additions_bytes(entry);
    const auto kept = is_packed ? stored : entry.numel() * size_of(dtype);
    const bool is_view = precision_.device.is_cpu() && dtype == entry.dtype;
    group.add({.stored = stored, .kept = kept, .copied = is_view ? 0 : kept, .read = is_view ? 0 : stored});
    // Only the rows that are read of a table outside the blocks are dequantized.
    const bool is_layer = &group != &outside_ && entry.shape.size() == 2;
    const bool is_dequantized = is_layer && (is_packed || c10::isFloat8Type(dtype) || dtype == at::kChar);
    widened_ = std::max(
        widened_, is_dequantized ? dequantizing_bytes(entry, precision_) : widened_bytes(entry, dtype, precision_));
}

std::int64_t WeightSizes::all_bytes() const {
    auto bytes = outside_.kept;
    for (const auto& list : lists_)
        for (const auto& block : list) bytes += block.kept;
    return bytes;
}

/// Returns the memory of two blocks, because one is loaded while the other computes. On a CPU, this includes their file
/// pages and copies.
std::int64_t WeightSizes::streamed_bytes(const Bytes& block) const {
    return 2 * (precision_.device.is_cpu() ? block.stored + block.copied : block.kept);
}

std::int64_t WeightSizes::peak_bytes(int resident_blocks) const {
    auto resident = outside_.kept;
    std::int64_t streamed = 0;            // each list has a stream of its own
    std::int64_t source = outside_.read;  // during conversion
    for (const auto& list : lists_) {
        std::int64_t largest = 0;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (i >= static_cast<std::size_t>(resident_blocks)) {
                largest = std::max(largest, streamed_bytes(list[i]));
                continue;
            }
            resident += list[i].kept;
            source = std::max(source, list[i].read);
        }
        streamed += largest;
    }
    if (!precision_.device.is_cpu()) source = 0;
    return resident + std::max(source, streamed + widened_);
}

int WeightSizes::num_blocks() const {
    std::size_t most = 0;
    for (const auto& list : lists_) most = std::max(most, list.size());
    return static_cast<int>(most);
}

}  // namespace kinescope
