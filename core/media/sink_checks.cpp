#include "core/media/sink_checks.h"

#include "core/api/error.h"

namespace kinescope {
namespace {

constexpr int kMaxSide = 16384;
constexpr int kMaxFps = 240;
constexpr int kMaxDivisor = 100'000;

bool is_side(int pixels) {
    return pixels >= 1 && pixels <= kMaxSide;
}

}  // namespace

std::string size_text(int width, int height) {
    return std::to_string(width) + " x " + std::to_string(height) + " px";
}

void check_options(const SinkOptions& options) {
    if (!is_side(options.width) || !is_side(options.height))
        throw Error(ErrorCode::bad_request, "unsupported video size: " + size_text(options.width, options.height),
                    "Each side must be between 1 and 16384 px.");
    const bool is_fraction = options.fps_divisor >= 1 && options.fps_divisor <= kMaxDivisor;
    const std::string rate =
        std::to_string(options.fps) + (options.fps_divisor == 1 ? "" : "/" + std::to_string(options.fps_divisor));
    if (!is_fraction || options.fps < 1 || options.fps > std::int64_t{kMaxFps} * options.fps_divisor)
        throw Error(ErrorCode::bad_request, "fps must be between 1 and 240; it is " + rate);
    if (output_kind(options.output.file) == OutputKind::gif &&
        options.fps > std::int64_t{kFastestGif} * options.fps_divisor)
        throw Error(ErrorCode::bad_request,
                    "GIF holds at most " + std::to_string(kFastestGif) + " frames per second; the video has " + rate,
                    "Choose another format, such as .mp4 or .webm.");
}

void check_frame(const Frame& frame, int width, int height, int index) {
    const std::size_t bytes = 3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    if (frame.width == width && frame.height == height && frame.pixels.size() == bytes) return;
    throw Error(ErrorCode::encode_failed,
                "frame " + std::to_string(index) + " is " + size_text(frame.width, frame.height) + " with " +
                    std::to_string(frame.pixels.size()) + " bytes; the video is " + size_text(width, height));
}

void check_any_frames(int num_frames) {
    if (num_frames == 0) throw Error(ErrorCode::encode_failed, "no frames were written");
}

}  // namespace kinescope
