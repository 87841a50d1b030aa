// The page of the preferences that names every place that Kinescope writes to.
#include <QCoreApplication>
#include <QDesktopServices>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QStandardPaths>
#include <QThreadPool>
#include <QUrl>

#include "ui/models/words.h"
#include "ui/widgets/language.h"
#include "ui/windows/preferences_pages.h"

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Preferences)
};

struct Place {
    const char* name;
    QString path;
};

QString below(QStandardPaths::StandardLocation location) {
    return QDir(QStandardPaths::writableLocation(location)).filePath(QStringLiteral("kinescope"));
}

QString stateFolder() {
    const QString state = qEnvironmentVariable("XDG_STATE_HOME", QDir::home().filePath(QStringLiteral(".local/state")));
    return QDir(state).filePath(QStringLiteral("kinescope"));
}

/// Every place that Kinescope writes to by itself.
QList<Place> writtenPlaces(const Preferences& preferences) {
    return {
        {QT_TRANSLATE_NOOP("Preferences", "Videos and numeric logs"), preferences.outputFolder()},
        {QT_TRANSLATE_NOOP("Preferences", "Window and preferences"), preferences.fileName()},
        {QT_TRANSLATE_NOOP("Preferences", "Presets and model folders"), below(QStandardPaths::GenericConfigLocation)},
        {QT_TRANSLATE_NOOP("Preferences", "Queue and history"), stateFolder()},
        {QT_TRANSLATE_NOOP("Preferences", "Downloaded models"), below(QStandardPaths::GenericDataLocation)},
        {QT_TRANSLATE_NOOP("Preferences", "Checks, timings and learned repairs"),
         below(QStandardPaths::GenericCacheLocation)}};
}

qint64 sizeOf(const QString& path) {
    if (QFileInfo(path).isFile()) return QFileInfo(path).size();
    qint64 bytes = 0;
    QDirIterator files(path, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        files.next();
        bytes += files.fileInfo().size();
    }
    return bytes;
}

/// Counts on a thread of the pool: a folder may hold thousands of videos.
void showSize(QLabel* label, const QString& path) {
    QThreadPool::globalInstance()->start([label = QPointer<QLabel>(label), path] {
        const qint64 bytes = sizeOf(path);
        QMetaObject::invokeMethod(qApp, [label, bytes] {
            if (label) inEveryLanguage(label, [label, bytes] { label->setText(bytesText(bytes)); });
        });
    });
}

void addPlace(PreferencesPage* page, const Place& place) {
    auto* field = new QWidget(page);
    auto* grid = new QGridLayout(field);
    grid->setContentsMargins(0, 0, 0, 0);
    auto* path = new QLabel(QDir::toNativeSeparators(place.path), field);
    path->setTextInteractionFlags(Qt::TextSelectableByMouse);
    path->setWordWrap(true);
    auto* size = new QLabel(field);
    size->setProperty("type", "caption");
    auto* open = new QPushButton(field);
    open->setObjectName(QStringLiteral("openPlaceButton%1").arg(qHash(QLatin1String(place.name))));
    grid->addWidget(path, 0, 0);
    grid->addWidget(size, 0, 1);
    grid->addWidget(open, 0, 2);
    grid->setColumnStretch(0, 1);
    const auto name = [key = place.name] { return Words::tr(key); };
    inEveryLanguage(open, [open, name] {
        open->setText(Words::tr("Open"));
        open->setAccessibleName(Words::tr("Open: %1").arg(name()));
    });
    QObject::connect(open, &QPushButton::clicked, page, [path = place.path] {
        const QFileInfo info(path);
        QDesktopServices::openUrl(QUrl::fromLocalFile(info.isDir() ? path : info.absolutePath()));
    });
    page->addRow(field, name);
    open->setEnabled(QFileInfo::exists(place.path));
    showSize(size, place.path);
}

}  // namespace

PreferencesPage* makePrivacyPage(const PreferencesContext& context) {
    auto* page = new PreferencesPage(context.preferences, [] { return Words::tr("Privacy"); });
    page->setObjectName(QStringLiteral("privacyPage"));
    page->addText([] {
        return Words::tr(
            "Kinescope sends nothing to anybody and asks nothing of the network unless you press Download. "
            "These are all the places that it writes to.");
    });
    for (const Place& place : writtenPlaces(context.preferences)) addPlace(page, place);
    return page;
}

}  // namespace kinescope::ui
