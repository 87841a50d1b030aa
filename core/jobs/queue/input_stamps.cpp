#include "core/jobs/queue/input_stamps.h"

#include <optional>
#include <set>

#include "core/api/error.h"
#include "core/api/visit_paths.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

/// Larger inputs are not read when a job is added to the queue, because this would take too long.
constexpr std::int64_t kMostHashedBytes = std::int64_t{16} << 20;

fs::path absolute_of(const fs::path& path) {
    std::error_code ignored;
    return fs::absolute(path, ignored);
}

std::set<fs::path> inputs_of(VideoRequest request) {
    std::set<fs::path> inputs;
    visit_paths(request, [&](PathUse use, fs::path& path) {
        if (use == PathUse::input) inputs.insert(path);
    });
    return inputs;
}

std::optional<ContentStamp> stamp_of(const fs::path& path) {
    try {
        return quick_stamp(path, kMostHashedBytes);
    } catch (const Error&) {
        return std::nullopt;
    }
}

bool has_other_contents(const ContentStamp& before, const ContentStamp& now) {
    const bool are_hashed = !before.sha256.empty() && !now.sha256.empty();
    if (before.bytes != now.bytes) return true;
    return are_hashed ? before.sha256 != now.sha256 : before.changed != now.changed;
}

}  // namespace

InputStamps input_stamps(VideoRequest request) {
    InputStamps stamps;
    for (const fs::path& input : inputs_of(std::move(request)))
        if (const auto stamp = stamp_of(input)) stamps[absolute_of(input)] = *stamp;
    return stamps;
}

std::vector<std::string> warnings_about_changed(const InputStamps& before, VideoRequest request, InputsToRead read) {
    std::vector<std::string> warnings;
    const fs::path sound = request.finish.audio.file;
    for (const fs::path& input : inputs_of(std::move(request))) {
        const auto stamp = before.find(absolute_of(input));
        if (stamp == before.end() || (read == InputsToRead::sound && input != sound)) continue;
        if (const auto now = stamp_of(input); now && has_other_contents(stamp->second, *now))
            warnings.push_back(input.string() + " changed after the job was queued; the job uses the new file");
    }
    return warnings;
}

}  // namespace kinescope
