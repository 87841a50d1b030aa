#include "core/weights/stored_weight.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/device/dtype.h"
#include "core/weights/formats/unpack_blocks.h"
#include "core/weights/weight_scan.h"

namespace kinescope {

namespace {

Tensor unpack(const Tensor& blocks, Packing packing, Dtype dtype) {
    const auto size = block_size(packing);
    auto numbers = at::empty({blocks.size(0), size.numbers}, blocks.options().dtype(dtype));
    const auto step = numbers_unpacked_at_once(blocks.device()) / size.numbers;
    for (std::int64_t first = 0; first < blocks.size(0); first += step) {
        const auto count = std::min(step, blocks.size(0) - first);
        numbers.narrow(0, first, count).copy_(unpack_blocks(blocks.narrow(0, first, count), packing));
    }
    return numbers;
}

/// Multiplies by `scale`, which has one value or one per row, if it is defined.
Tensor scaled(const Tensor& numbers, const Tensor& scale, Dtype dtype) {
    if (!scale.defined()) return numbers.to(dtype);
    return numbers.to(at::kFloat, /*non_blocking=*/false, /*copy=*/true).mul_(scale).to(dtype);
}

}  // namespace

/// Few enough for the caches of a CPU, or enough to occupy another device.
std::int64_t numbers_unpacked_at_once(const Device& device) {
    return std::int64_t{1} << (device.is_cpu() ? 18 : 24);
}

bool StoredWeight::is_quantized() const {
    if (packing != Packing::none) return true;
    return defined() && (c10::isFloat8Type(data.scalar_type()) || (data.scalar_type() == at::kChar && scale.defined()));
}

Tensor StoredWeight::dequantize(Dtype dtype) const {
    if (!defined()) return {};
    const auto numbers = [this](Dtype wanted) {
        return packing == Packing::none ? scaled(data, scale, wanted) : unpack(data, packing, wanted).view(shape);
    };
    if (additions.empty()) return numbers(dtype);
    Tensor sum = numbers(at::kFloat);
    if (sum.is_alias_of(data)) return add_to_weight(sum, additions).to(dtype);
    add_in_place(sum, additions);
    return sum.to(dtype);
}

Tensor StoredWeight::rows(const Tensor& ids, Dtype dtype) const {
    const auto columns = shape.back();
    const auto wanted = ids.flatten();
    auto result_shape = ids.sizes().vec();
    result_shape.push_back(columns);
    if (!additions.empty()) return dequantize(dtype).index_select(0, wanted).view(result_shape);
    if (packing == Packing::none) {
        // Devices cannot index float8 tensors, but they can index bytes.
        const bool is_float8 = c10::isFloat8Type(data.scalar_type());
        const auto picked = is_float8 ? data.view(at::kByte).index_select(0, wanted).view(data.scalar_type())
                                      : data.index_select(0, wanted);
        const auto row_scale = scale.defined() && scale.dim() > 0 ? scale.index_select(0, wanted) : scale;
        return scaled(picked, row_scale, dtype).view(result_shape);
    }
    const auto size = block_size(packing);
    if (columns % size.numbers != 0) return dequantize(dtype).index_select(0, wanted).view(result_shape);
    const auto picked = data.view({shape.front(), -1, size.bytes}).index_select(0, wanted).flatten(0, 1);
    return unpack(picked, packing, dtype).view(result_shape);
}

StoredWeight StoredWeight::to(const Device& device) const {
    StoredWeight moved = *this;
    if (data.defined()) moved.data = data.to(device);
    if (scale.defined()) moved.scale = scale.to(device);
    for (auto& addition : moved.additions)
        for (auto* part : {&addition.down, &addition.up, &addition.diff})
            if (part->defined()) *part = part->to(device);
    return moved;
}

StoredWeight plain_weight(const Tensor& tensor) {
    return {.data = tensor, .shape = tensor.defined() ? tensor.sizes().vec() : std::vector<std::int64_t>{}};
}

StoredWeight read_stored(const CheckpointReader& reader, const TensorEntry& entry) {
    return {.data = reader.read(entry.name),
            .shape = entry.shape,
            .packing = entry.packing,
            .scale = entry.scale,
            .additions = entry.additions};
}

StoredWeight quantize_fp8(const Tensor& weight) {
    const auto limit = dtype_max(at::kFloat8_e4m3fn);
    const auto numbers = weight.to(at::kFloat);
    const auto largest = numbers.abs().max();
    const auto scale = at::where(largest > 0, largest / limit, at::ones_like(largest));
    auto stored = plain_weight((numbers / scale).clamp_(-limit, limit).to(at::kFloat8_e4m3fn));
    stored.scale = scale;
    return stored;
}

namespace {

/// Returns the number of zero or negative scales. Does not count a zero scale whose values are all zero: programs that
/// divide a row by its largest value write one for a row of zeros.
std::int64_t count_bad_scales(const StoredWeight& weight) {
    const auto bad = at::isfinite(weight.scale).logical_and_(weight.scale <= 0);
    if (!bad.any().item<bool>()) return 0;
    constexpr int kMagnitudeBits = 0x7f;  // of float8, which has no comparison
    const auto rows = weight.data.reshape({weight.scale.numel(), -1});
    const auto is_used =
        c10::isFloat8Type(rows.scalar_type()) ? rows.view(at::kByte).bitwise_and(kMagnitudeBits).ne(0) : rows.ne(0);
    return bad.logical_and(is_used.any(1).view_as(bad).logical_or_(weight.scale < 0)).sum().item<std::int64_t>();
}

}  // namespace

StoredDamage find_damage(const StoredWeight& weight) {
    StoredDamage damage;
    if (weight.scale.defined()) {
        damage.non_finite_scales = weight.scale.numel() - at::isfinite(weight.scale).sum().item<std::int64_t>();
        damage.bad_scales = count_bad_scales(weight);
    }
    const auto scan =
        scan_weight(weight.packing == Packing::none ? weight.data : block_scales(weight.data, weight.packing));
    damage.non_finite = scan.nan + scan.inf;
    damage.in_additions =
        !std::ranges::all_of(weight.additions, [](const WeightAddition& one) { return is_finite(one); });
    return damage;
}

std::string describe_damage(const StoredDamage& damage, const std::string& storage) {
    std::string words;
    const auto add = [&](std::int64_t count, const char* what) {
        if (count > 0) words += (words.empty() ? "" : ", ") + std::to_string(count) + what;
    };
    add(damage.non_finite, damage.non_finite == 1 ? " NaN or infinite value" : " NaN or infinite values");
    add(damage.non_finite_scales, damage.non_finite_scales == 1 ? " NaN or infinite scale" : " NaN or infinite scales");
    add(damage.bad_scales, damage.bad_scales == 1 ? " zero or negative scale" : " zero or negative scales");
    if (!words.empty()) words += " in " + storage;
    if (damage.in_additions)
        words += std::string(words.empty() ? "" : "; ") + "NaN or infinite values in a LoRA update";
    return words;
}

}  // namespace kinescope
