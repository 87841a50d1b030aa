#include "ui/models/output_format.h"

#include <QCoreApplication>
#include <algorithm>

namespace kinescope::ui {
namespace {

struct Words {
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
            return Words::tr("Plays everywhere. 8 bit, 4:2:0.");
        case 1:
            return Words::tr("Smaller than H.264 at the same quality. Older players cannot show it.");
        case 2:
            return Words::tr("For cutting: large files, 10 bit, 4:2:2.");
        case 3:
            return Words::tr("For web pages. Slower to write.");
        case 4:
            return Words::tr("One picture for each frame, in a folder of its own. Nothing is lost.");
        default:
            return Words::tr("Plays in chats and documents. 256 colours, large files.");
    }
}

}  // namespace kinescope::ui
