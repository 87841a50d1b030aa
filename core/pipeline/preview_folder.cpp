#include "core/pipeline/preview_folder.h"

#include <string>
#include <utility>

#include "core/base/existing_outputs.h"
#include "core/media/image_io.h"
#include "core/media/output_path.h"

namespace kinescope {

namespace {

std::string number(int value) {
    const std::string text = std::to_string(value);
    return std::string(text.size() < 4 ? 4 - text.size() : 0, '0') + text;
}

}  // namespace

void refuse_existing_previews(const std::filesystem::path& folder) {
    if (folder.empty()) return;
    const std::filesystem::path preview = find_preview(folder);
    if (preview.empty()) return;
    throw Error(ErrorCode::output_exists, "the folder " + folder.string() + " already contains previews",
                "Choose another folder, or allow them to be replaced (--overwrite).", {{"path", preview.string()}});
}

PreviewFolder::PreviewFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::error_code error;
    if (!folder_.empty()) std::filesystem::create_directories(folder_, error);
    if (error) throw output_error(error.value(), folder_);
}

std::optional<std::string> PreviewFolder::keep(const RunEvent& event) {
    const auto* preview = std::get_if<PreviewReady>(&event);
    if (folder_.empty() || preview == nullptr) return std::nullopt;
    try {
        write(*preview);
        return std::nullopt;
    } catch (const Error& error) {
        folder_.clear();
        return error.message() + "; no more previews are saved";
    }
}

void PreviewFolder::write(const PreviewReady& preview) const {
    const std::string kind = preview.kind == PreviewKind::latent ? "step" + number(preview.step) : "decoded";
    for (std::size_t i = 0; i < preview.frames.size(); ++i)
        write_png(folder_ / (kind + "_frame" + number(preview.first_frame + static_cast<int>(i)) + ".png"),
                  *preview.frames[i]);
}

}  // namespace kinescope
