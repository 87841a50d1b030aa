#include "core/media/picture_sink.h"

#include "core/base/png_name.h"
#include "core/media/image_io.h"
#include "core/media/sink_checks.h"

namespace kinescope {

bool PictureSink::is_picture(const std::filesystem::path& file) {
    return names_png(file);
}

PictureSink::PictureSink(const SinkOptions& options)
    : target_(options.output.file),
      pending_(target_, options.output.overwrite, options.mark),
      width_(options.width),
      height_(options.height),
      metadata_(options.metadata) {}

void PictureSink::write(const Frame& frame) {
    check_frame(frame, width_, height_, num_frames_);
    refuse_frames_in_picture(target_, num_frames_ + 1);
    pending_.write(encode_png(frame, target_, metadata_));
    pending_.throw_if_failed();
    ++num_frames_;
}

std::filesystem::path PictureSink::finish() {
    check_any_frames(num_frames_);
    return pending_.commit();
}

}  // namespace kinescope
