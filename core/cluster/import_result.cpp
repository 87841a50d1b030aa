#include "core/cluster/import_result.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/frame_folder.h"
#include "core/base/platform_rename.h"
#include "core/base/regular_file.h"
#include "core/base/sha256.h"
#include "core/cluster/read_parts.h"

namespace kinescope::cluster {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytesOfDescription = std::uintmax_t{64} << 20;
constexpr const char* kStays =
    "The result stays on the shared storage. Rename the existing file, then use kinescope-cli cluster wait.";
constexpr const char* kOtherFile = "is not the file that the task wrote";

Error not_imported(const fs::path& target, const std::string& reason) {
    return {ErrorCode::output_not_writable,
            "cannot write '" + target.string() + "': " + reason,
            "The result stays on the shared storage; kinescope-cli cluster wait imports it.",
            {{"path", target.string()}}};
}

std::string sha256_of_file(const fs::path& file) {
    Sha256 hash;
    read_parts(file, [&](std::span<const std::byte> part) { hash.add(part); });
    return hash.finish();
}

/// The error of a result that the task has to make again.
Error damaged(const fs::path& file, const std::string& what) {
    return {ErrorCode::file_changed,
            "'" + file.string() + "' " + what,
            "The shared storage damaged it. kinescope-cli cluster resume makes the video again.",
            {{"path", file.string()}}};
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
    if (move.overwrite == OverwriteMode::refuse) return rename_without_replacing(move.from, move.to);
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
    if (!move.sha256.empty() && hash.finish() != move.sha256) throw damaged(move.from, kOtherFile);
    copy.commit();
}

/// Returns true if an interrupted import has already put this file in its place.
bool is_same_file(const Move& move) {
    std::error_code ignored;
    return fs::is_regular_file(move.to, ignored) &&
           fs::file_size(move.from, ignored) == fs::file_size(move.to, ignored) &&
           sha256_of_file(move.from) == sha256_of_file(move.to);
}

[[noreturn]] void refuse_existing(const fs::path& target) {
    throw Error(ErrorCode::output_exists, "'" + target.string() + "' already exists", kStays,
                {{"path", target.string()}});
}

void place_file(const Move& move) {
    std::error_code ignored;
    if (move.to.has_parent_path()) fs::create_directories(move.to.parent_path(), ignored);
    int error = rename_file(move);
    if (error == EXDEV && move.overwrite == OverwriteMode::refuse && fs::exists(move.to, ignored)) error = EEXIST;
    if (error == 0) return;
    if (error == EEXIST && !is_same_file(move)) refuse_existing(move.to);
    if (error == EXDEV)
        copy_file(move);
    else if (error != EEXIST)
        throw not_imported(move.to, std::generic_category().message(error));
    fs::remove(move.from, ignored);
}

bool is_there(const fs::path& path) {
    std::error_code error;
    const bool found = fs::exists(path, error);
    if (error) throw storage_lost(path, error.message());
    return found;
}

/// The outputs that interrupted imports have placed. What they have placed may be renamed or deleted by the user, so it
/// is not missing. An output is noted before it is moved, and no longer if that fails. If it cannot be noted, as on a
/// full storage, an interrupted import recognizes only what is still in its place.
class PlacedOutputs {
public:
    /// Throws Error(file_unreadable).
    explicit PlacedOutputs(fs::path file) : file_(std::move(file)) {
        try {
            names_ = parse_json(read_regular_file(file_, kMostBytesOfDescription)).get<std::set<std::string>>();
        } catch (const Error& error) {
            if (error.code() != ErrorCode::file_not_found) throw;
        } catch (const JsonError&) {
            names_.clear();  // the storage has damaged it
        } catch (const Json::exception&) {
            names_.clear();
        }
    }

    bool contains(const std::string& name) const { return names_.contains(name); }
    void add(const std::string& name) {
        if (names_.insert(name).second) save();
    }
    void remove(const std::string& name) {
        if (names_.erase(name) > 0) save();
    }

private:
    void save() const {
        try {
            write_file_atomically(file_, Json(names_).dump());
        } catch (const Error&) {
            return;  // the import goes on
        }
    }

