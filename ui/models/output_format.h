#pragma once

#include <QString>
#include <array>

namespace kinescope::ui {

/// A kind of file that a video can be written as.
struct OutputFormat {
    const char* id;      ///< in the preferences: "h264"
    const char* name;    ///< on its button: "H.264"
    const char* ending;  ///< with its dot; empty: a folder of PNG frames
    const char* codec;   ///< libav's encoder; empty: the container's own
    int crf;             ///< 0: this format has no such setting
    int crfMost;
};

inline constexpr std::array<OutputFormat, 6> kOutputFormats{{{"h264", "H.264", ".mp4", "", 17, 51},
                                                             {"h265", "H.265", ".mp4", "libx265", 19, 51},
                                                             {"prores", "ProRes", ".mov", "prores_ks", 0, 0},
                                                             {"webm", "WebM", ".webm", "libvpx-vp9", 24, 63},
                                                             {"png", "PNG", "", "", 0, 0},
                                                             {"gif", "GIF", ".gif", "", 0, 0}}};

/// The first one where the id is none of them.
const OutputFormat& outputFormat(const QString& id);

/// What a format is good for, in one sentence.
QString formatNote(const OutputFormat& format);

}  // namespace kinescope::ui
