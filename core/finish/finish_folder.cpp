#include "core/finish/finish_folder.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <vector>

#include "core/api/error.h"
#include "core/api/version.h"
#include "core/base/file_stamp.h"
#include "core/base/json.h"
#include "core/base/log_line.h"
#include "core/base/sha256.h"
#include "core/device/backend.h"
#include "core/media/output_path.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours kKept{14 * 24};
/// Digits of a key that number its lock. They fit into 63 bits.
constexpr std::size_t kLockDigits = 15;

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

void remove_old_folders(const fs::path& root, NumberLocks& locks) {
    std::error_code ignored;
    std::vector<fs::path> old;
    for (const fs::directory_entry& entry : fs::directory_iterator(root, ignored)) {
        std::error_code error;
        const auto age = fs::file_time_type::clock::now() - entry.last_write_time(error);
        if (!error && age > kKept && is_key(entry.path().filename().string())) old.push_back(entry.path());
    }
    for (const fs::path& folder : old)
        if (!locks.is_taken(lock_number(folder.filename().string()))) fs::remove_all(folder, ignored);
}

}  // namespace

std::string finish_key(const FinishRequest& request, const std::string& device) {
    const Json facts = {{"kinescope", kVersion},
                        {"libraries", library_versions()},
                        {"device", device},
                        {"video", source_json(request.video)},
                        {"steps", steps_json(request.steps)},
                        {"output", fs::absolute(without_trailing_slash(request.output.file)).string()},
                        {"codec", request.output.codec},
                        {"crf", request.output.crf.value_or(-1)},
                        {"threads", request.threads.value_or(0)},
                        {"tile", request.tile.value_or(0)}};
    return sha256_of(facts.dump(-1, ' ', false, Json::error_handler_t::replace));
}

FinishFolder::FinishFolder(const fs::path& root, const std::string& key) : folder_(root / key), locks_(root / "locks") {
    fs::create_directories(root);
    fs::permissions(root, fs::perms::group_all | fs::perms::others_all, fs::perm_options::remove);
    lock(key);
    fs::create_directory(folder_);
    remove_old_folders(root, locks_);
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

std::unique_ptr<FinishFolder> FinishFolder::open(const fs::path& root, const std::string& key) {
    try {
        return std::unique_ptr<FinishFolder>(new FinishFolder(root, key));
    } catch (const fs::filesystem_error& error) {
        log_warning(std::string("finished frames cannot be saved: ") + error.what() +
                    "; if the work is interrupted, it starts over");
        return nullptr;
    }
}

void FinishFolder::remove() const {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

}  // namespace kinescope
