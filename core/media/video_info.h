#pragma once

#include <cstdint>
#include <string>

namespace kinescope {

struct VideoLimits {
    std::int64_t max_pixels = 64'000'000;  ///< of one frame
    int max_frames = 2'000'000;            ///< 9 hours at 60 frames per second
    /// The packets of larger files are not all read to count the frames, because this may take minutes.
    std::int64_t max_read_bytes = std::int64_t{2} << 30;
};

/// A number as a fraction, such as 30000/1001 frames per second.
struct FrameRate {
    int num = 0;
    int den = 1;
    double value() const { return den > 0 ? static_cast<double>(num) / den : 0; }
    bool operator==(const FrameRate&) const = default;
};

/// Of pictures, and of videos that name no usable rate.
inline constexpr FrameRate kAssumedRate{8, 1};

/// Whether all frames of a video last equally long.
enum class FrameTiming { constant, variable };

/// How the number of frames is known. `estimated`: from the duration and the first part of a very large file.
enum class FrameCount { exact, estimated };

/// Whether a file is as long as its own structure says. `cut`: its end is missing.
enum class FileExtent { whole, cut };

/// Whether the pixels of a file are square. The frames that are read always have square ones.
enum class PixelShape { square, stretched };

/// Whether a frame is one picture, or two fields of different times.
enum class ScanType { progressive, interlaced };

/// Whether the frames that have been read have transparent parts.
enum class Transparency { none, parts };

struct VideoInfo {
    int width = 0;   ///< px, as shown: with square pixels, and after the rotation that the file asks for
    int height = 0;  ///< px
    double fps = 0;  ///< 0 if the file does not contain it
    FrameRate rate;  ///< frames per second by the times of the frames; 0 for one frame without a rate
    FrameTiming timing = FrameTiming::constant;
    double span = 0;        ///< s, from the first frame to the last; 0: unknown
    int quarter_turns = 0;  ///< 0..3, clockwise, by which frames are rotated to be shown
    int num_frames = 0;
    FrameCount count = FrameCount::exact;
    PixelShape pixels = PixelShape::square;
    FileExtent extent = FileExtent::whole;
    ScanType scan = ScanType::progressive;
    Transparency transparency = Transparency::none;
    int num_damaged = 0;       ///< frames that have been read and in which the decoder filled damaged parts
    std::string codec;         ///< libav's decoder name, such as "h264"
    std::string pixel_format;  ///< such as "yuv420p"
    std::string color_space;   ///< such as "bt709"; "unknown" if untagged
    std::string color_range;   ///< "tv" (limited), "pc" (full) or "unknown"
    std::string transfer;      ///< such as "bt709", "smpte2084" (HDR); "unknown" if untagged
};

}  // namespace kinescope
