#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/api/frame.h"
#include "core/api/video_request.h"
#include "core/base/child_server.h"

namespace kinescope {

/// Reads pictures and videos from outside in a process with limits of memory and time, so that a file that makes a
/// decoder crash, loop or fill the memory is an Error(file_unreadable) and not the end of the program. One process
/// reads many files.
class GuardedReader {
public:
    /// `program`: its main calls run_as_reader_child; empty: files are read in this process.
    explicit GuardedReader(const std::filesystem::path& program);

    /// The request in a video's comment. Throws Error(no_settings) and what read_comment throws.
    VideoRequest read_settings(const std::filesystem::path& video);
    /// As kinescope::read_frames.
    std::vector<FramePtr> read_frames(const std::filesystem::path& video, const FrameSelection& selection);
    /// Whether read_image reads the file. Throws what it throws.
    void check_image(const std::filesystem::path& file);

private:
    std::string ask(const std::vector<std::string>& words, const std::filesystem::path& file);

    std::unique_ptr<ChildServer> child_;
};

}  // namespace kinescope
