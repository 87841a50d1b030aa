#include "core/computers/request_paths.h"

#include <string>
#include <utility>
#include <vector>

namespace kinescope::computers {

namespace {

namespace fs = std::filesystem;

constexpr const char* kVideo = "video";

/// An output, and its name on the other computer.
struct OutputName {
    fs::path OutputRequest::*member;
    const char* name;
};
constexpr OutputName kOutputs[] = {{&OutputRequest::numeric_log, "log.jsonl"},
                                   {&OutputRequest::numeric_csv, "numbers.csv"},
                                   {&OutputRequest::latents, "latents.safetensors"},
                                   {&OutputRequest::frames, "frames.safetensors"},
                                   {&OutputRequest::preview_dir, "previews"}};

std::vector<fs::path> paths_of(VideoRequest request) {
    std::vector<fs::path> paths;
    visit_paths(request, [&](PathUse, const fs::path& path) { paths.push_back(path); });
    return paths;
}

/// "previews/step1.png" below "previews" is "step1.png"; empty: it is not below the folder.
fs::path below(const fs::path& path, const fs::path& folder) {
    return path.begin() != path.end() && *path.begin() == folder ? path.lexically_relative(folder) : fs::path();
}

}  // namespace

VideoRequest request_for(VideoRequest request, const fs::path& folder,
                         const std::function<fs::path(PathUse, const fs::path&)>& path_there) {
    visit_paths(request, [&](PathUse use, fs::path& path) {
        const fs::path own = std::exchange(path, path_there(use, path));
        if (use == PathUse::input) request.originals[path] = own;
    });
    OutputRequest& output = request.output;
    if (!output.file.empty()) output.file = folder / (kVideo + output.file.extension().string());
    for (const auto& [member, name] : kOutputs)
        if (!(output.*member).empty()) output.*member = folder / name;
    output.overwrite = OverwriteMode::overwrite;  // the folder belongs to this job
    return request;
}

VideoRequest with_own_paths(VideoRequest resolved, const VideoRequest& own) {
    const std::vector<fs::path> paths = paths_of(own);
    std::size_t next = 0;
    if (paths_of(resolved).size() == paths.size())
        visit_paths(resolved, [&](PathUse, fs::path& path) { path = paths[next++]; });
    OutputRequest output = own.output;
    output.codec = resolved.output.codec;
    output.crf = resolved.output.crf;
    resolved.output = std::move(output);
    resolved.originals = own.originals;
    return resolved;
}

fs::path own_output(const fs::path& there, const OutputRequest& own) {
    for (const auto& [member, name] : kOutputs) {
        if ((own.*member).empty()) continue;
        if (there == name) return own.*member;
        if (const fs::path inside = below(there, name); !inside.empty()) return own.*member / inside;
    }
    if (own.file.empty() || there.empty()) return {};
    const fs::path first = *there.begin();
    if (first.stem() == kVideo && first.extension() == own.file.extension())
        return first == there ? own.file : own.file / below(there, first);
    const std::string name = first.string();
    if (first != there || !name.starts_with(kVideo)) return {};
    return own.file.parent_path() / (own.file.stem().string() + name.substr(std::string(kVideo).size()));
}

fs::path frame_in(const fs::path& there, const OutputRequest& own) {
    if (own.file.empty() || own.file.has_extension() || there == kVideo) return {};
    return below(there, kVideo);
}

fs::path frame_folder(const OutputRequest& own) {
    return own.file.has_filename() ? own.file : own.file.parent_path();
}

}  // namespace kinescope::computers