    fs::path file_;
    std::set<std::string> names_;
};

/// Throws Error(file_changed) if the file in the result is not as the task wrote it.
void check_written(const Move& move) {
    if (!move.sha256.empty() && sha256_of_file(move.from) != move.sha256) throw damaged(move.from, kOtherFile);
}

/// Throws Error(file_changed) if the file that the task wrote is not in its place.
void check_placed(const Move& move) {
    std::error_code ignored;
    if (!fs::is_regular_file(move.to, ignored) || sha256_of_file(move.to) != move.sha256)
        throw damaged(move.from, "is missing");
}

/// Returns the moves of the files that a task wrote under one name: a file, or the files of a folder. Earlier versions
/// did not list the files of folders.
std::vector<Move> listed_moves(const WantedFile& wanted, const Json& files, const Move& whole) {
    std::vector<Move> moves;
    const std::string folder = wanted.name + "/";
    for (const auto& [name, facts] : files.items()) {
        Move move = whole;
        move.sha256 = facts.value("sha256", "");
        if (name.starts_with(folder)) {
            const fs::path inside = name.substr(folder.size());
            if (inside != inside.filename() || inside == "..")
                throw damaged(whole.from, "lists a file of another folder");
            move.from /= inside;
            move.to /= inside;
        } else if (name != wanted.name) {
            continue;
        }
        moves.push_back(std::move(move));
    }
    return moves;
}

/// Returns the entries of a folder in the order of their names.
std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error))
        files.push_back(entry->path());
    if (error) throw storage_lost(folder, error.message());
    std::ranges::sort(files);
    return files;
}

std::string hash_of(const fs::path& file, const std::vector<Move>& listed) {
    const auto found = std::ranges::find(listed, file, &Move::from);
    return found == listed.end() ? std::string() : found->sha256;
}

/// An output of a task: a file or a folder.
struct Output {
    std::string name;  ///< in the result
    Move whole;
    std::vector<Move> listed;
    bool was_placed = false;  ///< by an interrupted import
};

void check_output(const Output& output) {
    for (const Move& file : output.listed) {
        if (is_there(file.from))
            check_written(file);
        else if (!output.was_placed)
            check_placed(file);
    }
}

void check_video(const Output& video) {
    check_output(video);
    const bool may_be_missing = video.was_placed || !video.listed.empty();
    if (!may_be_missing && !is_there(video.whole.from) && !is_there(video.whole.to))
        throw damaged(video.whole.from, "is missing");
}

/// Returns the intact outputs, and adds a warning for each of the others. Throws if the first one, the video, is
/// damaged: the task must then run again.
std::vector<Output> check_outputs(const std::vector<Output>& outputs, std::vector<std::string>& warnings) {
    std::vector<Output> intact;
    for (const Output& output : outputs) {
        const bool is_video = intact.empty();
        try {
            is_video ? check_video(output) : check_output(output);
            intact.push_back(output);
        } catch (const Error& error) {
            if (is_video || error.code() != ErrorCode::file_changed) throw;
            warnings.push_back(error.message() + "; the video is imported without '" + output.whole.to.string() + "'");
        }
    }
    return intact;
}

/// Returns true if an interrupted import has already given the frames their name.
bool has_all_frames(const Output& output) {
    std::error_code ignored;
    const auto count = static_cast<std::size_t>(
        std::distance(fs::directory_iterator(output.whole.to, ignored), fs::directory_iterator()));
    return !output.listed.empty() && count == output.listed.size() &&
           std::ranges::all_of(output.listed, [](const Move& frame) {
               std::error_code missing;
               return fs::is_regular_file(frame.to, missing) && sha256_of_file(frame.to) == frame.sha256;
           });
}

/// Copies frames from another file system. The folder gets its name when it is complete.
int copy_frames(const Output& output, const fs::path& temporary) {
    std::error_code error;
    fs::remove_all(temporary, error);  // of an interrupted import
    fs::create_directory(temporary, error);
    if (error) return error.value();
    try {
        for (const fs::path& frame : files_in(output.whole.from))
            copy_file({frame, temporary / frame.filename(), hash_of(frame, output.listed), OverwriteMode::overwrite});
    } catch (...) {
        fs::remove_all(temporary, error);
        throw;
    }
    const int failure = rename_frame_folder(temporary, output.whole.to, output.whole.overwrite);
    fs::remove_all(failure == 0 ? output.whole.from : temporary, error);
    return failure;
}

void check_target_of_frames(const Move& whole) {
    try {
        check_frame_folder(whole.to, whole.overwrite);
    } catch (const Error& error) {
        throw Error(error.code(), error.message(), kStays, error.arguments());
    }
}

/// Places a video of PNG frames as a whole, by the rule of those that are made on this computer.
void place_frames(const Output& output, const fs::path& temporary) {
    const auto& [from, to, sha256, overwrite] = output.whole;
    std::error_code ignored;
    if (has_all_frames(output)) {
        fs::remove_all(from, ignored);
        return;
    }
    check_target_of_frames(output.whole);
    fs::create_directories(to.parent_path(), ignored);
    int error = rename_frame_folder(from, to, overwrite);
    if (error == EXDEV) error = copy_frames(output, temporary);
    if (error == EEXIST || error == ENOTEMPTY) refuse_existing(to);
    if (error != 0) throw not_imported(to, std::generic_category().message(error));
}

/// Places the files of a folder that may have other files, too.
void place_each(const Output& output) {
    const auto& [from, to, sha256, overwrite] = output.whole;
    std::error_code ignored;
    fs::create_directories(to, ignored);
    for (const fs::path& file : files_in(from))
        place_file({file, to / file.filename(), hash_of(file, output.listed), overwrite});
    fs::remove(from, ignored);
}

