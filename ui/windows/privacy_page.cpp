// The preferences page that lists all places that Kinescope writes to.
#include <QCoreApplication>
#include <QDesktopServices>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QThreadPool>
#include <QUrl>

#include "core/api/user_dirs.h"
#include "ui/models/mask_file.h"
#include "ui/text/words.h"
#include "ui/widgets/language.h"
#include "ui/windows/preferences_pages.h"

namespace kinescope::ui {
namespace {

struct PrivacyText {
    Q_DECLARE_TR_FUNCTIONS(Preferences)
};

struct Place {
    const char* name;
    QString path;
};

/// Returns all places that Kinescope writes to without asking for a path.
QList<Place> writtenPlaces(const Preferences& preferences) {
    const UserDirs dirs = user_dirs();
    return {
        {QT_TRANSLATE_NOOP("Preferences", "Videos"), preferences.outputFolder()},
        {QT_TRANSLATE_NOOP("Preferences", "Window and preferences"), preferences.fileName()},
        {QT_TRANSLATE_NOOP("Preferences", "Presets, model folders, access token"), pathText(dirs.config)},
        {QT_TRANSLATE_NOOP("Preferences", "Queue and unfinished jobs"), pathText(dirs.state)},
        {QT_TRANSLATE_NOOP("Preferences", "Numeric logs, downloaded models, results in Explore"), pathText(dirs.data)},
        {QT_TRANSLATE_NOOP("Preferences", "Painted masks"), maskFolder()},
        {QT_TRANSLATE_NOOP("Preferences", "Device checks, measured times, overrides"), pathText(dirs.cache)},
        {QT_TRANSLATE_NOOP("Preferences", "Library thumbnails"),
         QStandardPaths::writableLocation(QStandardPaths::CacheLocation)},
        {QT_TRANSLATE_NOOP("Preferences", "Frames taken from videos"),
         QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)}};
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

/// Shows the size of a folder. Measures it on a worker thread, because the folder can contain thousands of videos.
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
    auto* path = new QLabel(field);
    path->setTextFormat(Qt::PlainText);
    path->setText(QDir::toNativeSeparators(place.path));
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
    const auto name = [key = place.name] { return PrivacyText::tr(key); };
    inEveryLanguage(open, [open, name] {
        open->setText(PrivacyText::tr("Open"));
        open->setAccessibleName(PrivacyText::tr("Open: %1").arg(name()));
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
    auto* page = new PreferencesPage(context.preferences, [] { return PrivacyText::tr("Privacy"); });
    page->setObjectName(QStringLiteral("privacyPage"));
    page->addText([] {
        return PrivacyText::tr(
            "Kinescope uses the network only when you press Download, and to reach the computers that you added. It "
            "sends data only to these computers: the settings and input files of their jobs. It writes only to these "
            "places:");
    });
    for (const Place& place : writtenPlaces(context.preferences)) addPlace(page, place);
    return page;
}

}  // namespace kinescope::ui
