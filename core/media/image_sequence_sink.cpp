#include "core/media/image_sequence_sink.h"

#include <spdlog/fmt/fmt.h>

#include "core/base/frame_folder.h"
#include "core/base/platform_folder.h"
#include "core/media/image_io.h"
#include "core/media/output_path.h"
#include "core/media/pending_file.h"
#include "core/media/png_text.h"
#include "core/media/sink_checks.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

std::string frame_name(int index) {
    return fmt::format("{:05}.png", index);
}

}  // namespace

ImageSequenceSink::ImageSequenceSink(const SinkOptions& options)
    : target_((check_frame_folder(without_trailing_slash(options.output.file), options.output.overwrite),
               without_trailing_slash(options.output.file))),
      overwrite_(options.output.overwrite),
      width_(options.width),
      height_(options.height),
      metadata_(options.metadata),
      parents_(target_) {
    const fs::path temporary = temporary_name(target_, options.mark);
    if (const int error_number = make_new_folder(temporary, FileAccess::shared); error_number != 0)
        throw output_error(error_number, target_);
    temporary_ = temporary;
}

ImageSequenceSink::~ImageSequenceSink() {
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

void ImageSequenceSink::write(const Frame& frame) {
    check_frame(frame, width_, height_, num_frames_);
    throw_if_lost(temporary_, target_);  // otherwise the folder would be created again without the earlier frames
    const fs::path file = temporary_ / frame_name(num_frames_);
    const auto png = encode_png(frame, file, num_frames_ == 0 ? metadata_ : decltype(metadata_){});
    PendingFile pending(file, OverwriteMode::refuse);
    pending.write(with_png_text(png, {{kFrameSoftwareKeyword, kFrameSoftware}}));
    pending.commit();
    ++num_frames_;
}

fs::path ImageSequenceSink::finish() {
    check_any_frames(num_frames_);
    sync_folder(temporary_);
    take_name();
    temporary_.clear();
    parents_.keep();
    sync_folder(target_.parent_path());
    return target_;
}

void ImageSequenceSink::take_name() {
    const int error_number = rename_frame_folder(temporary_, target_, overwrite_);
    if (error_number == 0) return;
    const fs::path kept = keep_beside(temporary_, target_);
    if (kept.empty()) throw output_error(error_number, target_);
    temporary_.clear();
    parents_.keep();
    throw Error(
        ErrorCode::output_exists,
        target_.string() + " appeared while the frames were generated; the new frames were saved in " + kept.string(),
        "Rename one of the two.", {{"path", target_.string()}, {"kept", kept.string()}});
}

}  // namespace kinescope