/// Places a file or a folder. `temporary` is free for a folder of frames.
void place(const Output& output, const fs::path& temporary) {
    const Move& whole = output.whole;
    std::error_code ignored;
    if (!fs::is_directory(whole.from, ignored))
        place_file({whole.from, whole.to, hash_of(whole.from, output.listed), whole.overwrite});
    else if (whole.from.filename() == kPreviews)
        place_each(output);
    else
        place_frames(output, temporary);
}

void place_noted(const Output& output, const fs::path& temporary, PlacedOutputs& placed) {
    placed.add(output.name);
    try {
        place(output, temporary);
    } catch (...) {
        placed.remove(output.name);
        throw;
    }
}

/// Throws Error(output_exists) if another file has the name.
void check_target_of_file(const Move& move) {
    std::error_code ignored;
    const bool is_taken = fs::exists(fs::symlink_status(move.to, ignored));
    if (is_taken && move.overwrite == OverwriteMode::refuse && !is_same_file(move)) refuse_existing(move.to);
}

/// Throws Error(output_exists) if something else is in the place of an output.
void check_target(const Output& output) {
    const Move& whole = output.whole;
    std::error_code ignored;
    if (!is_there(whole.from)) return;
    if (!fs::is_directory(whole.from, ignored)) return check_target_of_file(whole);
    if (whole.from.filename() != kPreviews) {
        if (!has_all_frames(output)) check_target_of_frames(whole);
        return;
    }
    for (const fs::path& file : files_in(whole.from))
        check_target_of_file({file, whole.to / file.filename(), {}, whole.overwrite});
}

/// A hidden name beside a target, the same for each import of the task.
fs::path temporary_beside(const fs::path& target, const TaskFolder& folder) {
    const fs::path batch = folder.path().parent_path().parent_path().filename();
    return target.parent_path() / fmt::format(".{}-{}.part", batch.string(), folder.path().filename().string());
}

/// Runs `read` on the description of a result.
template <class Read>
auto read_description(const TaskFolder& folder, Read read) {
    const fs::path file = folder.result() / kResultFile;
    const std::string text = read_regular_file(file, kMostBytesOfDescription);
    try {
        return read(parse_json(text));
    } catch (const JsonError& error) {
        throw damaged(file, fmt::format("is not usable: {}", error.what()));
    } catch (const Json::exception& error) {
        throw damaged(file, fmt::format("is not usable: {}", error.what()));
    }
}

fs::path target_of(const VideoTask& task, const fs::path& name) {
    const auto found = std::ranges::find(task.files, name.filename().string(), &WantedFile::name);
    return found == task.files.end() ? fs::path() : found->target;
}

}  // namespace

Json describe_outputs(const fs::path& outputs, const Json& outcome) {
    Json files = Json::object();
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(outputs)) {
        if (!entry.is_regular_file()) continue;
        files[entry.path().lexically_relative(outputs).generic_string()] = {{"bytes", entry.file_size()},
                                                                            {"sha256", sha256_of_file(entry.path())}};
    }
    return {{"format", 1}, {"outcome", outcome}, {"files", files}};
}

std::vector<std::string> import_result(const TaskFolder& folder, const VideoTask& task) {
    PlacedOutputs placed(folder.placed());
    const auto described = read_description(folder, [&](const Json& description) {
        std::vector<Output> all;
        for (const WantedFile& file : task.files) {
            const Move whole{folder.result() / file.name, file.target, {}, task.overwrite};
            all.push_back({.name = file.name,
                           .whole = whole,
                           .listed = listed_moves(file, description.at("files"), whole),
                           .was_placed = placed.contains(file.name)});
        }
        return all;
    });
    std::vector<std::string> warnings;
    const std::vector<Output> outputs = check_outputs(described, warnings);
    std::ranges::for_each(outputs, check_target);
    // The video is the first of the files and is placed last: its name means that everything is there.
    for (auto output = outputs.rbegin(); output != outputs.rend(); ++output)
        if (is_there(output->whole.from)) place_noted(*output, temporary_beside(output->whole.to, folder), placed);
    write_file_atomically(folder.path() / "imported.json", "{}");
    std::error_code ignored;
    fs::remove(folder.placed(), ignored);
    folder.remove_attempts();
    return warnings;
}

TaskResult read_result(const TaskFolder& folder, const VideoTask& task) {
    return read_description(folder, [&](const Json& description) {
        TaskResult result{.outcome = description.value("outcome", Json::object())};
        for (const char* name : {"output", "numeric_log"}) {
            const auto found = result.outcome.find(name);
            if (found == result.outcome.end() || !found->is_string() || found->get<std::string>().empty()) continue;
            *found = target_of(task, found->get<std::string>()).string();
        }
        const auto seconds = result.outcome.find("seconds");
        if (seconds != result.outcome.end() && seconds->is_number()) result.seconds = seconds->get<double>();
        return result;
    });
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
