#pragma once

#include <filesystem>
#include <list>
#include <memory>
#include <vector>

#include "core/api/frame.h"

namespace kinescope {

class FrameSource;

/// Returns the indices of at most `max_frames` evenly spaced frames of `count`, ascending.
std::vector<int> selected_indices(int count, int max_frames);

/// Reads the selected frames of a video, a GIF, an image or a folder of PNG frames. Throws Error(file_not_found,
/// file_unreadable, image_unreadable), also if all frames are selected and the decoder filled damaged parts of some.
std::vector<FramePtr> read_frames(const std::filesystem::path& video, const FrameSelection& selection);

/// The next frames of a selection.
struct FramePortion {
    std::vector<FramePtr> frames;  ///< the first portion has at least one, unless there are none
    bool has_ended = false;        ///< no more frames follow
};

/// Reads the selected frames of a video in portions that take limited time and memory.
class SelectionCursor {
public:
    /// Begins with frame number `first` of the selection. Throws like read_frames().
    SelectionCursor(std::filesystem::path video, const FrameSelection& selection, int first = 0);
    ~SelectionCursor();

    /// Reads on for about this time. A portion is empty if the next frame of the selection is farther away. Throws like
    /// read_frames().
    FramePortion read(double seconds);
    /// Returns true if read() continues with frame number `first` of this selection.
    bool can_continue(const std::filesystem::path& video, const FrameSelection& selection, int first) const;

private:
    bool step(std::vector<FramePtr>& frames);

    std::filesystem::path video_;
    FrameSelection selection_;
    std::unique_ptr<FrameSource> source_;
    std::vector<int> wanted_;   ///< indices of frames of the video
    std::size_t num_read_ = 0;  ///< of `wanted_`
};

/// Reads several selections in turns. Keeps their files open, so that each frame is decoded once.
class SelectionCursors {
public:
    /// Returns frames of a selection from number `first` on, see SelectionCursor.
    FramePortion read(const std::filesystem::path& video, const FrameSelection& selection, int first);

private:
    std::list<SelectionCursor> cursors_;  ///< the one that was used last is the first
};

}  // namespace kinescope
