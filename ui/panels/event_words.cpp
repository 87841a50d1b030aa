#include "ui/panels/event_words.h"

#include <QCoreApplication>
#include <QLocale>

#include "ui/models/guard_words.h"
#include "ui/models/site_name.h"

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

/// "Block 31, feed-forward output" or, for another part of the model, "VAE: decoder.up_blocks.1".
QString place(const GuardActed& action) {
    return action.phase == Phase::denoise
               ? siteName(action.site)
               : Words::tr("%1: %2").arg(componentName(componentOf(action)), siteName(action.site));
}

EventText stopped(const GuardActed& action, const QString& found) {
    return {.title = Words::tr("Stopped: a value is not a number"),
            .body = Words::tr("%1: %2. No video was marked as finished.").arg(place(action), found),
            .icon = QStringLiteral("stopo"),
            .role = ColorRole::error};
}

EventText reported(const GuardActed& action, const QString& found) {
    return {.title = Words::tr("Worth a look"),
            .body = Words::tr("%1: %2.").arg(place(action), found),
            .icon = QStringLiteral("warnt"),
            .role = ColorRole::warn};
}

EventText observed(const GuardActed& action, const QString& found) {
    return {.title = Words::tr("Seen, and left alone"),
            .body = Words::tr("%1: %2. The guard only watches.").arg(place(action), found),
            .icon = QStringLiteral("warnt"),
            .role = ColorRole::warn};
}

EventText repeated(const GuardActed& action, const QString& found) {
    return {.title = Words::tr("A step ran again"),
            .body = Words::tr("%1: %2. Repeated unchanged, with every layer watched, to find the cause; cost %3 s.")
                        .arg(place(action), found, QLocale().toString(action.seconds, 'f', 1)),
            .icon = QStringLiteral("refresh"),
            .role = ColorRole::warn};
}

EventText learned(const GuardActed& action) {
    return {.title = Words::tr("A known override is in place"),
            .body = Words::tr("%1 runs %2 from the start, because an earlier run needed it.")
                        .arg(place(action), repairedTo(action)),
            .icon = QStringLiteral("shield"),
            .role = ColorRole::ok};
}

/// What was changed, for the title.
QString repairTitle(GuardAction action) {
    if (action == GuardAction::accumulate_float32) return Words::tr("Sums in half precision were switched off");
    if (action == GuardAction::raise_component) return Words::tr("A whole part of the model was repaired");
    if (action == GuardAction::move_to_cpu) return Words::tr("A part of the model moved to the processor");
    if (action == GuardAction::raise_ahead) return Words::tr("One layer was raised as a precaution");
    return Words::tr("One layer was repaired");
}

QString aheadBody(const GuardActed& action, const QString& found) {
    const QString body = action.phase == Phase::load ? Words::tr("%1: %2. Kept %3.")
                                                     : Words::tr("%1: %2. It runs %3 from the next step on.");
    return body.arg(place(action), found, repairedTo(action));
}

QString repairBody(const GuardActed& action, const QString& found) {
    const QString seconds = QLocale().toString(action.seconds, 'f', 1);
    const QString part = componentName(componentOf(action));
    switch (action.action) {
        case GuardAction::accumulate_float32:
            return Words::tr("%1: %2. Redone with sums in float32; cost %3 s.").arg(place(action), found, seconds);
        case GuardAction::raise_component:
            return Words::tr("%1: %2. Redone with %3 in float32; cost %4 s.").arg(place(action), found, part, seconds);
        case GuardAction::move_to_cpu:
            return Words::tr("%1: %2. %3 runs again on the processor, in float32.").arg(place(action), found, part);
        case GuardAction::raise_ahead:
            return aheadBody(action, found);
        default:
            return Words::tr("%1: %2. Redone %3; cost %4 s, nothing else changed.")
                .arg(place(action), found, repairedTo(action), seconds);
    }
}

EventText repaired(const GuardActed& action, const QString& found) {
    const bool inMap = action.phase == Phase::denoise && runsAgain(action.action);
    return {.title = repairTitle(action.action),
            .body = repairBody(action, found),
            .icon = QStringLiteral("shield"),
            .role = ColorRole::warn,
            .links = inMap ? QList<EventText::Link>{{QStringLiteral("heatMap"), Words::tr("Show in heat-map")}}
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
