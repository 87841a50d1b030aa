#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "core/api/frame.h"

namespace kinescope {

/// Finished frames, one after the other, as Kinescope writes them.
class FrameSource {
public:
    virtual ~FrameSource() = default;
    /// As the file says; a broken one may have fewer.
    virtual int count() const = 0;
    /// Nothing after the last. Throws Error(file_unreadable, image_unreadable).
    virtual std::optional<Frame> next() = 0;
    /// Passes over one frame, as cheaply as can be. False after the last. Throws as next().
    virtual bool skip() = 0;
};

/// A video, a GIF, a PNG, or a folder of PNG frames in the order of their names. Throws
/// Error(file_not_found, file_unreadable).
std::unique_ptr<FrameSource> open_frame_source(const std::filesystem::path& path);

}  // namespace kinescope
