#include "core/pipeline/input_image.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/media/image_io.h"

namespace kinescope {

Tensor read_input_image(const std::filesystem::path& file) {
    if (file.empty()) return {};
    Frame frame = read_image(file);
    return at::from_blob(frame.pixels.data(), {frame.height, frame.width, 3}, at::kByte).clone();
}

Tensor fitted_picture(const Tensor& picture, ImageFit fit, Size size) {
    if (fit == ImageFit::stretch || !picture.defined()) return picture;
    const std::int64_t height = picture.size(0), width = picture.size(1);
    const auto side = [](std::int64_t other, int from, int to) {
        return std::max<std::int64_t>(1, std::llround(static_cast<double>(other) * to / from));
    };
    const std::int64_t kept_width = std::min(width, side(height, size.height, size.width));
    const std::int64_t kept_height = std::min(height, side(width, size.width, size.height));
    return picture.narrow(0, (height - kept_height) / 2, kept_height)
        .narrow(1, (width - kept_width) / 2, kept_width)
        .contiguous();
}

ReadFrames fitted_frames(ReadFrames frames, ImageFit fit, Size size) {
    if (fit == ImageFit::stretch || !frames) return frames;
    return [frames = std::move(frames), fit, size](int count, const std::function<void(const Tensor&)>& use) {
        frames(count, [&](const Tensor& frame) { use(fitted_picture(frame, fit, size)); });
    };
}

}  // namespace kinescope
