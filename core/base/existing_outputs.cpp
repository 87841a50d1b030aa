#include "core/base/existing_outputs.h"

#include <regex>
#include <string>
#include <system_error>
#include <utility>

#include "core/api/output_files.h"
#include "core/base/folder_entries.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

bool is_preview(const fs::path& file) {
    static const std::regex pattern("(step[0-9]+|decoded)_frame[0-9]+\\.png");
    return std::regex_match(file.filename().string(), pattern);
}

/// Returns the file or folder that an output would replace, or an empty path if there is none. Previews may share their
/// folder with other files.
fs::path replaced_by(const OutputRequest& outputs, std::filesystem::path OutputRequest::*member) {
    const fs::path& output = outputs.*member;
    std::error_code ignored;
    if (output.empty() || !fs::exists(output, ignored)) return {};
    if (!fs::is_directory(output, ignored)) return output;
    if (member == &OutputRequest::preview_dir) return find_preview(output);
    return fs::is_empty(output, ignored) ? fs::path() : output;
}

}  // namespace

fs::path find_preview(const fs::path& folder) {
    std::error_code ignored;
    for (const auto& entry : entries_of(folder, ignored))
        if (is_preview(entry.path())) return entry.path();
    return {};
}

std::vector<ExistingOutput> existing_outputs(const OutputRequest& output) {
    std::vector<ExistingOutput> existing;
    if (output.overwrite == OverwriteMode::overwrite) return existing;
    for (const auto& [field, member] : kOutputFiles) {
        fs::path file = replaced_by(output, member);
        if (!file.empty()) existing.push_back({field, std::move(file)});
    }
    return existing;
}

}  // namespace kinescope
