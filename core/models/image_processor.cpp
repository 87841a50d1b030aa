#include "core/models/image_processor.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/api/error.h"
#include "core/base/config_reader.h"

namespace kinescope {

namespace {

constexpr ConfigReader::Range<std::int64_t> kSides{1, 4096};
/// Maximum aspect ratio. It limits the size of the resized image, of which only the center is used.
constexpr std::int64_t kMaxAspect = 200;

/// Reads a size in px. Old files store it as a number, newer ones as {"<name>": number}.
std::int64_t side(const ConfigReader& reader, const Json& json, const std::filesystem::path& file, const char* key,
                  const char* name) {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_object()) return reader.integer(key, 224, kSides);
    return ConfigReader(*found, file).integer(name, std::nullopt, kSides);
}

std::array<double, 3> three_numbers(const ConfigReader& reader, const char* key,
                                    const std::array<double, 3>& fallback) {
    const auto values = reader.numbers(key);
    if (values.empty()) return fallback;
    if (values.size() != 3) reader.refuse(key, "expected 3 numbers");
    return {values[0], values[1], values[2]};
}

/// Reads the resampling filter, which the config stores as Pillow's number.
PilFilter filter_of(const ConfigReader& reader) {
    switch (reader.integer("resample", 3, {0, 5})) {
        case 1:
            return PilFilter::lanczos;
        case 3:
            return PilFilter::bicubic;
        default:
            reader.refuse("resample", "it must be 1 (Lanczos) or 3 (bicubic)");
    }
}

Tensor per_channel(const std::array<double, 3>& values) {
    return at::tensor(at::ArrayRef<double>(values.data(), values.size()), at::kFloat).view({1, 3, 1, 1});
}

Tensor to_pixels(const Tensor& image) {
    return image.permute({2, 0, 1}).unsqueeze(0).to(at::kFloat);
}

}  // namespace

ClipImageConfig read_clip_image_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    for (const auto* step : {"do_resize", "do_center_crop", "do_rescale", "do_normalize"})
        if (!reader.flag(step, true))
            throw Error(ErrorCode::unsupported, file.string() + ": " + step + " = false is not supported");
    ClipImageConfig config;
    const Json& object = json.is_null() ? Json::object() : json;
    config.shortest_edge = side(reader, object, file, "size", "shortest_edge");
    config.crop_size = side(reader, object, file, "crop_size", "height");
    if (config.crop_size > config.shortest_edge) reader.refuse("crop_size", "it must be at most size");
    config.filter = filter_of(reader);
    config.rescale_factor = reader.number("rescale_factor", config.rescale_factor, {1e-9, 1e9});
    config.mean = three_numbers(reader, "image_mean", config.mean);
    config.std = three_numbers(reader, "image_std", config.std);
    if (std::ranges::any_of(config.std, [](double value) { return !(value > 0); }))
        reader.refuse("image_std", "each number must be above 0");
    return config;
}

Tensor clip_pixels(const Tensor& image, const ClipImageConfig& config) {
    const auto height = image.size(0);
    const auto width = image.size(1);
    if (std::max(height, width) > kMaxAspect * std::min(height, width))
        throw Error(ErrorCode::bad_request,
                    "The image is " + std::to_string(width) + " x " + std::to_string(height) +
                        " px, which is too narrow for a video",
                    "Use an image whose sides differ by a factor below 200.");
    const auto edge = config.shortest_edge;
    const auto scaled = [&](std::int64_t side) { return edge * side / std::min(height, width); };
    const auto resized = pil_resize(image, scaled(height), scaled(width), config.filter);
    const auto crop = config.crop_size;
    const auto cut =
        resized.narrow(0, (resized.size(0) - crop) / 2, crop).narrow(1, (resized.size(1) - crop) / 2, crop);
    return clip_normalized(to_pixels(cut) * config.rescale_factor, config);
}

Tensor clip_normalized(const Tensor& pixels, const ClipImageConfig& config) {
    return (pixels - per_channel(config.mean).to(pixels.device())) / per_channel(config.std).to(pixels.device());
}

Tensor vae_pixels(const Tensor& image, std::int64_t height, std::int64_t width) {
    return to_pixels(pil_resize(image, height, width, PilFilter::lanczos)).div_(255.0).mul_(2.0).sub_(1.0);
}

}  // namespace kinescope
