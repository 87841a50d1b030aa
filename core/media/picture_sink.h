#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/media/frame_sink.h"
#include "core/media/pending_file.h"

namespace kinescope {

/// Writes a video of one frame as a PNG file. A second frame throws Error(bad_request).
class PictureSink : public FrameSink {
public:
    explicit PictureSink(const SinkOptions& options);
    void write(const Frame& frame) override;
    std::filesystem::path finish() override;
    const std::filesystem::path& temporary() const override { return pending_.temporary(); }

    /// Returns true if the output is a single image: its extension is .png.
    static bool is_picture(const std::filesystem::path& file);

private:
    std::filesystem::path target_;
    PendingFile pending_;
    int width_;
    int height_;
    std::map<std::string, std::string> metadata_;
    int num_frames_ = 0;
};

}  // namespace kinescope
