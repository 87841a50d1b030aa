#include "core/jobs/queue/part_result.h"

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/part_files.h"
#include "core/jobs/queue/run_result_json.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

constexpr const char* kVideoFrames = "video_frames";
constexpr const char* kVideoSha256 = "video_sha256";
constexpr const char* kSetup = "setup";

fs::path result_file(const fs::path& folder) {
    return folder / kPartResult;
}

Error damaged(const fs::path& file, const std::string& reason) {
    return {ErrorCode::bad_config,
            file.string() + " is not usable: " + reason,
            "The file is damaged or was edited by hand. Delete it.",
            {{"path", file.string()}}};
}

}  // namespace

void write_part_result(const fs::path& folder, const PartResult& result) {
    Json json = to_json(result.run);
    json[kVideoFrames] = result.video_frames;
    json[kVideoSha256] = result.video_sha256;
    json[kSetup] = result.setup;
    write_file_atomically(result_file(folder), json.dump(1, ' ', false, Json::error_handler_t::replace));
}

PartResult read_part_result(const fs::path& folder) {
    const fs::path file = result_file(folder);
    const Json json = read_json(file);
    try {
        return {.run = run_result_from(json),
                .video_frames = json.at(kVideoFrames).get<int>(),
                .video_sha256 = json.at(kVideoSha256).get<std::string>(),
                .setup = json.at(kSetup).get<SavedSetup>()};
    } catch (const JsonError& error) {
        throw damaged(file, error.what());
    } catch (const Json::exception& error) {
        throw damaged(file, error.what());
    }
}

}  // namespace kinescope
