#include "core/media/video_sink.h"

#include "core/media/sink_checks.h"

namespace kinescope {

VideoSink::VideoSink(const SinkOptions& options, const Container& container)
    : file_(options.output.file, options.output.overwrite, options.mark),
      encoder_(file_, options, container),
      to_picture_(options.width, options.height, encoder_.pixel_format(), encoder_.matrix()),
      width_(options.width),
      height_(options.height) {}

void VideoSink::write(const Frame& frame) {
    check_frame(frame, width_, height_, encoder_.num_frames());
    encoder_.encode(to_picture_.convert(frame));
}

std::filesystem::path VideoSink::finish() {
    check_any_frames(encoder_.num_frames());
    encoder_.end();
    return file_.commit();
}

}  // namespace kinescope
