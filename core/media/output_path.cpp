#include "core/media/output_path.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <utility>

#include "core/base/folder_entries.h"
#include "core/base/full_disk.h"
#include "core/base/platform_folder.h"
#include "core/base/platform_rename.h"
#include "core/base/png_name.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

/// Truncates a name at the boundary of a UTF-8 character. File systems allow 255 bytes.
std::string shortened(std::string name) {
    constexpr std::size_t kLongest = 200;
    if (name.size() <= kLongest) return name;
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
    return name.substr(0, end);
}

bool is_same(const fs::path& a, const fs::path& b) {
    std::error_code ignored;
    return fs::equivalent(a, b, ignored);
}

/// Returns true for a file that a folder contains, by any of its names.
bool is_in(const fs::path& file, const fs::path& folder) {
    std::error_code ignored;
    return fs::is_directory(folder, ignored) && fs::exists(file, ignored) &&
           is_same(fs::canonical(file, ignored).parent_path(), folder);
}

std::string temporary_prefix(const fs::path& target, const std::string& mark) {
    const std::string stem = shortened(target.stem().string());
    const std::size_t room = 200 - shortened(target.extension().string()).size();
    return "." + stem.substr(0, room) + ".part-" + mark + (mark.empty() ? "" : "-");
}

}  // namespace

fs::path without_trailing_slash(const fs::path& folder) {
    return folder.has_filename() ? folder : folder.parent_path();
}

/// An output that is a folder of frames replaces all of its files.
bool replaces(const fs::path& source, const fs::path& output) {
    const fs::path from = without_trailing_slash(source), to = without_trailing_slash(output);
    return is_same(from, to) || is_in(from, to) || (names_png(to) && is_in(to, from));
}

void refuse_to_replace(const std::vector<fs::path>& sources, const fs::path& output) {
    for (const fs::path& source : sources) {
        if (source.empty() || !replaces(source, output)) continue;
        throw Error(ErrorCode::bad_request, "the result cannot replace " + source.string() + ", from which it is made",
                    "Choose another name for the result.", {{"path", source.string()}});
    }
}

Error output_error(int error_number, const fs::path& path) {
    const std::string reason = std::strerror(error_number);
    if (shortage_of(error_number) != Shortage::none) return write_error(error_number, path, 0);
    if (error_number == EEXIST || error_number == ENOTEMPTY)
        return Error(ErrorCode::output_exists, path.string() + " already exists",
                     "Choose another name, or allow it to be replaced (--overwrite).", {{"path", path.string()}});
    return Error(ErrorCode::output_not_writable, "cannot write " + path.string() + ": " + reason,
                 "Choose a folder that you may write to.", {{"path", path.string()}, {"reason", reason}});
}

Error write_error(int error_number, const fs::path& path, std::int64_t written_bytes) {
    if (const Shortage shortage = shortage_of(error_number); shortage != Shortage::none)
        return full_disk(shortage, {.file = path, .written_bytes = written_bytes});
    return Error(ErrorCode::encode_failed,
                 "writing " + path.string() + " failed after " + std::to_string(written_bytes) +
                     " bytes: " + std::strerror(error_number),
                 "Check the disk, or choose another one for the output.", {{"path", path.string()}});
}

void throw_if_lost(const fs::path& temporary, const fs::path& target) {
    std::error_code ignored;
    if (fs::symlink_status(temporary, ignored).type() != fs::file_type::not_found) return;
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    const bool has_folder = fs::is_directory(folder, ignored);
    throw Error(ErrorCode::encode_failed,
                has_folder ? "the unfinished output " + target.string() + " was deleted while the video was generated"
                           : "the folder " + folder.string() + " was removed or renamed while the video was generated",
                "Put the folder back, or choose another one, and generate again.", {{"path", target.string()}});
}

fs::path temporary_name(const fs::path& target, const std::string& mark) {
    std::random_device random;
    return target.parent_path() /
           fmt::format("{}{:08x}{}", temporary_prefix(target, mark), random(), shortened(target.extension().string()));
}

void remove_temporaries(const fs::path& target, const std::string& mark) {
    if (mark.empty() || target.empty()) return;
    const std::string prefix = temporary_prefix(target, mark);
    std::error_code ignored;
    std::vector<fs::path> found;
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    for (const fs::directory_entry& entry : entries_of(folder, ignored))
        if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
    for (const fs::path& path : found) fs::remove_all(path, ignored);
}

fs::path keep_beside(const fs::path& from, const fs::path& target) {
    for (int number = 1; number < 1000; ++number) {
        fs::path name = target.stem();
        name += "-" + std::to_string(number);
        name += target.extension();
        const fs::path free_name = target.parent_path() / name;
        const int error_number = rename_without_replacing(from, free_name);
        if (error_number == 0) return free_name;
        if (error_number != EEXIST) break;
    }
    return {};
}

std::int64_t output_size(const fs::path& output) {
    std::error_code ignored;
    if (fs::is_regular_file(output, ignored)) return static_cast<std::int64_t>(fs::file_size(output, ignored));
    std::int64_t bytes = 0;
    for (const fs::directory_entry& entry : entries_of(output, ignored))
        if (entry.is_regular_file(ignored)) bytes += static_cast<std::int64_t>(entry.file_size(ignored));
    return bytes;
}

std::vector<fs::path> missing_folders(const ResolvedOutput& output) {
    std::vector<fs::path> missing;
    std::error_code ignored;
    for (const auto* file : {&output.file, &output.numeric_log, &output.numeric_csv, &output.latents, &output.frames}) {
        if (file->empty()) continue;
        const fs::path folder = fs::absolute(without_trailing_slash(*file)).lexically_normal().parent_path();
        const bool is_told = std::find(missing.begin(), missing.end(), folder) != missing.end();
        if (!is_told && !fs::exists(folder, ignored)) missing.push_back(folder);
    }
    return missing;
}

ParentFolders::ParentFolders(const fs::path& target) {
    std::vector<fs::path> missing;
    std::error_code ignored;
    for (fs::path folder = target.parent_path(); !folder.empty() && !fs::exists(folder, ignored);
         folder = folder.parent_path())
        missing.push_back(folder);
    for (; !missing.empty(); missing.pop_back()) {
        std::error_code error;
        if (fs::create_directory(missing.back(), error)) made_.push_back(missing.back());
        if (!error) continue;
        remove_made();
        throw output_error(error.value(), missing.back());
    }
}

ParentFolders::~ParentFolders() {
    remove_made();
}

void ParentFolders::remove_made() noexcept {
    for (; !made_.empty(); made_.pop_back()) remove_empty_folder(made_.back());
}

}  // namespace kinescope
