#include "core/media/content_stamp.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <span>
#include <vector>

#include "core/base/regular_file.h"
#include "core/base/sha256.h"
#include "core/media/frame_source.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

/// Returns size and time of the files, without a hash.
ContentStamp facts_of(const std::vector<fs::path>& files) {
    // Times of the file clock may be negative.
    ContentStamp facts{.changed = std::numeric_limits<std::int64_t>::min()};
    for (const fs::path& file : files) {
        facts.bytes += static_cast<std::int64_t>(RegularFile(file).size());
        std::error_code ignored;
        const auto changed = fs::last_write_time(file, ignored).time_since_epoch();
        facts.changed = std::max<std::int64_t>(facts.changed,
                                               std::chrono::duration_cast<std::chrono::nanoseconds>(changed).count());
    }
    return facts;
}

std::string hash_of(const std::vector<fs::path>& files, const CancellationToken& stop) {
    Sha256 hash;
    for (const fs::path& file : files) {
        const std::string name = file.filename().string() + '\n';
        if (files.size() > 1) hash.add(std::as_bytes(std::span(name)));
        hash.add_file(file, stop);
    }
    return hash.finish();
}

}  // namespace

ContentStamp content_stamp(const fs::path& path, const CancellationToken& stop) {
    const std::vector<fs::path> files = frame_files(path);
    ContentStamp stamp = facts_of(files);
    stamp.sha256 = hash_of(files, stop);
    return stamp;
}

ContentStamp quick_stamp(const fs::path& path) {
    return facts_of(frame_files(path));
}

bool has_stamp(const fs::path& path, const ContentStamp& expected, const CancellationToken& stop) {
    const std::vector<fs::path> files = frame_files(path);
    const ContentStamp now = facts_of(files);
    if (now.bytes != expected.bytes) return false;
    return now.changed == expected.changed || hash_of(files, stop) == expected.sha256;
}

}  // namespace kinescope
