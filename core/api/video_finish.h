#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/api/video_request.h"

namespace kinescope {

/// A finished copy of any video file: larger, smoother, with other sound. The metadata and, without
/// FinishSteps::audio, the sound of the source are kept.
struct FinishRequest {
    std::filesystem::path video;  ///< a video, a GIF, or a folder of PNG frames
    FinishSteps steps;            ///< at least one
    OutputRequest output;         ///< file, overwrite, codec, crf and settings; the other outputs must be empty
    std::string device = "auto";  ///< auto, cpu, cuda, cuda:N, mps
    std::optional<int> threads;   ///< CPU threads; unset: physical cores
    std::optional<int> tile;      ///< 64..2048 px of the source, side of the tiles that are enlarged; unset: 256
    bool operator==(const FinishRequest&) const = default;
};

/// Identifies one call of VideoFiles::finish_video.
using FinishId = std::int64_t;

/// What is done to a finished copy.
enum class FinishStage {
    frames,  ///< its frames are made
    file     ///< all frames are made; the file gets its sound and metadata, which may take long
};

/// Sent with job id 0 after every part of a frame, on the thread that computes, and when the file is completed.
struct FinishProgress {
    FinishId finish_id = 0;
    int done = 0;        ///< frames of the result
    int total = 0;       ///< expected frames of the result; 0: unknown
    double seconds = 0;  ///< since the start
    FinishStage stage = FinishStage::frames;
};

struct FinishResult {
    std::filesystem::path file;  ///< a file or a folder of PNG frames
    std::int64_t bytes = 0;
    int width = 0;   ///< px
    int height = 0;  ///< px
    int num_frames = 0;
    double fps = 0;
    int num_scene_cuts = 0;  ///< places where frames were repeated instead of blended
    double seconds = 0;
    std::int64_t peak_memory_bytes = 0;  ///< of the CUDA device if one was used, otherwise of the process
    std::int64_t planned_memory_bytes = 0;
    std::vector<std::string> notes;  ///< for the user, one sentence each
};

/// Returns all faults of the steps; empty: they are valid. `output`: the file of the result, which limits the sound.
std::vector<Fault> validate(const FinishSteps& steps, const std::filesystem::path& output);
/// The same for a whole request. Does not access the disk.
std::vector<Fault> validate(const FinishRequest& request);

}  // namespace kinescope
