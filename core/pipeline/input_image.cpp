#include "core/pipeline/input_image.h"

#include <ATen/ATen.h>

#include "core/media/image_io.h"

namespace kinescope {

Tensor read_input_image(const std::filesystem::path& file) {
    if (file.empty()) return {};
    Frame frame = read_image(file);
    return at::from_blob(frame.pixels.data(), {frame.height, frame.width, 3}, at::kByte).clone();
}

}  // namespace kinescope
