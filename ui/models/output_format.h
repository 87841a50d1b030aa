#pragma once

#include <QString>
#include <array>

namespace kinescope::ui {

/// A video format.
struct OutputFormat {
    const char* id;      ///< in the preferences: "h264"
    const char* name;    ///< label: "H.264"
    const char* ending;  ///< with the dot; empty: a folder of PNG frames
    const char* codec;   ///< libavcodec encoder; empty: the default of the container
    int crf;             ///< default quality; 0: not supported
    int crfMost;
};

inline constexpr std::array<OutputFormat, 7> kOutputFormats{{{"h264", "H.264", ".mp4", "", 17, 51},
                                                             {"h265", "H.265", ".mp4", "libx265", 19, 51},
                                                             {"prores", "ProRes", ".mov", "prores_ks", 0, 0},
                                                             {"webm", "WebM", ".webm", "libvpx-vp9", 24, 63},
                                                             {"mkv", "MKV", ".mkv", "libx264", 17, 51},
                                                             {"png", "PNG", "", "", 0, 0},
                                                             {"gif", "GIF", ".gif", "", 0, 0}}};

/// Returns the format with this id, or the first format if the id is unknown.
const OutputFormat& outputFormat(const QString& id);

/// Describes a format in one sentence.
QString formatNote(const OutputFormat& format);

}  // namespace kinescope::ui
