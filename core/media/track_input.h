#pragma once

#include <filesystem>
#include <memory>

#include "core/api/finish_steps.h"
#include "core/media/clip_facts.h"
#include "core/media/guarded_reader.h"

namespace kinescope {

/// `kept`: the packets of a track are copied if the container holds them. `replaced`: the file is decoded, cut, faded
/// and encoded.
enum class TrackUse { kept, replaced };

/// A sound or subtitles that a video gets. They never last longer than the video.
struct TrackPlan {
    TrackUse use = TrackUse::kept;
    std::filesystem::path file;
    SideTrack track;        ///< kept: of the file
    double offset = 0;      ///< kept: seconds of the file at which the video starts
    AudioRequest settings;  ///< replaced: start, fades and length
    double seconds = 0;     ///< length of the video, to which the fade-out refers
    double slack = 1;       ///< the video may be longer by this factor, if its length is an estimate
    double most_seconds() const { return seconds * slack; }
};

/// Returns TrackPlan::slack for a video with an exact or an estimated number of frames. An estimate may be too low; the
/// sound ends with the video anyway.
inline double slack_of(FrameCount count) {
    return count == FrameCount::exact ? 1 : 1.05;
}

/// A plan, and what reads its file.
class TrackInput {
public:
    TrackInput(TrackPlan plan, std::shared_ptr<GuardedReader> reader)
        : plan_(std::move(plan)), reader_(std::move(reader)) {}

    const TrackPlan& plan() const { return plan_; }
    GuardedReader& reader() const { return *reader_; }

private:
    TrackPlan plan_;
    std::shared_ptr<GuardedReader> reader_;
};

}  // namespace kinescope
