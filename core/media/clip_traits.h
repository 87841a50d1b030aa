#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/media/video_info.h"

namespace kinescope {

/// Properties of a video that the user should know of.
enum class ClipTrait {
    hdr,               ///< PQ or HLG: its frames are converted to SDR
    stretched_pixels,  ///< its frames are enlarged until their pixels are square
    interlaced,        ///< its frames are used with both fields
    uneven_times,      ///< its frame rate varies
    cut,               ///< its end is missing
    damaged,           ///< the decoder filled damaged parts of its frames; known after these frames
    transparent,       ///< parts of its frames show the background; known after these frames
    sound              ///< it contains sound, which a model does not use
};
inline constexpr int kNumClipTraits = 8;

std::vector<ClipTrait> traits_of(const VideoInfo& video);

bool has_trait(const std::vector<ClipTrait>& traits, ClipTrait trait);

/// Returns the note for the user about a video whose frames a model uses, one sentence.
std::string note_about(ClipTrait trait, const std::filesystem::path& video);

/// Returns the same about the sound that is added to a video, if its end is missing.
std::string note_about_cut_sound(const std::filesystem::path& sound);

/// Logs these notes as warnings, for work whose result has no notes.
void warn_about(const std::vector<ClipTrait>& traits, const std::filesystem::path& video);

}  // namespace kinescope
