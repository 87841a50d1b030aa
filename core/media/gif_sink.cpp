#include "core/media/gif_sink.h"

#include <cstdio>

#include "core/media/gif_comment.h"
#include "core/media/sink_checks.h"

namespace kinescope {
namespace {

constexpr int kMaxColors = 256;

void set_palette(AVFrame& picture, const std::vector<Rgb>& palette) {
    auto* colors = reinterpret_cast<std::uint32_t*>(picture.data[1]);
    for (std::size_t i = 0; i < kMaxColors; ++i) {
        const Rgb color = i < palette.size() ? palette[i] : Rgb{};
        colors[i] = 0xFF000000u | std::uint32_t{color[0]} << 16 | std::uint32_t{color[1]} << 8 | color[2];
    }
}

void write_comment(PendingFile& file, const std::string& comment) {
    file.seek(-1, SEEK_END);
    file.write(gif_comment_and_trailer(comment));
}

}  // namespace

GifSink::GifSink(const SinkOptions& options, const Container& container)
    : options_(options),
      file_(options.output.file, options.output.overwrite, options.mark),
      encoder_(file_, options, container),
      waiting_(options.output.file, options.output.overwrite, options.mark) {}

GifSink::~GifSink() = default;

void GifSink::write(const Frame& frame) {
    check_frame(frame, options_.width, options_.height, num_frames_);
    histogram_.add(frame);
    waiting_.write(frame.pixels);
    waiting_.throw_if_failed();
    ++num_frames_;
}

std::filesystem::path GifSink::finish() {
    check_any_frames(num_frames_);
    encode_frames();
    encoder_.end();
    const auto comment = options_.metadata.find("comment");
    if (comment != options_.metadata.end()) write_comment(file_, comment->second);
    return file_.commit();
}

void GifSink::encode_frames() {
    const PaletteDither dither(histogram_.palette(kMaxColors));
    Frame frame{options_.width, options_.height, {}};
    frame.pixels.resize(3 * static_cast<std::size_t>(frame.width) * static_cast<std::size_t>(frame.height));
    waiting_.seek(0, SEEK_SET);
    for (int i = 0; i < num_frames_; ++i) {
        waiting_.read(frame.pixels);
        // Each frame needs a new image, because the encoder keeps the previous one to compute the difference.
        const AvFramePtr picture = make_picture(frame.width, frame.height, AV_PIX_FMT_PAL8);
        set_palette(*picture, dither.palette());
        dither.convert(frame, picture->data[0], picture->linesize[0]);
        encoder_.encode(*picture);
    }
}

}  // namespace kinescope
