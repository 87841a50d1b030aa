#include "core/finish/finish_folder.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <functional>
#include <vector>

#include "core/api/bounded_json.h"
#include "core/api/error.h"
#include "core/api/version.h"
#include "core/base/atomic_file.h"
#include "core/base/file_stamp.h"
#include "core/base/folder_entries.h"
#include "core/base/json.h"
#include "core/base/log_line.h"
#include "core/base/regular_file.h"
#include "core/base/sha256.h"
#include "core/device/backend.h"
#include "core/device/cpu_level.h"
#include "core/device/device_capability.h"
#include "core/media/output_path.h"
#include "core/media/saved_chunks.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours kKept{14 * 24};
/// Digits of a key that number its lock. They fit into 63 bits.
constexpr std::size_t kLockDigits = 15;
/// Changes whenever encoders get another pixel format or other settings, because a file takes only chunks of one kind.
constexpr int kEncoding = 2;
// Files in the folder of all copies, and of one.
constexpr const char* kLocks = "locks";
constexpr const char* kOutput = "output";
constexpr const char* kState = "state.json";

std::int64_t lock_number(const std::string& key) {
    return 1 + std::stoll(key.substr(0, kLockDigits), nullptr, 16);
}

bool is_key(const std::string& name) {
    return name.size() == 64 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

Json stamp_json(const fs::path& file) {
    const auto stamp = file_stamp(file);
    if (!stamp) return nullptr;
    return {fs::absolute(file).string(), stamp->device, stamp->inode, stamp->bytes, stamp->modified_ns};
}

/// The files of a folder of pictures can change without the folder.
Json source_json(const fs::path& video) {
    std::error_code ignored;
    if (!fs::is_directory(video, ignored)) return stamp_json(video);
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(video, ignored)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    Json all = Json::array();
    for (const fs::path& file : files) all.push_back(stamp_json(file));
    return all;
}

/// Only what changes frames, packets or times; the sound is read again.
Json steps_json(const FinishSteps& steps) {
    return {{"upscaler", stamp_json(steps.upscaler)},
            {"upscale_factor", steps.upscale_factor.value_or(0)},
            {"interpolator", stamp_json(steps.interpolator)},
            {"interpolation_factor", steps.interpolation_factor.value_or(0)},
            {"interpolation_fps", steps.interpolation_fps.value_or(0)}};
}

/// Deletes the folders in `root` that `is_meant` selects and that no call uses.
void remove_unused(const fs::path& root, const std::function<bool(const fs::directory_entry&)>& is_meant) {
    std::error_code ignored;
    std::vector<fs::path> folders;
    for (const fs::directory_entry& entry : entries_of(root, ignored))
        if (is_key(entry.path().filename().string()) && is_meant(entry)) folders.push_back(entry.path());
    if (folders.empty()) return;
    NumberLocks locks(root / kLocks);
    for (const fs::path& folder : folders)
        if (!locks.is_taken(lock_number(folder.filename().string()))) fs::remove_all(folder, ignored);
}

std::string name_of(const fs::path& output) {
    return fs::absolute(without_trailing_slash(output)).string();
}

/// Returns the contents of a small file of a folder; empty if it cannot be read.
std::string small_file(const fs::path& file) {
    constexpr std::uintmax_t kLargest = 64 * 1024;
    try {
        return read_regular_file(file, kLargest);
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

std::string computer_facts(const Device& device) {
    const auto known = query_devices();
    const auto found = std::ranges::find_if(known, [&](const auto& one) { return device_id(one) == device.str(); });
    const Json name = found == known.end() ? Json() : Json{found->name, found->driver};
    return Json{device.str(), name, to_string(cpu_level()), adds_int8_products(), at::get_num_threads()}.dump();
}

std::string finish_key(const FinishRequest& request, const std::string& computer) {
    const Json facts = {{"kinescope", kVersion},
                        {"libraries", library_versions()},
                        {"computer", computer},
                        {"video", source_json(request.video)},
                        {"steps", steps_json(request.steps)},
                        {"output", name_of(request.output.file)},
                        {"codec", request.output.codec},
                        {"encoding", kEncoding},
                        {"crf", request.output.crf.value_or(-1)},
                        {"tile", request.tile.value_or(0)}};
    return sha256_of(facts.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void remove_saved_frames(const fs::path& root, const fs::path& output) {
    remove_unused(root, [name = name_of(output)](const fs::directory_entry& folder) {
        return small_file(folder.path() / kOutput) == name;
    });
}

void remove_old_saved_frames(const fs::path& root) {
    remove_unused(root, [](const fs::directory_entry& folder) {
        std::error_code error;
        const auto age = fs::file_time_type::clock::now() - folder.last_write_time(error);
        return !error && age > kKept;
    });
}

FinishFolder::FinishFolder(const fs::path& root, const std::string& key, const fs::path& output)
    : folder_(root / key), locks_(root / kLocks) {
    fs::create_directories(root);
    fs::permissions(root, fs::perms::group_all | fs::perms::others_all, fs::perm_options::remove);
    lock(key);
    fs::create_directory(folder_);
    save(kOutput, name_of(output));
}

void FinishFolder::lock(const std::string& key) {
    const auto outcome = locks_.take(lock_number(key));
    if (outcome == NumberLocks::Outcome::taken) return;
    // Without a lock, two calls could write the same parts.
    if (outcome == NumberLocks::Outcome::failed)
        throw fs::filesystem_error("cannot lock", std::error_code(errno, std::generic_category()));
    throw Error(ErrorCode::bad_request, "another process is already making this copy",
                "Wait for it, or choose another name for the result.");
}

std::unique_ptr<FinishFolder> FinishFolder::open(const fs::path& root, const std::string& key, const fs::path& output) {
    try {
        return std::unique_ptr<FinishFolder>(new FinishFolder(root, key, output));
    } catch (const fs::filesystem_error& error) {
        log_warning(std::string("finished frames cannot be saved: ") + error.what() +
                    "; if the work is interrupted, it starts over");
        return nullptr;
    }
}

/// The work goes on without the file, and may then start over.
void FinishFolder::save(const char* name, const std::string& text) const {
    try {
        AtomicFile file(folder_ / name, FileAccess::owner_only);
        file.write(text);
        file.commit();
    } catch (const Error& error) {
        log_warning(error.message());
    }
}

bool FinishFolder::holds_frames() const {
    return SavedChunks(folder_).holds_any();
}

void FinishFolder::save_state(const FinishState& state) const {
    save(kState,
         Json{{"tile", state.tiles.tile}, {"overlap", state.tiles.overlap}, {"tile_difference", state.tile_difference}}
             .dump());
}

std::optional<FinishState> FinishFolder::state() const {
    const auto json = try_parse_json(small_file(folder_ / kState));
    if (!json.is_object()) return std::nullopt;
    const auto number = [&](const char* key) {
        return json.contains(key) && json[key].is_number() ? json[key].get<double>() : -1;
    };
    const FinishState state{.tiles = {.tile = static_cast<int>(std::clamp(number("tile"), 0.0, 1e6)),
                                      .overlap = static_cast<int>(std::clamp(number("overlap"), -1.0, 1e6))},
                            .tile_difference = number("tile_difference")};
    const bool is_valid = state.tiles.overlap >= 0 && state.tiles.overlap < state.tiles.tile;
    return is_valid ? std::optional(state) : std::nullopt;
}

void FinishFolder::remove() const {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

}  // namespace kinescope
