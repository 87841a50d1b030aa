#include "core/media/frame_sink.h"

#include "core/media/container.h"
#include "core/media/gif_sink.h"
#include "core/media/image_sequence_sink.h"
#include "core/media/picture_sink.h"
#include "core/media/sink_checks.h"
#include "core/media/video_sink.h"

namespace kinescope {

std::unique_ptr<FrameSink> open_frame_sink(const SinkOptions& options) {
    check_options(options);
    if (PictureSink::is_picture(options.output.file)) return std::make_unique<PictureSink>(options);
    const Container* container = find_container(options.output.file);
    if (!container) return std::make_unique<ImageSequenceSink>(options);
    if (container->muxer == std::string_view("gif")) return std::make_unique<GifSink>(options, *container);
    return std::make_unique<VideoSink>(options, *container);
}

}  // namespace kinescope
