#pragma once

#include <map>
#include <string>

#include "core/media/frame_sink.h"
#include "core/media/output_path.h"

namespace kinescope {

/// Writes a folder of PNG frames, see frame_folder.h. The first frame contains the metadata.
class ImageSequenceSink : public FrameSink {
public:
    explicit ImageSequenceSink(const SinkOptions& options);
    ~ImageSequenceSink() override;
    void write(const Frame& frame) override;
    std::filesystem::path finish() override;
    const std::filesystem::path& temporary() const override { return temporary_; }

private:
    void take_name();

    std::filesystem::path target_;
    OverwriteMode overwrite_;
    int width_;
    int height_;
    std::map<std::string, std::string> metadata_;
    ParentFolders parents_;
    std::filesystem::path temporary_;
    int num_frames_ = 0;
};

}  // namespace kinescope
