#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/frame.h"
#include "core/api/video_request.h"
#include "core/base/child_server.h"
#include "core/media/clip_cursor.h"
#include "core/media/clip_facts.h"
#include "core/media/read_frames.h"
#include "core/media/track_cursor.h"

namespace kinescope {

/// The arguments with which a program starts serve_media_reader().
inline constexpr std::string_view kMediaReaderCommand = "--read-media";
inline constexpr std::string_view kPatientReaderCommand = "--read-media-patiently";

/// How long the child process waits for the next request. `long_pauses`: for days, for work between two parts.
enum class ReaderPatience { short_pauses, long_pauses };

/// The child process of GuardedReader: answers requests until the parent has ended. Returns the exit code.
int serve_media_reader(ReaderPatience patience);

/// Reads untrusted images, videos and sound in a child process with limited memory and time. If a file makes a decoder
/// crash, loop or exhaust the memory, the result is Error(file_unreadable) instead of a crash. One process reads many
/// files. All methods throw Cancelled soon after the reader is cancelled while the process takes its time, for example
/// because a drive does not answer.
class GuardedReader {
public:
    /// The main() of `program` must call run_as_reader_child. If empty, files are read in this process.
    /// `answer_time`: how long a cancelled reader still waits for each answer.
    explicit GuardedReader(const std::filesystem::path& program, ReaderPatience patience = ReaderPatience::short_pauses,
                           IsCancelled is_cancelled = {}, std::chrono::milliseconds answer_time = {});

    /// Returns the request in a video's comment. Throws Error(no_settings) and the errors of read_comment().
    VideoRequest read_settings(const std::filesystem::path& video);
    /// Reads the comment in the child process, see kinescope::read_comment().
    std::string read_comment(const std::filesystem::path& video);
    /// Reads frames from `first` on, see ClipCursor::read(). Reading more than two videos part by part at the same time
    /// is correct but slow.
    ClipPart read_part(const std::filesystem::path& video, int first, Background background = Background::white);
    /// Describes a video in the child process, see kinescope::read_clip_facts().
    ClipFacts read_facts(const std::filesystem::path& video);
    /// Describes a video whose frames are read next, see ClipCursor::describe().
    ClipFacts open(const std::filesystem::path& video);
    /// Parts of a track of a file, see TrackCursor.
    TrackPart<TrackPacket> read_packets(const std::filesystem::path& file, int stream, std::int64_t first);
    TrackPart<float> read_pcm(const std::filesystem::path& file, int stream, std::int64_t first);
    /// Decodes the beginning of the best sound of a file, and compares the file with the length that it states. Throws
    /// the errors of read_pcm, and Error(file_unreadable) if nothing can be decoded.
    FileExtent check_sound(const std::filesystem::path& file);
    /// Reads frames in the child process, see kinescope::read_frames(). The limits of the child apply to each of
    /// many portions, between which it answers other requests. Throws Error(cancelled) soon after `is_cancelled`
    /// returns true, and Error(file_unreadable) if some frames of a video take more than ten minutes.
    std::vector<FramePtr> read_frames(const std::filesystem::path& video, const FrameSelection& selection,
                                      const IsCancelled& is_cancelled = {});
    /// Decodes the file in the child process to check that read_image supports it. Throws the errors of read_image().
    void check_image(const std::filesystem::path& file);

private:
    FramePortion read_portion(const std::filesystem::path& video, const FrameSelection& selection, int first,
                              const IsCancelled& is_cancelled);
    std::string ask(const std::vector<std::string>& words, const std::filesystem::path& file);
    std::string ask_for_frames(const std::vector<std::string>& words, const std::filesystem::path& video,
                               const IsCancelled& is_cancelled);

    std::unique_ptr<ChildServer> child_;
    IsCancelled is_cancelled_;
    std::chrono::milliseconds answer_time_;
    std::mutex cursor_mutex_;
    ClipCursors cursors_;  ///< without a child, as the next two
    SelectionCursors selections_;
    TrackCursors sounds_;
};

}  // namespace kinescope
