#include "core/weights/formats/mapped_tensor.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace kinescope {

namespace {

std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * std::max<std::int64_t>(shape[i], 1);
    return strides;
}

/// Returns the number of elements from the first to the last one, including gaps.
std::int64_t extent(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides) {
    std::int64_t last = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) last += (shape[i] - 1) * strides[i];
    return last + 1;
}

}  // namespace

Tensor map_tensor(const std::shared_ptr<const MappedFile>& file, const TensorPlace& place) {
    const auto options = at::TensorOptions().dtype(place.dtype);
    if (std::ranges::count(place.shape, 0) > 0) return at::empty(place.shape, options);
    const auto strides = place.strides.empty() ? contiguous_strides(place.shape) : place.strides;
    auto* data = const_cast<std::byte*>(file->bytes().data() + place.offset);
    const auto number_bytes = c10::elementSize(place.dtype);
    if (reinterpret_cast<std::uintptr_t>(data) % number_bytes == 0)
        return at::from_blob(
            data, place.shape, strides, [file](void*) {}, options);
    const auto copy = at::empty({extent(place.shape, strides)}, options);
    std::memcpy(copy.mutable_data_ptr(), data, copy.nbytes());
    return copy.as_strided(place.shape, strides);
}

std::optional<std::uint64_t> checked_bytes(const std::vector<std::int64_t>& shape, Dtype dtype) {
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    auto bytes = static_cast<std::uint64_t>(c10::elementSize(dtype));
    for (const auto dim : shape) {
        const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(dim, 1));
        if (bytes > kMax / count) return std::nullopt;
        bytes *= count;
    }
    return std::ranges::count(shape, 0) > 0 ? 0 : bytes;
}

}  // namespace kinescope
