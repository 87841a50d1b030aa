#include "ui/models/output_format.h"

#include <QCoreApplication>
#include <algorithm>
#include <string_view>

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(OutputFormat)
};

/// The description of the format with this id.
struct Note {
    const char* format;
    const char* text;
};

constexpr std::array<Note, kOutputFormats.size()> kNotes{{
    {"h264", QT_TRANSLATE_NOOP("OutputFormat", "Plays everywhere. 8 bit, 4:2:0.")},
    {"h265",
     QT_TRANSLATE_NOOP("OutputFormat", "Smaller than H.264 at the same quality. Not supported by older players.")},
    {"prores", QT_TRANSLATE_NOOP("OutputFormat", "For editing. Large files, 10 bit, 4:2:2.")},
    {"webm", QT_TRANSLATE_NOOP("OutputFormat", "For web pages. Slower to encode.")},
    {"mkv", QT_TRANSLATE_NOOP("OutputFormat", "H.264 in a container that stays readable if writing is interrupted.")},
    {"png", QT_TRANSLATE_NOOP("OutputFormat", "Lossless. One image per frame, in a separate folder.")},
    {"gif", QT_TRANSLATE_NOOP("OutputFormat", "For chats and documents. 256 colors, large files.")},
}};

}  // namespace

const OutputFormat& outputFormat(const QString& id) {
    const auto found = std::find_if(kOutputFormats.begin(), kOutputFormats.end(),
                                    [&](const OutputFormat& format) { return id == QLatin1String(format.id); });
    return found == kOutputFormats.end() ? kOutputFormats.front() : *found;
}

QString formatNote(const OutputFormat& format) {
    const auto found = std::find_if(kNotes.begin(), kNotes.end(),
                                    [&](const Note& note) { return std::string_view(note.format) == format.id; });
    return found == kNotes.end() ? QString() : Tr::tr(found->text);
}

}  // namespace kinescope::ui
