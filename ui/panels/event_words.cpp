#include "ui/panels/event_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTime>

#include "ui/models/guard_words.h"
#include "ui/models/site_name.h"

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(EventWords)
};

QString when(const GuardActed& action) {
    const QString time = QLocale().toString(QTime::currentTime(), QLocale::ShortFormat);
    return action.phase == Phase::denoise ? Words::tr("step %1, %2").arg(action.step + 1).arg(time) : time;
}

/// "Block 31, feed-forward output" or, for another part of the model, "VAE: decoder.up_blocks.1".
QString place(const GuardActed& action) {
    const std::string component = action.site.substr(0, action.site.find('.'));
    return action.phase == Phase::denoise ? siteName(action.site)
                                          : Words::tr("%1: %2").arg(componentName(component), siteName(action.site));
}

EventText stopped(const GuardActed& action, const QString& found) {
    return {.title = Words::tr("Stopped: a value is not a number"),
            .body = Words::tr("%1: %2. No video was marked as finished.").arg(place(action), found),
            .icon = QStringLiteral("stopo"),
            .role = ColorRole::error};
}

EventText remark(const GuardActed& action, const QString& found) {
    const bool watching = action.action == "observe";
    return {.title = watching ? Words::tr("Seen, and left alone") : Words::tr("Worth a look"),
            .body = watching ? Words::tr("%1: %2. The guard only watches.").arg(place(action), found)
                             : Words::tr("%1: %2.").arg(place(action), found),
            .icon = QStringLiteral("warnt"),
            .role = ColorRole::warn};
}

EventText learned(const GuardActed& action) {
    return {.title = Words::tr("A repair of an earlier run is in place"),
            .body = Words::tr("%1 runs %2 from the start.").arg(place(action), repairedTo(action)),
            .icon = QStringLiteral("shield"),
            .role = ColorRole::ok};
}

EventText repaired(const GuardActed& action, const QString& found) {
    return {.title = Words::tr("One layer was repaired"),
            .body = Words::tr("%1: %2. Redone %3; cost %4 s, nothing else changed.")
                        .arg(place(action), found, repairedTo(action), QLocale().toString(action.seconds, 'f', 1)),
            .icon = QStringLiteral("shield"),
            .role = ColorRole::warn,
            .links = action.phase == Phase::denoise
                         ? QList<EventText::Link>{{QStringLiteral("heatMap"), Words::tr("Show in heat-map")}}
                         : QList<EventText::Link>{}};
}

EventText textOf(const GuardActed& action) {
    const QString found = foundText(action.found);
    if (action.action == "stop") return stopped(action, found);
    if (action.action == "learned") return learned(action);
    return isRepair(action) ? repaired(action, found) : remark(action, found);
}

}  // namespace

EventText eventText(const GuardActed& action) {
    EventText text = textOf(action);
    text.when = when(action);
    return text;
}

}  // namespace kinescope::ui
