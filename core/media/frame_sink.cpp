#include "core/media/frame_sink.h"

#include "core/api/error.h"
#include "core/media/container.h"
#include "core/media/gif_sink.h"
#include "core/media/image_sequence_sink.h"
#include "core/media/picture_sink.h"
#include "core/media/sink_checks.h"
#include "core/media/video_sink.h"

namespace kinescope {

OutputKind output_kind(const std::filesystem::path& output) {
    if (PictureSink::is_picture(output)) return OutputKind::pictures;
    const Container* container = find_container(output);
    if (!container) return OutputKind::pictures;
    return container->muxer == std::string_view("gif") ? OutputKind::gif : OutputKind::video;
}

void refuse_encoding_of_pictures(const OutputRequest& output) {
    std::string omission = output.codec.empty() ? "" : "leave codec out";
    if (output.crf) omission += (omission.empty() ? "" : " and ") + std::string("leave crf out");
    if (omission.empty() || output_kind(output.file) != OutputKind::pictures) return;
    throw Error(ErrorCode::bad_request, "PNG files have no encoder and no quality setting",
                "Choose an extension such as .mp4, or " + omission + ".", {{"path", output.file.string()}});
}

void refuse_frames_in_picture(const std::filesystem::path& output, int num_frames) {
    if (num_frames <= 1 || !PictureSink::is_picture(output)) return;
    throw Error(ErrorCode::bad_request, output.string() + " can contain only one image, but the video has more frames",
                "Choose an extension such as .mp4.", {{"path", output.string()}});
}

std::unique_ptr<FrameSink> open_frame_sink(const SinkOptions& options) {
    check_options(options);
    const OutputKind kind = output_kind(options.output.file);
    if (PictureSink::is_picture(options.output.file)) return std::make_unique<PictureSink>(options);
    if (kind == OutputKind::pictures) return std::make_unique<ImageSequenceSink>(options);
    const Container& container = *find_container(options.output.file);
    if (kind == OutputKind::gif) return std::make_unique<GifSink>(options, container);
    return std::make_unique<VideoSink>(options, container);
}

}  // namespace kinescope
