#include "core/cluster/import_result.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <functional>

#include "core/base/atomic_file.h"
#include "core/base/platform_rename.h"
#include "core/base/sha256.h"

namespace kinescope::cluster {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChunk = std::size_t{1} << 20;

Error not_imported(const fs::path& target, const std::string& reason) {
    return {ErrorCode::output_not_writable,
            "cannot write '" + target.string() + "': " + reason,
            "The result stays on the shared storage; kinescope-cli cluster wait imports it.",
            {{"path", target.string()}}};
}

/// Calls `use` with each part of a file.
void read_parts(const fs::path& file, const std::function<void(std::span<const std::byte>)>& use) {
    std::ifstream stream(file, std::ios::binary);
    std::vector<char> buffer(kChunk);
    while (stream) {
        stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
        use(std::as_bytes(std::span(buffer.data(), static_cast<std::size_t>(stream.gcount()))));
    }
    if (!stream.eof())
        throw Error(ErrorCode::file_unreadable, "cannot read '" + file.string() + "'", "Check the shared storage.",
                    {{"path", file.string()}});
}

std::string sha256_of_file(const fs::path& file) {
    Sha256 hash;
    read_parts(file, [&](std::span<const std::byte> part) { hash.add(part); });
    return hash.finish();
}

std::string wanted_hash(const Json& description, const std::string& name) {
    const auto files = description.find("files");
    if (files == description.end() || !files->contains(name)) return {};
    return (*files)[name].value("sha256", "");
}

/// Where one file goes.
struct Move {
    fs::path from;
    fs::path to;
    std::string sha256;
    OverwriteMode overwrite = OverwriteMode::refuse;
};

/// Returns 0, EEXIST, or EXDEV if the names are on different file systems.
int rename_file(const Move& move) {
    if (move.overwrite == OverwriteMode::refuse) {
        const int error = rename_without_replacing(move.from, move.to);
        if (error != ENOSYS && error != EINVAL) return error;
        std::error_code ignored;
        if (fs::exists(move.to, ignored)) return EEXIST;
    }
    std::error_code error;
    fs::rename(move.from, move.to, error);
    return error.value();
}

void copy_file(const Move& move) {
    AtomicFile copy(move.to);
    Sha256 hash;
    read_parts(move.from, [&](std::span<const std::byte> part) {
        hash.add(part);
        copy.write(part);
    });
    if (!move.sha256.empty() && hash.finish() != move.sha256)
        throw Error(ErrorCode::file_changed, "'" + move.from.string() + "' is not the file that the task wrote",
                    "The shared storage damaged it. kinescope-cli cluster resume makes the video again.",
                    {{"path", move.from.string()}});
    copy.commit();
    std::error_code ignored;
    fs::remove(move.from, ignored);
}

/// Returns true if an interrupted import has already put this file in its place.
bool is_same_file(const Move& move) {
    std::error_code ignored;
    return fs::is_regular_file(move.to, ignored) &&
           fs::file_size(move.from, ignored) == fs::file_size(move.to, ignored) &&
           sha256_of_file(move.from) == sha256_of_file(move.to);
}

[[noreturn]] void refuse_existing(const fs::path& target) {
    throw Error(
        ErrorCode::output_exists, "'" + target.string() + "' already exists",
        "The result stays on the shared storage. Rename the existing file, then use kinescope-cli cluster wait.",
        {{"path", target.string()}});
}

void place_file(const Move& move) {
    std::error_code ignored;
    if (move.to.has_parent_path()) fs::create_directories(move.to.parent_path(), ignored);
    int error = rename_file(move);
    if (error == EXDEV && move.overwrite == OverwriteMode::refuse && fs::exists(move.to, ignored)) error = EEXIST;
    if (error == 0) return;
    if (error == EXDEV) return copy_file(move);
    if (error != EEXIST) throw not_imported(move.to, std::generic_category().message(error));
    if (!is_same_file(move)) refuse_existing(move.to);
    fs::remove(move.from, ignored);
}

/// Places a file, or the files of a folder one by one.
void place(const Move& move) {
    std::error_code ignored;
    if (!fs::is_directory(move.from, ignored)) return place_file(move);
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(move.from, ignored)) files.push_back(entry.path());
    std::ranges::sort(files);
    fs::create_directories(move.to, ignored);
    for (const fs::path& file : files) place_file({file, move.to / file.filename(), {}, move.overwrite});
    fs::remove(move.from, ignored);
}

Json read_description(const TaskFolder& folder) {
    try {
        return read_json(folder.result() / kResultFile);
    } catch (const JsonError& error) {
        throw Error(ErrorCode::bad_config,
                    fmt::format("{} is not usable: {}", (folder.result() / kResultFile).string(), error.what()),
                    "kinescope-cli cluster resume makes the video again.");
    }
}

fs::path target_of(const VideoTask& task, const fs::path& name) {
    const auto found = std::ranges::find(task.files, name.filename().string(), &WantedFile::name);
    return found == task.files.end() ? fs::path() : found->target;
}

}  // namespace

Json describe_outputs(const fs::path& outputs, const Json& outcome) {
    Json files = Json::object();
    for (const fs::directory_entry& entry : fs::directory_iterator(outputs)) {
        if (!entry.is_regular_file()) continue;
        files[entry.path().filename().string()] = {{"bytes", entry.file_size()},
                                                   {"sha256", sha256_of_file(entry.path())}};
    }
    return {{"format", 1}, {"outcome", outcome}, {"files", files}};
}

void import_result(const TaskFolder& folder, const VideoTask& task) {
    const Json description = read_description(folder);
    std::error_code ignored;
    // The video is the first of the files and is placed last: its name means that everything is there.
    for (auto file = task.files.rbegin(); file != task.files.rend(); ++file) {
        const fs::path from = folder.result() / file->name;
        if (fs::exists(from, ignored))
            place({from, file->target, wanted_hash(description, file->name), task.overwrite});
    }
    write_file_atomically(folder.path() / "imported.json", "{}");
    folder.remove_attempts();
}

TaskResult read_result(const TaskFolder& folder, const VideoTask& task) {
    const Json description = read_description(folder);
    TaskResult result{.outcome = description.value("outcome", Json::object())};
    for (const char* name : {"output", "numeric_log"}) {
        const auto found = result.outcome.find(name);
        if (found == result.outcome.end() || !found->is_string() || found->get<std::string>().empty()) continue;
        *found = target_of(task, found->get<std::string>()).string();
    }
    const auto seconds = result.outcome.find("seconds");
    if (seconds != result.outcome.end() && seconds->is_number()) result.seconds = seconds->get<double>();
    return result;
}

void LiveLog::update(const fs::path& source, const fs::path& copy) {
    if (source != source_) copied_ = 0;
    source_ = source;
    std::ifstream from(source, std::ios::binary);
    from.seekg(static_cast<std::streamoff>(copied_));
    if (!from) return;
    std::ofstream to(copy, std::ios::binary | (copied_ == 0 ? std::ios::trunc : std::ios::app));
    std::array<char, 65536> buffer{};
    while (to && from) {
        from.read(buffer.data(), buffer.size());
        to.write(buffer.data(), from.gcount());
        copied_ += static_cast<std::uintmax_t>(from.gcount());
    }
}

}  // namespace kinescope::cluster
