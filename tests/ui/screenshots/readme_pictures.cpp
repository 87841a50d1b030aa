// Takes the README's screenshots of real runs. Usage: readme_pictures FOLDER [SEED [MODEL]]. If MODEL exceeds the
// float16 range, adds a screenshot of a healed run. Exits with 1 if a screenshot fails.
#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <cstdio>

#include "tests/ui/scenarios/real_window.h"
#include "ui/panels/numbers_panel.h"
#include "ui/text/words.h"
#include "ui/widgets/compare_player.h"
#include "ui/windows/compare_page.h"
#include "ui/windows/create_page.h"

using namespace kinescope;
using testing::RealWindow;
using ui::RunState;

namespace {

constexpr int kSettleMs = 1500;
constexpr int kPatienceMs = 60'000;
constexpr auto kHome = "/Home";  ///< the name of this folder is visible in the screenshots
constexpr QSize kLarge(1920, 1080);
constexpr QSize kMiddle(1600, 900);
constexpr QSize kSmall(1280, 720);

enum class Numbers { simple, expert };

void show(RealWindow& real, ui::Theme::Mode mode, QSize size, Numbers numbers) {
    real.theme.setMode(mode);
    real.window->createPage()->numbersPanel()->setExpert(numbers == Numbers::expert);
    real.window->resize(size);
    real.window->resetLayout();
}

bool take(RealWindow& real, const QString& file) {
    QTest::qWait(kSettleMs);
    if (QWidget* focused = QApplication::focusWidget()) focused->clearFocus();
    const bool saved = real.window->grab().toImage().save(file);
    if (!saved) std::fprintf(stderr, "%s cannot be written\n", qPrintable(file));
    return saved;
}

/// Generates a video from the request. Returns its path, or an empty string on failure.
QString make(RealWindow& real, const std::function<void(VideoRequest&)>& change) {
    real.window->request().edit(change);
    if (!real.isReady()) return {};
    real.trigger("actionGenerate");
    if (!QTest::qWaitFor([&] { return real.window->run().running(); }, kPatienceMs)) return {};
    return real.reaches(RunState::done) ? ui::pathText(real.window->run().facts().result.output) : QString();
}

/// Returns true if most steps are complete.
bool isInMidRun(RealWindow& real) {
    return real.hasDone(real.window->request().request().num_inference_steps.value_or(12) * 2 / 3);
}

/// Takes a screenshot of a healed run when its steps are complete.
bool takeHealed(const QString& model, std::uint64_t seed, const QString& file) {
    const QTemporaryDir work;
    RealWindow real(work.path() + QLatin1String(kHome));
    show(real, ui::Theme::Mode::dark, kMiddle, Numbers::expert);
    if (!real.isReady()) return false;
    real.window->request().chooseModel(model.toStdString());
    const bool chosen =
        QTest::qWaitFor([&] { return real.window->request().card().id == model.toStdString(); }, kPatienceMs);
    QTest::qWait(kSettleMs);  // the preset is applied later
    real.window->request().edit([seed](VideoRequest& form) {
        form.seed = seed;
        form.dtype = DtypeChoice::fp16;
    });
    if (!chosen || !real.isReady()) return false;
    real.trigger("actionGenerate");
    return isInMidRun(real) && real.reaches(RunState::done) && take(real, file);
}

bool compared(RealWindow& real, const QString& a, const QString& b) {
    auto* page = real.find<ui::ComparePage>("comparePage");
    real.trigger("actionCompare");
    page->compare(a, b);
    return QTest::qWaitFor(
        [&] {
            return page->comparison().videos && page->comparison().logs && page->comparison().ssim &&
                   real.find<ui::ComparePlayer>("comparePlayer")->numFrames() > 0;
        },
        kPatienceMs);
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    const QDir folder(argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral("pictures"));
    const std::uint64_t seed = argc > 2 ? QString::fromLocal8Bit(argv[2]).toULongLong() : 7;
    folder.mkpath(QStringLiteral("."));
    const QTemporaryDir work;
    RealWindow real(work.path() + QLatin1String(kHome));
    show(real, ui::Theme::Mode::dark, kLarge, Numbers::expert);
    const auto seeded = [seed](VideoRequest& form) { form.seed = seed; };
    real.window->request().edit(seeded);
    real.trigger("actionLockSeed");
    if (!real.isReady()) return 1;
    real.trigger("actionGenerate");
    bool ok = isInMidRun(real) &&
              real.window->grab().toImage().save(folder.filePath(QStringLiteral("generating-dark.png"))) &&
              real.reaches(RunState::done);
    const QString exact = ui::pathText(real.window->run().facts().result.output);
    show(real, ui::Theme::Mode::light, kSmall, Numbers::simple);
    ok = ok && take(real, folder.filePath(QStringLiteral("finished-light.png")));
    const QString rounded = make(real, [](VideoRequest& form) { form.storage = DtypeChoice::int8; });
    show(real, ui::Theme::Mode::dark, kSmall, Numbers::simple);
    ok = ok && !rounded.isEmpty() && compared(real, exact, rounded) &&
         take(real, folder.filePath(QStringLiteral("compare-dark.png")));
    if (argc > 3)
        ok =
            takeHealed(QString::fromLocal8Bit(argv[3]), seed, folder.filePath(QStringLiteral("healed-dark.png"))) && ok;
    return ok ? 0 : 1;
}
