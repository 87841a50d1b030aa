#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "core/api/gpu_support.h"
#include "core/base/config_reader.h"
#include "core/base/json.h"

namespace kinescope {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMaxBytes = std::int64_t{1} << 40;

/// Returns true if `path` stays inside the folder to which it is appended.
bool is_inside(const fs::path& path) {
    return !path.empty() && path.is_relative() &&
           std::ranges::none_of(path, [](const fs::path& part) { return part == ".."; });
}

bool is_file_name(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

bool is_sha256(const std::string& text) {
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::string required(const ConfigReader& reader, const std::string& key) {
    std::string text = reader.text(key, "");
    if (text.empty()) reader.refuse(key, "expected a string that is not empty");
    return text;
}

std::vector<std::string> read_members(const ConfigReader& reader, const Json& json) {
    std::vector<std::string> members;
    if (!json.is_array() || json.empty()) reader.refuse("members", "expected a list of paths");
    for (const Json& member : json) {
        if (!member.is_string() || !is_inside(member.get<std::string>()))
            reader.refuse("members", "expected relative paths without '..'");
        members.push_back(member);
    }
    return members;
}

GpuSupportWheel read_wheel(const Json& json, const fs::path& file) {
    const ConfigReader reader(json, file);
    GpuSupportWheel wheel{.project = required(reader, "project"),
                          .file = required(reader, "file"),
                          .bytes = reader.integer("bytes", std::nullopt, {1, kMaxBytes}),
                          .sha256 = required(reader, "sha256"),
                          .unpacked_bytes = reader.integer("unpacked_bytes", std::nullopt, {0, kMaxBytes}),
                          .members = read_members(reader, json.value("members", Json()))};
    if (!is_file_name(wheel.project)) reader.refuse("project", "expected a name");
    if (!is_file_name(wheel.file)) reader.refuse("file", "expected a file name");
    if (!is_sha256(wheel.sha256)) reader.refuse("sha256", "expected 64 hexadecimal digits");
    return wheel;
}

template <class Member>
std::int64_t sum(const std::vector<GpuSupportWheel>& wheels, Member member) {
    return std::accumulate(wheels.begin(), wheels.end(), std::int64_t{0},
                           [&](std::int64_t bytes, const GpuSupportWheel& wheel) { return bytes + wheel.*member; });
}

}  // namespace

std::int64_t GpuSupportManifest::bytes() const {
    return sum(wheels, &GpuSupportWheel::bytes);
}

std::int64_t GpuSupportManifest::unpacked_bytes() const {
    return sum(wheels, &GpuSupportWheel::unpacked_bytes);
}

GpuSupportManifest read_gpu_support_manifest(const fs::path& file) {
    const Json json = read_json(file);
    const ConfigReader reader(json, file);
    GpuSupportManifest manifest{.libtorch = required(reader, "libtorch"),
                                .cuda = required(reader, "cuda"),
                                .driver = required(reader, "driver"),
                                .index = required(reader, "index"),
                                .wheels = {}};
    if (!is_file_name(manifest.libtorch)) reader.refuse("libtorch", "expected a version");
    const Json wheels = json.value("wheels", Json());
    if (!wheels.is_array() || wheels.empty()) reader.refuse("wheels", "expected a list of files");
    for (const Json& wheel : wheels) {
        if (!wheel.is_object()) reader.refuse("wheels", "expected a list of objects");
        manifest.wheels.push_back(read_wheel(wheel, file));
    }
    return manifest;
}

GpuSupportManifest with_index_of_environment(GpuSupportManifest manifest) {
    // pip's variable names the mirror that can be reached from the user's network.
    for (const char* variable : {"KINESCOPE_PACKAGE_INDEX", "PIP_INDEX_URL"}) {
        const char* url = std::getenv(variable);
        if (url == nullptr || *url == 0) continue;
        manifest.index = url;
        break;
    }
    return manifest;
}

}  // namespace kinescope
