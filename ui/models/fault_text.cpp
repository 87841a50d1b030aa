#include "ui/models/fault_text.h"

#include <QCoreApplication>
#include <QLocale>

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(FaultText)
};

QString between(int low, int high) {
    return Words::tr("Must be %1 to %2.").arg(QLocale().toString(low), QLocale().toString(high));
}

bool isOff(const Fault& fault, const char* words) {
    return fault.message.find(words) != std::string::npos;
}

QString sideMessage(const Fault& fault, const ModelCard& card) {
    if (isOff(fault, "multiple")) return Words::tr("Must be a multiple of %1.").arg(card.size_multiple);
    return between(card.size_multiple, card.max_side);
}

QString framesMessage(const Fault& fault, const ModelCard& card) {
    if (isOff(fault, "n + 1")) return Words::tr("Must be %1n + 1.").arg(card.num_frames_multiple);
    if (isOff(fault, " n; ")) return Words::tr("Must be a multiple of %1.").arg(card.num_frames_multiple);
    return between(1, card.max_num_frames);
}

/// The engine's own words; for a field that has no others.
QString ownMessage(const Fault& fault) {
    QString words = QString::fromStdString(fault.message);
    if (!words.isEmpty()) words[0] = words[0].toUpper();
    return words.endsWith(QLatin1Char('.')) ? words : QString(words + QLatin1Char('.'));
}

QString message(const Fault& fault, const ModelCard& card) {
    if (fault.field == "width" || fault.field == "height") return sideMessage(fault, card);
    if (fault.field == "num_frames") return framesMessage(fault, card);
    if (fault.field == "prompt" && isOff(fault, "empty")) return Words::tr("Say what to show.");
    if (fault.field == "fps") return between(1, 120);
    if (fault.field == "num_inference_steps") return between(1, 1000);
    if (fault.field == "guidance_scale") return between(0, 100);
    return ownMessage(fault);
}

}  // namespace

FaultText faultText(const Fault& fault, const ModelCard& card) {
    const bool long_cure = fault.field == "prompt" || fault.field == "negative_prompt";
    const QString cure = fault.cure.empty() ? QString()
                         : long_cure        ? Words::tr("Use the example")
                                            : Words::tr("Use %1").arg(QString::fromStdString(fault.cure));
    return {message(fault, card), cure};
}

void applyCure(VideoRequest& request, const Fault& fault) {
    const QString cure = QString::fromStdString(fault.cure);
    bool whole = false;
    bool real = false;
    const int value = cure.toInt(&whole);
    const double number = cure.toDouble(&real);
    if (fault.field == "prompt") request.prompt = fault.cure;
    if (fault.field == "scheduler") request.scheduler = fault.cure;
    if (whole && fault.field == "width") request.width = value;
    if (whole && fault.field == "height") request.height = value;
    if (whole && fault.field == "num_frames") request.num_frames = value;
    if (whole && fault.field == "fps") request.fps = value;
    if (whole && fault.field == "num_inference_steps") request.num_inference_steps = value;
    if (whole && fault.field == "seed") request.seed = value;
    if (real && fault.field == "guidance_scale") request.guidance_scale = number;
    if (real && fault.field == "flow_shift") request.flow_shift = number;
}

}  // namespace kinescope::ui
