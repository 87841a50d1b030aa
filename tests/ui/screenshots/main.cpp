// Takes screenshots of all pages and states in both themes, four sizes and Chinese. Usage: ui_screenshots FOLDER
// [SCENE]. With --sample as SCENE, draws each scene once, with alternating settings. Exits with 1 if a screenshot fails
// or has only one color.
#include <QApplication>
#include <QDir>
#include <QListWidget>
#include <QPainter>
#include <QSet>
#include <cstdio>
#include <utility>

#include "scenes.h"
#include "ui/panels/numbers_panel.h"
#include "ui/widgets/language.h"
#include "ui/windows/preferences_dialog.h"

using namespace kinescope;
using namespace kinescope::screenshots;

namespace {

bool hasContent(const QImage& image) {
    QSet<QRgb> colors;
    for (int y = 0; y < image.height(); y += 7) {
        for (int x = 0; x < image.width(); x += 7) colors.insert(image.pixel(x, y));
    }
    return colors.size() > 20;
}

struct Look {
    QString theme;
    QSize size;
    QString language;
};

/// Returns a picture of the window with the dialogs, menus and lists on top of it.
QImage pictureOf(QWidget& window) {
    QImage image = window.grab().toImage();
    QPainter painter(&image);
    for (QWidget* other : QApplication::topLevelWidgets())
        if (other != &window && other->isVisible()) painter.drawPixmap(other->pos() - window.pos(), other->grab());
    return image;
}

bool take(const Scene& scene, const Look& look, const QDir& folder) {
    const auto& [theme, size, language] = look;
    WindowFixture fixture(scene.script, scene.holdAfter, scene.prepare);
    ui::chooseLanguage(language);
    fixture.theme.setMode(theme == QLatin1String("dark") ? ui::Theme::Mode::dark : ui::Theme::Mode::light);
    fixture.window->createPage()->numbersPanel()->setExpert(size.width() >= 1600);
    fixture.window->resize(size);
    fixture.window->resetLayout();
    bool ok = fixture.isReady() && waitFor([&] { return fixture.window->request().tokens().has_value(); });
    if (scene.before) scene.before(fixture);
    if (scene.reached) {
        fixture.action(scene.action)->trigger();
        ok = ok && waitFor([&] { return scene.reached(fixture); });
    }
    if (scene.after) scene.after(fixture);
    settle();
    const QImage image = pictureOf(*fixture.window);
    const QString suffix = language == QLatin1String("en") ? QString() : QStringLiteral("-zh");
    const QString file =
        QStringLiteral("%1-%2-%3%4.png").arg(QLatin1String(scene.name)).arg(size.width()).arg(theme, suffix);
    if (ok && hasContent(image) && image.save(folder.filePath(file))) return true;
    std::fprintf(stderr, "no good picture of %s\n", qPrintable(file));
    return false;
}

/// Takes screenshots of all pages of the preferences in both languages.
bool takePreferences(const QString& theme, const QDir& folder) {
    WindowFixture fixture(testing::healthyRun());
    fixture.theme.setMode(theme == QLatin1String("dark") ? ui::Theme::Mode::dark : ui::Theme::Mode::light);
    bool ok = fixture.isReady();
    fixture.action("actionPreferences")->trigger();
    auto* dialog = fixture.window->findChild<ui::PreferencesDialog*>();
    auto* list = dialog->findChild<QListWidget*>();
    for (const char* language : {"en", "zh_CN"}) {
        ui::chooseLanguage(QLatin1String(language));
        for (int page = 0; page < list->count(); ++page) {
            list->setCurrentRow(page);
            settle();
            const QString name =
                QStringLiteral("preferences-%1-%2-%3.png").arg(page).arg(QLatin1String(language), theme);
            const QImage image = dialog->grab().toImage();
            ok = hasContent(image) && image.save(folder.filePath(name)) && ok;
        }
    }
    ui::chooseLanguage(QStringLiteral("en"));
    return ok;
}

/// Takes screenshots, in both languages, of the dialogs that menus open.
bool takeDialogs(const QString& theme, const QDir& folder) {
    constexpr std::pair<const char*, const char*> kDialogs[] = {{"actionKeyboardShortcuts", "shortcutsDialog"},
                                                                {"actionAbout", "aboutDialog"},
                                                                {"actionWhatNumbersMean", "manualWindow"},
                                                                {"actionReportProblem", "reportDialog"},
                                                                {"actionSeeGuardWork", "guardDemoDialog"}};
    bool ok = true;
    for (const char* language : {"en", "zh_CN"}) {
        WindowFixture fixture(testing::healthyRun());
        ui::chooseLanguage(QLatin1String(language));
        fixture.theme.setMode(theme == QLatin1String("dark") ? ui::Theme::Mode::dark : ui::Theme::Mode::light);
        ok = fixture.isReady() && ok;
        for (const auto& [action, name] : kDialogs) {
            fixture.action(action)->trigger();
            settle();
            auto* dialog = fixture.find<QWidget>(name);
            const QImage image = dialog->grab().toImage();
            const QString file =
                QStringLiteral("%1-%2-%3.png").arg(QLatin1String(name), QLatin1String(language), theme);
            ok = hasContent(image) && image.save(folder.filePath(file)) && ok;
            dialog->close();
        }
    }
    ui::chooseLanguage(QStringLiteral("en"));
    return ok;
}

std::vector<Look> allLooks() {
    std::vector<Look> looks;
    for (const char* theme : {"dark", "light"}) {
        for (const QSize size : {QSize(1024, 640), QSize(1280, 720), QSize(1440, 900), QSize(1920, 1080)})
            looks.push_back({QLatin1String(theme), size, QStringLiteral("en")});
        looks.push_back({QLatin1String(theme), QSize(1280, 720), QStringLiteral("zh_CN")});
    }
    looks.push_back({QStringLiteral("dark"), QSize(1920, 1080), QStringLiteral("zh_CN")});
    return looks;
}

std::vector<Look> fewLooks() {
    return {{QStringLiteral("dark"), QSize(1280, 720), QStringLiteral("en")},
            {QStringLiteral("light"), QSize(1280, 720), QStringLiteral("zh_CN")}};
}

std::vector<Look> sampleLooks() {
    return {{QStringLiteral("dark"), QSize(1024, 640), QStringLiteral("zh_CN")},
            {QStringLiteral("light"), QSize(1920, 1080), QStringLiteral("en")}};
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    const QDir folder(argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral("screenshots"));
    folder.mkpath(QStringLiteral("."));
    bool ok = true;
    QString only = argc > 2 ? QString::fromLocal8Bit(argv[2]) : QString();
    const bool isSample = only == QLatin1String("--sample");
    if (isSample) only.clear();
    const auto samples = sampleLooks();
    std::size_t number = 0;
    for (const Scene& scene : allScenes()) {
        if (!only.isEmpty() && only != QLatin1String(scene.name)) continue;
        const auto looks = scene.looks == Looks::few ? fewLooks() : allLooks();
        const std::vector<Look> sample{samples[number++ % samples.size()]};
        for (const Look& look : isSample ? sample : looks) ok = take(scene, look, folder) && ok;
    }
    for (const char* theme : {"dark", "light"}) {
        if (isSample && QLatin1String(theme) == QLatin1String("light")) break;
        ok = takePreferences(QLatin1String(theme), folder) && ok;
        ok = takeDialogs(QLatin1String(theme), folder) && ok;
    }
    return ok ? 0 : 1;
}
