#include "core/finish/pictures.h"

#include <ATen/ATen.h>

#include <cstring>

namespace kinescope {
namespace {

constexpr double kWhite = 255;

}  // namespace

Tensor picture_of(const Frame& frame) {
    Tensor bytes = at::empty({1, frame.height, frame.width, 3}, at::kByte);
    std::memcpy(bytes.mutable_data_ptr(), frame.pixels.data(), frame.pixels.size());
    return bytes.to(at::kFloat).div_(kWhite);
}

FramePtr frame_of(const Tensor& picture) {
    const Tensor bytes = picture.mul(kWhite).round_().clamp_(0, kWhite).to(at::kByte).contiguous();
    Frame frame{.width = static_cast<int>(bytes.size(2)),
                .height = static_cast<int>(bytes.size(1)),
                .pixels = std::vector<std::uint8_t>(static_cast<std::size_t>(bytes.numel()))};
    std::memcpy(frame.pixels.data(), bytes.const_data_ptr(), frame.pixels.size());
    return std::make_shared<const Frame>(std::move(frame));
}

}  // namespace kinescope
