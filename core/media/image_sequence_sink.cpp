#include "core/media/image_sequence_sink.h"

#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>

#include "core/base/platform_rename.h"
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

bool is_frame_name(const std::string& name) {
    const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
    return name.size() >= 9 && name.ends_with(".png") && std::all_of(name.begin(), name.end() - 4, is_digit);
}

const std::string kProgramKeyword = "software";  // a registered PNG keyword
const std::string kProgram = "Kinescope";

/// Returns true if the first text after the PNG header is the program's name.
bool is_made_by_kinescope(const fs::path& file) {
    std::array<std::uint8_t, 256> head{};
    std::ifstream stream(file, std::ios::binary);
    stream.read(reinterpret_cast<char*>(head.data()), head.size());
    const auto length = static_cast<std::size_t>(stream.gcount());
    return find_png_text(std::span(head).first(length), kProgramKeyword) == kProgram;
}

bool holds_only_frames(const fs::path& folder) {
    std::error_code error;
    fs::directory_iterator entries(folder, error);
    return !error && std::all_of(begin(entries), end(entries), [](const fs::directory_entry& entry) {
        return !entry.is_symlink() && entry.is_regular_file() && is_frame_name(entry.path().filename().string()) &&
               is_made_by_kinescope(entry.path());
    });
}

void check_replaceable(const fs::path& folder, OverwriteMode overwrite) {
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(folder, ignored))) return;
    if (!fs::is_directory(folder, ignored))
        throw Error(ErrorCode::output_exists, folder.string() + " is a file, but the output is a folder of frames",
                    "Choose another name, or an extension such as .mp4.", {{"path", folder.string()}});
    if (fs::is_empty(folder, ignored)) return;
    if (overwrite == OverwriteMode::refuse) throw output_error(EEXIST, folder);
    if (!holds_only_frames(folder))
        throw Error(ErrorCode::output_exists,
                    folder.string() + " contains files other than Kinescope's frames, so it is not replaced",
                    "Choose another folder, or empty this one.", {{"path", folder.string()}});
}

}  // namespace

ImageSequenceSink::ImageSequenceSink(const SinkOptions& options)
    : target_((check_replaceable(without_trailing_slash(options.output.file), options.output.overwrite),
               without_trailing_slash(options.output.file))),
      overwrite_(options.output.overwrite),
      width_(options.width),
      height_(options.height),
      metadata_(options.metadata),
      parents_(target_) {
    const fs::path temporary = temporary_name(target_, options.mark);
    if (::mkdir(temporary.c_str(), 0777) != 0) throw output_error(errno, target_);
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
    pending.write(with_png_text(png, {{kProgramKeyword, kProgram}}));
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

/// Swaps the temporary folder with the target, so that the old frames are removed only after the new ones have the
/// final name. Returns false if there is nothing to replace, if the target has changed, or if the file system cannot
/// swap folders.
bool ImageSequenceSink::replace() {
    std::error_code ignored;
    if (fs::is_symlink(target_, ignored) || !holds_only_frames(target_)) return false;
    if (exchange_names(temporary_, target_) == 0) {
        fs::remove_all(temporary_, ignored);
        return true;
    }
    fs::remove_all(target_, ignored);
    return false;
}

void ImageSequenceSink::take_name() {
    if (overwrite_ == OverwriteMode::overwrite && replace()) return;
    // rename(2) replaces only an empty folder, so files that appear after the check are safe.
    if (::rename(temporary_.c_str(), target_.c_str()) == 0) return;
    const int error_number = errno;
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
