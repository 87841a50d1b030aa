#include "core/media/clip_traits.h"

#include <algorithm>

#include "core/base/log_line.h"

namespace kinescope {

std::vector<ClipTrait> traits_of(const VideoInfo& video) {
    std::vector<ClipTrait> traits;
    if (video.transfer == "smpte2084" || video.transfer == "arib-std-b67") traits.push_back(ClipTrait::hdr);
    if (video.pixels == PixelShape::stretched) traits.push_back(ClipTrait::stretched_pixels);
    if (video.scan == ScanType::interlaced) traits.push_back(ClipTrait::interlaced);
    if (video.timing == FrameTiming::variable) traits.push_back(ClipTrait::uneven_times);
    if (video.extent == FileExtent::cut) traits.push_back(ClipTrait::cut);
    if (video.num_damaged > 0) traits.push_back(ClipTrait::damaged);
    if (video.transparency == Transparency::parts) traits.push_back(ClipTrait::transparent);
    return traits;
}

bool has_trait(const std::vector<ClipTrait>& traits, ClipTrait trait) {
    return std::ranges::find(traits, trait) != traits.end();
}

std::string note_about(ClipTrait trait, const std::filesystem::path& video) {
    switch (trait) {
        case ClipTrait::hdr:
            return video.string() + " is an HDR video; its colors are converted to SDR.";
        case ClipTrait::stretched_pixels:
            return "The pixels of " + video.string() + " are not square; its frames are enlarged to square pixels.";
        case ClipTrait::interlaced:
            return video.string() +
                   " is interlaced: moving edges of its frames have comb-like lines. Deinterlace it first to avoid "
                   "them.";
        case ClipTrait::uneven_times:
            return "The frame rate of " + video.string() + " varies; its frames are used as if evenly spaced.";
        case ClipTrait::cut:
            return video.string() + " is truncated: its end is missing. Its frames up to there are used.";
        case ClipTrait::damaged:
            return video.string() + " is damaged: the decoder filled parts of its frames with those of other frames.";
        case ClipTrait::transparent:
            return video.string() + " has transparent parts; they are shown on white.";
        case ClipTrait::sound:
            return "The new video does not contain the sound of " + video.string() +
                   "; the finish step can add a sound file.";
    }
    return {};
}

std::string note_about_cut_sound(const std::filesystem::path& sound) {
    return sound.string() + " is truncated: the end of its sound is missing. The sound up to there is used.";
}

void warn_about(const std::vector<ClipTrait>& traits, const std::filesystem::path& video) {
    for (const ClipTrait trait : traits) log_warning(note_about(trait, video));
}

}  // namespace kinescope
