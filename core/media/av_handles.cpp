#include "core/media/av_handles.h"

#include <spdlog/spdlog.h>

#include <array>
#include <string_view>

namespace kinescope {
namespace {

void forward_line(void* source, int level, const char* format, va_list arguments) {
    if (level > AV_LOG_INFO || !spdlog::should_log(spdlog::level::debug)) return;
    std::array<char, 1024> line{};
    int print_prefix = 1;
    av_log_format_line2(source, level, format, arguments, line.data(), line.size(), &print_prefix);
    std::string_view text = line.data();
    while (text.ends_with('\n') || text.ends_with(' ')) text.remove_suffix(1);
    if (!text.empty()) spdlog::debug("libav: {}", text);
}

}  // namespace

std::string av_error_text(int code) {
    std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
    av_strerror(code, text.data(), text.size());
    return text.data();
}

AvFramePtr make_picture(int width, int height, AVPixelFormat format) {
    AvFramePtr picture(av_allocated(av_frame_alloc()));
    picture->width = width;
    picture->height = height;
    picture->format = format;
    if (av_frame_get_buffer(picture.get(), 0) < 0) throw std::bad_alloc();
    return picture;
}

void route_av_log() {
    av_log_set_callback(forward_line);
}

}  // namespace kinescope
