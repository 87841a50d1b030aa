#include "core/jobs/queue/input_stamps.h"

#include <optional>
#include <set>

#include "core/api/error.h"
#include "core/api/visit_paths.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

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
        return quick_stamp(path);
    } catch (const Error&) {
        return std::nullopt;
    }
}

bool is_other(const ContentStamp& before, const ContentStamp& now) {
    return before.bytes != now.bytes || before.changed != now.changed;
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
        if (const auto now = stamp_of(input); now && is_other(stamp->second, *now))
            warnings.push_back(input.string() + " changed after the job was queued; the job uses the new file");
    }
    return warnings;
}

}  // namespace kinescope
