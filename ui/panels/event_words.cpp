#include "ui/panels/event_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTime>

#include "ui/models/site_name.h"

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(EventWords)
};

QString when(const GuardActed& action) {
    return Words::tr("step %1, %2")
        .arg(action.step + 1)
        .arg(QLocale().toString(QTime::currentTime(), QLocale::ShortFormat));
}

}  // namespace

EventText eventText(const GuardActed& action) {
    EventText text;
    text.when = when(action);
    const QString found = QString::fromStdString(action.found);
    if (action.action == "stop") {
        text.title = Words::tr("Stopped: a value is not a number");
        text.icon = QStringLiteral("stopo");
        text.role = ColorRole::error;
        text.body = Words::tr("%1: %2. No video was marked as finished.").arg(siteName(action.site), found);
        return text;
    }
    text.title = Words::tr("One layer was repaired");
    text.icon = QStringLiteral("shield");
    text.role = ColorRole::warn;
    text.body = Words::tr("%1: %2. The step was redone; cost %3 s.")
                    .arg(siteName(action.site), found, QLocale().toString(action.seconds, 'f', 1));
    return text;
}

}  // namespace kinescope::ui
