#include "ui/models/output_format.h"

#include <QCoreApplication>
#include <algorithm>

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(OutputFormat)
};

}  // namespace

const OutputFormat& outputFormat(const QString& id) {
    const auto found = std::find_if(kOutputFormats.begin(), kOutputFormats.end(),
                                    [&](const OutputFormat& format) { return id == QLatin1String(format.id); });
    return found == kOutputFormats.end() ? kOutputFormats.front() : *found;
}

QString formatNote(const OutputFormat& format) {
    switch (&format - kOutputFormats.data()) {
        case 0:
            return Tr::tr("Plays everywhere. 8 bit, 4:2:0.");
        case 1:
            return Tr::tr("Smaller than H.264 at the same quality. Not supported by older players.");
        case 2:
            return Tr::tr("For editing. Large files, 10 bit, 4:2:2.");
        case 3:
            return Tr::tr("For web pages. Slower to encode.");
        case 4:
            return Tr::tr("H.264 in a container that stays readable if writing is interrupted.");
        case 5:
            return Tr::tr("Lossless. One image per frame, in a separate folder.");
        default:
            return Tr::tr("For chats and documents. 256 colors, large files.");
    }
}

}  // namespace kinescope::ui
