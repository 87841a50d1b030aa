#include "ui/panels/event_words.h"

#include <QCoreApplication>
#include <QLocale>

#include "ui/text/guard_words.h"
#include "ui/text/site_name.h"

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(EventWords)
};

QString when(const GuardActed& action, const QTime& time) {
    const QString clock = QLocale().toString(time, QLocale::ShortFormat);
    return action.phase == Phase::denoise ? Words::tr("step %1, %2").arg(action.step + 1).arg(clock) : clock;
}

std::string componentOf(const GuardActed& action) {
    return action.site.substr(0, action.site.find('.'));
}

/// Returns the display name of a site, with its component unless that is the denoiser: "Block 31, feed-forward output",
/// "VAE: decoder.up_blocks.1".
QString place(const GuardActed& action) {
    return action.phase == Phase::denoise
               ? siteName(action.site)
               : Words::tr("%1: %2").arg(componentName(componentOf(action)), siteName(action.site));
}

EventText stopped(const GuardActed& action, const QString& found) {
    return {.title = Words::tr("Stopped: invalid values (NaN or infinity)"),
            .body = Words::tr("%1: %2. There is no finished video.").arg(place(action), found),
            .icon = QStringLiteral("stopo"),
            .role = ColorRole::error};
}

EventText reported(const GuardActed& action, const QString& found) {
    return {.title = Words::tr("Warning"),
            .body = Words::tr("%1: %2.").arg(place(action), found),
            .icon = QStringLiteral("warnt"),
            .role = ColorRole::warn};
}

EventText observed(const GuardActed& action, const QString& found) {
    return {.title = Words::tr("Finding recorded, no action taken"),
            .body = Words::tr("%1: %2. The guard is set to Observe.").arg(place(action), found),
            .icon = QStringLiteral("warnt"),
            .role = ColorRole::warn};
}

EventText repeated(const GuardActed& action, const QString& found) {
    return {
        .title = Words::tr("Step repeated"),
        .body = Words::tr("%1: %2. The step was repeated while observing every op to find the cause. This took %3 s.")
                    .arg(place(action), found, QLocale().toString(action.seconds, 'f', 1)),
        .icon = QStringLiteral("refresh"),
        .role = ColorRole::warn};
}

EventText streamed(const GuardActed& action, const QString& found) {
    return {.title = Words::tr("Out of GPU memory: blocks are now streamed"),
            .body = Words::tr("%1: %2. All of its blocks are now streamed, which is slower but gives the same result.")
                        .arg(componentName(componentOf(action)), found),
            .icon = QStringLiteral("refresh"),
            .role = ColorRole::warn};
}

EventText inParts(const GuardActed& action, const QString& found) {
    return {
        .title = Words::tr("Out of GPU memory: decoding in smaller parts"),
        .body = Words::tr("%1: %2. The frames are decoded again in smaller parts, which can change pixels slightly.")
                    .arg(componentName(componentOf(action)), found),
        .icon = QStringLiteral("refresh"),
        .role = ColorRole::warn};
}

EventText learned(const GuardActed& action) {
    return {.title = Words::tr("Known override applied"),
            .body = Words::tr("%1 runs %2 from the start because an earlier run needed it.")
                        .arg(place(action), repairedTo(action)),
            .icon = QStringLiteral("shield"),
            .role = ColorRole::ok};
}

QString repairTitle(GuardAction action) {
    if (action == GuardAction::accumulate_float32) return Words::tr("Half-precision accumulation turned off");
    if (action == GuardAction::raise_component) return Words::tr("Step healed: precision of one component raised");
    if (action == GuardAction::move_to_cpu) return Words::tr("Component moved to the CPU");
    if (action == GuardAction::raise_ahead) return Words::tr("Precision of one op raised as a precaution");
    return Words::tr("Step healed: precision of one op raised");
}

QString aheadBody(const GuardActed& action, const QString& found) {
    const QString body = action.phase == Phase::load ? Words::tr("%1: %2. Its weights are stored %3.")
                                                     : Words::tr("%1: %2. It runs %3, starting with the next step.");
    return body.arg(place(action), found, repairedTo(action));
}

QString repairBody(const GuardActed& action, const QString& found) {
    const QString seconds = QLocale().toString(action.seconds, 'f', 1);
    const QString part = componentName(componentOf(action));
    switch (action.action) {
        case GuardAction::accumulate_float32:
            return Words::tr("%1: %2. The step was repeated with float32 accumulation. This took %3 s.")
                .arg(place(action), found, seconds);
        case GuardAction::raise_component:
            return Words::tr("%1: %2. The step was repeated with the whole component (%3) in float32. This took %4 s.")
                .arg(place(action), found, part, seconds);
        case GuardAction::move_to_cpu:
            return Words::tr("%1: %2. %3 runs again on the CPU in float32.").arg(place(action), found, part);
        case GuardAction::raise_ahead:
            return aheadBody(action, found);
        default:
            return Words::tr("%1: %2. The step was repeated with this op %3. This took %4 s.")
                .arg(place(action), found, repairedTo(action), seconds);
    }
}

EventText repaired(const GuardActed& action, const QString& found) {
    const bool inMap = action.phase == Phase::denoise && runsAgain(action.action);
    return {.title = repairTitle(action.action),
            .body = repairBody(action, found),
            .icon = QStringLiteral("shield"),
            .role = ColorRole::warn,
            .links = inMap ? QList<EventText::Link>{{QStringLiteral("heatMap"), Words::tr("Show in heat map")}}
                           : QList<EventText::Link>{}};
}

EventText textOf(const GuardActed& action) {
    const QString found = foundText(action.found);
    switch (action.action) {
        case GuardAction::stop:
            return stopped(action, found);
        case GuardAction::warn:
            return reported(action, found);
        case GuardAction::observe:
            return observed(action, found);
        case GuardAction::repeat:
            return repeated(action, found);
        case GuardAction::stream_blocks:
            return streamed(action, found);
        case GuardAction::decode_in_parts:
            return inParts(action, found);
        case GuardAction::learned:
            return learned(action);
        default:
            return repaired(action, found);
    }
}

}  // namespace

EventText eventText(const GuardActed& action, const QTime& time) {
    EventText text = textOf(action);
    text.when = when(action, time);
    return text;
}

}  // namespace kinescope::ui
