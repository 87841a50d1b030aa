#include "core/jobs/check_output.h"

#include "core/media/container.h"
#include "core/media/encoder_choice.h"
#include "core/media/frame_sink.h"

namespace kinescope {

void check_encoder(const OutputRequest& output) {
    const std::filesystem::path file = output.file.empty() ? "video.mp4" : output.file;
    if (output.codec.empty() || output_kind(file) != OutputKind::video) return;
    const Container& container = *find_container(file);
    const AVOutputFormat* muxer = av_guess_format(container.muxer, nullptr, nullptr);
    if (muxer != nullptr) find_encoder(output.codec, container, *muxer);
}

}  // namespace kinescope
