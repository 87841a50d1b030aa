#include "core/models/video_pixels.h"

#include <ATen/ATen.h>

#include "core/models/pil_resize.h"

namespace kinescope {

Tensor resized_frames(const ReadFrames& read, int num_frames, Size size) {
    const auto frames = at::empty({num_frames, size.height, size.width, 3}, at::kByte);
    std::int64_t index = 0;
    read(num_frames, [&](const Tensor& frame) {
        frames[index++].copy_(pil_resize(frame, size.height, size.width, PilFilter::lanczos));
    });
    return frames;
}

Tensor signed_pixels(const Tensor& bytes) {
    return bytes.to(at::kFloat).div_(255.0).mul_(2.0).sub_(1.0);
}

Tensor as_video(const Tensor& frames) {
    return frames.permute({3, 0, 1, 2}).unsqueeze(0);
}

}  // namespace kinescope
