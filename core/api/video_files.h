#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/api/frame.h"
#include "core/api/video_description.h"
#include "core/api/video_export.h"
#include "core/api/video_finish.h"
#include "core/api/video_request.h"

namespace kinescope {

/// Identifies one call of VideoFiles::read_frames.
using ReadId = std::int64_t;

/// Reads and exports finished videos. Arguments and results are plain values, so that a proxy in another process could
/// implement the interface. Every method may be called from any thread and blocks until it is done.
class VideoFiles {
public:
    virtual ~VideoFiles() = default;

    /// Returns the request stored in a video's metadata. Throws Error(no_settings) if there is none.
    virtual VideoRequest read_settings(const std::filesystem::path& video) = 0;
    /// Returns the size, the length and the frame rate of a file. Throws Error(file_not_found, file_unreadable).
    virtual VideoDescription describe_video(const std::filesystem::path& video) = 0;
    /// Returns decoded frames of a video. All frames of a long video take minutes. `id` is chosen by the caller; 0: the
    /// call cannot be cancelled. Throws Error(cancelled) after cancel_read(id), Error(file_not_found, file_unreadable).
    virtual std::vector<FramePtr> read_frames(const std::filesystem::path& video, const FrameSelection& selection,
                                              ReadId id = 0) = 0;
    /// Makes read_frames(..., id) stop soon, whether it is running or called later. Returns immediately.
    virtual void cancel_read(ReadId id) = 0;

    /// Writes a copy of a video in another format, under a temporary name until it is complete. Keeps the settings in
    /// the metadata. Sends ExportProgress. `id` is chosen by the caller and must be unique. Throws Error(cancelled)
    /// after cancel_export(id), Error(bad_request) if both files are the same, and the errors of reading and writing.
    virtual ExportResult export_video(const ExportRequest& request, ExportId id) = 0;
    /// Makes export_video(..., id) stop soon, whether it is running or called later. Returns immediately.
    virtual void cancel_export(ExportId id) = 0;
    /// Encodes the first frames to estimate the size of an export. Throws like export_video.
    virtual ExportEstimate estimate_export(const ExportRequest& request) = 0;

    /// Enlarges and interpolates the frames of a video, and writes the result under a temporary name until it is
    /// complete. Computes on the worker thread after the jobs that run or wait. Sends FinishProgress. Saves the result
    /// in parts of at least a second: after a crash, an error or pause_finish(), the same request continues after the
    /// last of them, with the bytes of an unbroken call. GIF files and pictures start over. `id` is chosen by the
    /// caller and must be unique. Throws Error(bad_request) with all faults, Error(cancelled) after cancel_finish(id)
    /// and pause_finish(id), Error(unsupported) for weights of another kind, NumericError, and what reading and writing
    /// throw.
    virtual FinishResult finish_video(const FinishRequest& request, FinishId id) = 0;
    /// Makes finish_video(..., id) stop soon and deletes what it has saved, also if that call comes later. Returns at
    /// once.
    virtual void cancel_finish(FinishId id) = 0;
    /// The same, but keeps what is saved.
    virtual void pause_finish(FinishId id) = 0;
};

}  // namespace kinescope
