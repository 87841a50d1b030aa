#include "core/base/content_stamp.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/api/error.h"
#include "core/base/sha256.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

/// Returns the files that a path stands for, sorted by name.
std::vector<fs::path> files_of(const fs::path& path) {
    std::error_code failure;
    if (!fs::is_directory(path, failure)) return {path};
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(path, failure))
        if (entry.is_regular_file(failure)) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

/// Returns size and time of the files, without a hash.
ContentStamp facts_of(const std::vector<fs::path>& files) {
    ContentStamp facts;
    for (const fs::path& file : files) {
        std::error_code failure;
        facts.bytes += static_cast<std::int64_t>(fs::file_size(file, failure));
        if (failure)
            throw Error(ErrorCode::file_not_found, "file not found: " + file.string(), "Check the path.",
                        {{"path", file.string()}});
        const auto changed = fs::last_write_time(file, failure).time_since_epoch();
        facts.changed = std::max<std::int64_t>(facts.changed,
                                               std::chrono::duration_cast<std::chrono::nanoseconds>(changed).count());
    }
    return facts;
}

std::string hash_of(const fs::path& path, const std::vector<fs::path>& files) {
    if (files.size() == 1 && files.front() == path) return sha256_of_file(path);
    std::string text;
    for (const fs::path& file : files) text += file.filename().string() + '\n' + sha256_of_file(file) + '\n';
    return sha256_of(text);
}

}  // namespace

ContentStamp content_stamp(const fs::path& path) {
    const std::vector<fs::path> files = files_of(path);
    ContentStamp stamp = facts_of(files);
    stamp.sha256 = hash_of(path, files);
    return stamp;
}

bool has_stamp(const fs::path& path, const ContentStamp& expected) {
    const std::vector<fs::path> files = files_of(path);
    const ContentStamp now = facts_of(files);
    if (now.bytes != expected.bytes) return false;
    return now.changed == expected.changed || hash_of(path, files) == expected.sha256;
}

}  // namespace kinescope
