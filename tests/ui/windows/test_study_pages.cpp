#include <QtTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QSlider>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTextEdit>
#include <QThreadPool>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <future>
#include <ranges>

#include "tests/support/as_nobody.h"
#include "tests/support/chinese.h"
#include "tests/support/study_answers.h"
#include "tests/support/window_fixture.h"
#include "ui/text/check_words.h"
#include "ui/text/doctor_words.h"
#include "ui/text/words.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/compare_player.h"
#include "ui/widgets/language.h"
#include "ui/widgets/segmented.h"
#include "ui/windows/compare_page.h"
#include "ui/windows/doctor_page.h"
#include "ui/windows/models_page.h"

using namespace kinescope;
using namespace kinescope::ui;
using testing::WindowFixture;

namespace {

/// Opens the Models page and waits for the scan. Returns nullptr on failure.
ModelsPage* openModels(WindowFixture& fixture) {
    fixture.action("actionModels")->trigger();
    auto* page = fixture.find<ModelsPage>("modelsPage");
    const bool read =
        QTest::qWaitFor([&] { return page->table().rowCount() == 5 && !page->table().isScanning(); }, 10'000);
    return read ? page : nullptr;
}

QString cell(WindowFixture& fixture, int row, int column) {
    return fixture.find<QTableView>("modelView")->model()->index(row, column).data().toString();
}

void choose(WindowFixture& fixture, int row) {
    auto* view = fixture.find<QTableView>("modelView");
    view->setCurrentIndex(view->model()->index(row, 0));
}

QStringList listedFolders() {
    return ModelFolderList::foldersIn(ModelFolderList::defaultSettingsFile());
}

/// Records the last row that a view measures.
class MeasuringDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        last = std::max(last, index.row());
        return QStyledItemDelegate::sizeHint(option, index);
    }

    mutable int last = -1;
};

}  // namespace

class TestStudyPages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void modelsAreListedWithTheirStates() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(openModels(fixture));
        QCOMPARE(cell(fixture, 1, ModelTable::nameColumn), QStringLiteral("Wan 2.1 1.3B"));
        QCOMPARE(cell(fixture, 1, ModelTable::makesColumn), QStringLiteral("Text to video"));
        QCOMPARE(cell(fixture, 1, ModelTable::storedColumn), QStringLiteral("bf16"));
        QCOMPARE(cell(fixture, 1, ModelTable::sizeColumn), QStringLiteral("13.5 GiB"));
        QStringList states;
        for (int row = 0; row < 5; ++row) states << cell(fixture, row, ModelTable::stateColumn);
        QCOMPARE(states,
                 (QStringList{"Ready", "Ready", "Text encoder is missing", "Damaged: truncated file", "Unknown"}));
    }

    void detailsSayWhatIsMissingAndWhy() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(openModels(fixture));
        choose(fixture, 2);
        QCOMPARE(fixture.find<Chip>("modelStateChip")->text(), QStringLiteral("Text encoder is missing"));
        QVERIFY(fixture.find<QTextEdit>("modelReasonsText")->toPlainText().contains("30 blocks of width 1536"));
        QVERIFY(!fixture.find<QPushButton>("useModelButton")->isEnabled());
        fixture.find<QPushButton>("copyModelDetailsButton")->click();
        QVERIFY(QApplication::clipboard()->text().contains("neither umt5_xxl_fp16.safetensors"));
        fixture.find<QPushButton>("getPartsButton")->click();
        QVERIFY(fixture.find<QWidget>("downloadList")->isVisible());
        fixture.find<QPushButton>("closeDownloadsButton")->click();
        choose(fixture, 3);
        QVERIFY(
            fixture.find<QTextEdit>("modelReasonsText")->toPlainText().contains("probably an unfinished download."));
    }

    void everythingIsChineseInAChineseWindow() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(openModels(fixture));
        chooseLanguage(QStringLiteral("zh_CN"));
        for (const int row : {0, 1, 2, 3, 4}) {
            choose(fixture, row);
            QCoreApplication::processEvents();
            const QString reasons = fixture.find<QTextEdit>("modelReasonsText")->toPlainText();
            const QString said = reasons.section(QStringLiteral("详细信息"), 0, 0);  // the engine's message follows
            QVERIFY2(testing::isChinese(said), qPrintable(said));
        }
        fixture.action("actionDoctor")->trigger();
        auto* page = fixture.find<DoctorPage>("doctorPage");
        QTRY_VERIFY(!page->report().isEmpty());
        for (const char* name : {"devicesPanel", "policyPanel", "checksPanel"})
            for (const QLabel* label : fixture.find<QWidget>(name)->findChildren<QLabel*>())
                QVERIFY2(!label->text().contains(QRegularExpression("[A-Za-z]{3,} [a-z]{3,} [a-z]{3,}")),
                         qPrintable(label->text()));
        chooseLanguage(QStringLiteral("en"));
    }

    void filesAreCheckedInTheBackground() {
        WindowFixture fixture(testing::healthyRun());
        ModelsPage* page = openModels(fixture);
        QVERIFY(page);
        choose(fixture, 1);
        QSet<QString> files;
        double share = 0;
        connect(&page->checker(), &FileChecker::changed, this, [&] {
            const CheckFacts& facts = page->checker().facts();
            if (!page->checker().isRunning()) return;
            files.insert(facts.file);
            QVERIFY(facts.share >= share && facts.share <= 1);
            share = facts.share;
        });
        fixture.engine->setCheck({.file = {}, .checked = "2026-11-20T14:18:00Z", .num_tensors = 825}, 0.3);
        fixture.find<QPushButton>("checkFilesButton")->click();
        QVERIFY(fixture.find<QPushButton>("stopCheckButton")->isVisible());
        QVERIFY(!fixture.find<QPushButton>("checkFilesButton")->isVisible());
        QTRY_VERIFY(!page->checker().isRunning());
        QCOMPARE(files.size(), 3);  // of the denoiser, the VAE and the text encoder
        QVERIFY(share > 0.6);
        QTRY_VERIFY(fixture.find<QTextEdit>("modelReasonsText")
                        ->toPlainText()
                        .contains("no invalid values in its 825 tensors"));
        QCOMPARE(cell(fixture, 1, ModelTable::stateColumn), QStringLiteral("Ready"));
    }

    void aDamagedFileIsNamed() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(openModels(fixture));
        choose(fixture, 1);
        fixture.engine->setCheck(
            {.file = {}, .faults = {{.tensor = "blocks.3.ffn", .dtype = "bfloat16", .count = 99, .non_finite = 14}}});
        fixture.find<QPushButton>("checkFilesButton")->click();
        QTRY_COMPARE(cell(fixture, 1, ModelTable::stateColumn), QStringLiteral("Damaged: contains NaN or infinity"));
        QVERIFY(fixture.find<QTextEdit>("modelReasonsText")->toPlainText().contains("in blocks.3.ffn (14)"));
        QVERIFY(!fixture.find<QPushButton>("useModelButton")->isEnabled());
    }

    void aCheckCanBeStopped() {
        WindowFixture fixture(testing::healthyRun());
        ModelsPage* page = openModels(fixture);
        QVERIFY(page);
        choose(fixture, 1);
        fixture.engine->setCheck({}, 60);
        fixture.find<QPushButton>("checkFilesButton")->click();
        QTRY_VERIFY(page->checker().facts().share > 0);
        choose(fixture, 0);
        QVERIFY(fixture.find<QPushButton>("stopCheckButton")
                    ->isVisible());  // the check continues while another model is selected
        fixture.find<QPushButton>("stopCheckButton")->click();
        QVERIFY(!page->checker().isRunning());
        QVERIFY(fixture.find<QPushButton>("checkFilesButton")->isVisible());
    }

    void useSelectsTheModelOnTheCreatePage() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(openModels(fixture));
        choose(fixture, 1);
        fixture.find<QPushButton>("showModelButton")->click();
        QCOMPARE(fixture.lastShown, QStringLiteral("/models/wan2.1-t2v-1.3b"));
        fixture.find<QPushButton>("useModelButton")->click();
        QCOMPARE(fixture.find<QStackedWidget>("pageStack")->currentIndex(), 0);
        QTRY_COMPARE(QString::fromStdString(fixture.window->request().card().id),
                     QStringLiteral("/models/wan2.1-t2v-1.3b"));
    }

    void searchAndFolderFilter() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(openModels(fixture));
        auto* rows = fixture.find<QTableView>("modelView")->model();
        fixture.find<QLineEdit>("modelSearchEdit")->setText("wan");
        QCOMPARE(rows->rowCount(), 2);
        fixture.find<QLineEdit>("modelSearchEdit")->clear();
        auto* folders = fixture.find<QListWidget>("folderView");
        folders->setCurrentRow(1);
        QCOMPARE(rows->rowCount(), 1);
        QCOMPARE(rows->index(0, 0).data(Qt::UserRole).toString(), QStringLiteral("builtin"));
    }

    void foldersAreSavedInTheEnginesSettings() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(openModels(fixture));
        const QString settings = fixture.folder.filePath("config/kinescope/settings.json");
        QVERIFY(QDir().mkpath(QFileInfo(settings).path()));
        QFile file(settings);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"other": 7})");
        file.close();
        fixture.folderName = fixture.folder.path();
        fixture.find<QPushButton>("addFolderButton")->click();
        QTRY_VERIFY(!listedFolders().isEmpty());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonDocument written = QJsonDocument::fromJson(file.readAll());
        file.close();
        QCOMPARE(written["other"].toInt(), 7);
        QCOMPARE(written["model_folders"][0].toString(), fixture.folder.path());
        auto* folders = fixture.find<QListWidget>("folderView");
        QTRY_COMPARE(folders->count(), 3);
        folders->setCurrentRow(2);
        fixture.find<QToolButton>("removeFolderButton")->click();
        QTRY_COMPARE(folders->count(), 2);
    }

    /// Its drive may be away. The window does not wait for the file system.
    void aFolderThatIsAwayIsMarked() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(openModels(fixture));
        const QString folder = fixture.folder.filePath("drive");
        QVERIFY(QDir().mkpath(folder));
        fixture.folderName = folder;
        fixture.find<QPushButton>("addFolderButton")->click();
        auto* folders = fixture.find<QListWidget>("folderView");
        QTRY_COMPARE(folders->count(), 3);
        QVERIFY(QDir().rmdir(folder));
        QTRY_VERIFY(fixture.find<QToolButton>("scanButton")->isEnabled());
        fixture.find<QToolButton>("scanButton")->click();
        const auto note = [folders] { return folders->item(2)->data(Qt::UserRole + 2).toString(); };
        QTRY_COMPARE(note(), QStringLiteral("Not available"));
        QVERIFY(QDir().mkpath(folder));
        QTRY_VERIFY(fixture.find<QToolButton>("scanButton")->isEnabled());
        fixture.find<QToolButton>("scanButton")->click();
        QTRY_VERIFY(note().isEmpty());
    }

    void onlyTheNewestLookAtAFolderCounts() {
        bool isMarked = false;  // outlives the window
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(openModels(fixture));
        const QString folder = fixture.folder.filePath("drive");
        QVERIFY(QDir().mkpath(folder));
        fixture.folderName = folder;
        fixture.find<QPushButton>("addFolderButton")->click();
        auto* folders = fixture.find<QListWidget>("folderView");
        QTRY_COMPARE(folders->count(), 3);
        connect(folders->model(), &QAbstractItemModel::dataChanged, this, [&isMarked](const QModelIndex& item) {
            isMarked = isMarked || !item.data(Qt::UserRole + 2).toString().isEmpty();
        });
        const auto look = [panel = fixture.find<QWidget>("folderPanel")] {
            QEvent change(QEvent::LanguageChange);
            QCoreApplication::sendEvent(panel, &change);
            return QThreadPool::globalInstance()->waitForDone();
        };
        QVERIFY(look());
        QVERIFY(QDir().rmdir(folder));
        QVERIFY(look());
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(look());
        QCoreApplication::processEvents();  // the answers arrive
        QCOMPARE(folders->item(2)->data(Qt::UserRole).toString(), folder);
        QVERIFY(!isMarked);
    }

    void aListOfModelFoldersIsAddedByDroppingIt() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const QString list = fixture.folder.filePath("extra_model_paths.yaml");
        QFile file(list);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        fixture.window->open(list);
        QTRY_COMPARE(listedFolders(), QStringList{list});
        auto* folders = fixture.find<QListWidget>("folderView");
        QVERIFY(folders->isVisible());
        QTRY_COMPARE(folders->count(), 3);
        QCOMPARE(folders->item(2)->data(Qt::UserRole).toString(), list);
        QVERIFY(folders->item(2)->data(Qt::UserRole + 2).toString().isEmpty());  // no warning
    }

    void anOpenedModelStaysInTheList() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const QString model = fixture.folder.filePath("my-model");
        QVERIFY(QDir().mkpath(model));
        fixture.folderName = model;
        fixture.action("actionOpenModel")->trigger();
        QTRY_COMPARE(fixture.window->request().card().id, model.toStdString());
        QTRY_COMPARE(listedFolders(), QStringList{model});
        fixture.window->request().chooseModel("builtin");
        QTRY_COMPARE(fixture.window->request().card().id, std::string("builtin"));
        const auto isShown = [folders = fixture.find<QListWidget>("folderView"), &model] {
            return std::ranges::any_of(std::views::iota(0, folders->count()), [&](int row) {
                return folders->item(row)->data(Qt::UserRole).toString() == model;
            });
        };
        fixture.action("actionModels")->trigger();
        QTRY_VERIFY(isShown());
        QCOMPARE(listedFolders(), QStringList{model});
    }

    void aModelInAListedFolderIsNotListed() {
        const QTemporaryDir folder;
        const QString settings = folder.filePath("settings.json");
        QVERIFY(QDir(folder.path()).mkpath("models/wan"));
        QCOMPARE(ModelFolderList::addTo(settings, folder.filePath("models")), QString());
        ModelFolderList list(settings);
        list.addOpened(folder.filePath("models/wan"), [](const QString&) { QFAIL("it was added"); });
        list.addOpened(folder.filePath("nowhere"), [](const QString&) { QFAIL("it was added"); });
        bool isRemoved = false;
        list.remove(folder.filePath("models"), [&isRemoved](const QString& fault) { isRemoved = fault.isEmpty(); });
        QTRY_VERIFY(isRemoved);
        bool isLater = false;  // than a wrong addition
        list.remove(folder.filePath("models"), [&isLater](const QString&) { isLater = true; });
        QTRY_VERIFY(isLater);
        QVERIFY(list.folders().isEmpty());
    }

    void modelsOfAFolderThatIsBeingListedAreNotListed() {
        const QTemporaryDir folder;
        const QString models = folder.filePath("models");
        QVERIFY(QDir(folder.path()).mkpath("models/wan"));
        ModelFolderList list(folder.filePath("settings.json"));
        bool isAdded = false;
        list.addOpened(models, [&isAdded](const QString& fault) { isAdded = fault.isEmpty(); });
        list.addOpened(folder.filePath("models/wan"), [](const QString&) { QFAIL("it was added"); });
        QTRY_VERIFY(isAdded);
        bool isLater = false;  // than a wrong addition
        list.remove("/models", [&isLater](const QString&) { isLater = true; });
        QTRY_VERIFY(isLater);
        QCOMPARE(list.folders(), QStringList{models});
    }

    void aChangedModelDoesNotMeasureAllRows() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(openModels(fixture));
        QStandardItemModel models(300, ModelTable::numColumns);
        MeasuringDelegate delegate;
        auto* view = fixture.find<QTableView>("modelView");
        QAbstractItemModel* shown = view->model();
        QAbstractItemDelegate* painter = view->itemDelegate();
        const auto restore = qScopeGuard([&] {
            view->setItemDelegate(painter);
            view->setModel(shown);
        });
        view->setItemDelegate(&delegate);
        view->setModel(&models);
        QCoreApplication::processEvents();
        delegate.last = -1;
        models.setData(models.index(0, ModelTable::stateColumn), QStringLiteral("Ready"));
        QTRY_VERIFY(delegate.last >= 0);
        QVERIFY2(delegate.last < 150, qPrintable(QString::number(delegate.last)));
    }

    void rowsOfModelsFitTheTextSize() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(openModels(fixture));
        auto* view = fixture.find<QTableView>("modelView");
        const int normal = view->rowHeight(0);
        const auto restore = qScopeGuard([&] { fixture.theme.setTextScalePercent(100); });
        for (const int percent : {100, 200}) {
            fixture.theme.setTextScalePercent(percent);
            QCoreApplication::processEvents();
            for (int row = 0; row < view->model()->rowCount(); ++row)
                QVERIFY(view->rowHeight(row) >= view->sizeHintForIndex(view->model()->index(row, 0)).height());
        }
        QVERIFY(view->rowHeight(0) > normal);
    }

    /// The file may be on a network drive that does not respond.
    void theWindowDoesNotWaitForTheListOfModelFolders() {
        const QTemporaryDir folder;
        const QString name = folder.filePath("settings.json");
        QCOMPARE(::mkfifo(QFile::encodeName(name).constData(), 0600), 0);
        ModelFolderList list(name);
        list.read();
        QString fault = "none yet";
        list.add("/models/new", [&fault](const QString& words) { fault = words; });
        int responds = -1;
        const auto isRead = [&] {  // QTRY_VERIFY calls it once more at the end
            if (responds < 0) responds = ::open(QFile::encodeName(name).constData(), O_WRONLY | O_NONBLOCK);
            return responds >= 0;
        };
        QTRY_VERIFY(isRead());
        QVERIFY(QFile::rename(name, folder.filePath("no-longer-read")));
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"model_folders": ["/models/old"]})");
        file.close();
        QCOMPARE(fault, QString("none yet"));
        ::close(responds);
        QTRY_COMPARE(fault, QString());
        QCOMPARE(list.folders(), (QStringList{"/models/old", "/models/new"}));
    }

    void anInvalidSettingsFileIsNotChanged() {
        QTemporaryDir folder;
        const QString name = folder.filePath("settings.json");
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{ not json");
        file.close();
        QVERIFY(!ModelFolderList::addTo(name, "/models").isEmpty());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("{ not json"));
    }

    void aReportDoesNotEndTheCheckOfTheDoctorPage() {
        WindowFixture fixture(testing::healthyRun());
        fixture.action("actionDoctor")->trigger();
        auto* again = fixture.find<QPushButton>("checkAgainButton");
        QTRY_VERIFY(again->isEnabled());
        std::array<std::promise<void>, 2> answers;
        const auto wait = [&](std::promise<void>& answer) {
            fixture.bridge->request(
                Lane::slow, fixture.window.get(), [go = answer.get_future().share()](Engine&) { go.wait(); }, [] {},
                [](const Error&) {});
        };
        wait(answers[0]);
        fixture.action("actionReportProblem")->trigger();
        wait(answers[1]);
        again->click();
        QVERIFY(!again->isEnabled());
        answers[0].set_value();
        QTRY_VERIFY(fixture.find<QPushButton>("saveProblemReportButton")->isEnabled());
        QVERIFY(!again->isEnabled());
        QVERIFY(fixture.find<QLabel>("doctorTitleLabel")->text().startsWith("Checking"));
        answers[1].set_value();
        QTRY_VERIFY(again->isEnabled());
    }

    void anUnreadableSettingsFileIsNotChanged() {
        QTemporaryDir folder;
        QVERIFY(QFile::setPermissions(folder.path(), QFile::Permissions(0x7777)));
        const QString name = folder.filePath("settings.json");
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"device\":\"cpu\"}");
        file.close();
        QVERIFY(file.setPermissions(QFile::Permissions(0x2222)));
        {
            const testing::AsNobody nobody;
            QVERIFY(ModelFolderList::addTo(name, "/models").contains("can't be read"));
        }
        QVERIFY(file.setPermissions(QFile::Permissions(0x6666)));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("{\"device\":\"cpu\"}"));
    }

    void theDoctorShowsTheVerdictFirst() {
        WindowFixture fixture(testing::healthyRun());
        fixture.action("actionDoctor")->trigger();
        QTRY_COMPARE(fixture.find<QLabel>("doctorTitleLabel")->text(),
                     QStringLiteral("This computer is ready, with notes"));
        QVERIFY(fixture.find<QLabel>("doctorSentenceLabel")
                    ->text()
                    .startsWith("Videos are generated on NVIDIA GeForce RTX 2080 Ti in float32."));
        QVERIFY(fixture.find<QPushButton>("forgetButton")->isVisible());
        fixture.action("actionCopyReport")->trigger();
        const QString report = QApplication::clipboard()->text();
        QVERIFY(report.contains("convolution killed"));
        QVERIFY(report.contains("blocks.31.ffn"));
        QVERIFY(!report.contains("/home/someone"));
        fixture.saveName = fixture.folder.filePath("report.txt");
        fixture.find<QPushButton>("saveReportButton")->click();
        QTRY_VERIFY(QFile::exists(fixture.saveName));
    }

    /// What a user cannot act on is not shown, and a missing time says when it is known.
    void theDoctorShowsOnlyWhatHelps() {
        WindowFixture fixture(testing::healthyRun());
        EngineInspector inspector(*fixture.bridge);
        DoctorPage page(fixture.theme, inspector, {});
        const auto* learned = page.findChild<QWidget*>("learnedPart");
        QVERIFY(!learned->isVisibleTo(&page));
        DoctorReport report = testing::studyReport();
        Q_EMIT inspector.examined(report);
        QVERIFY(learned->isVisibleTo(&page));
        QStringList words;
        for (const QLabel* label : page.findChild<QWidget*>("abilitiesPanel")->findChildren<QLabel*>())
            words << label->text();
        QVERIFY2(words.contains("after the first video"), qPrintable(words.join('|')));
        report.overrides.clear();
        Q_EMIT inspector.examined(report);
        QVERIFY(!learned->isVisibleTo(&page));
    }

    void theDoctorExplainsEachCheck() {
        DoctorReport report = testing::studyReport();
        CanaryFinding broken = report.devices.front().canary.front();
        broken.outcome = ProbeOutcome::wrong;
        report.devices.front().canary.push_back(broken);
        const std::vector<CheckRow> rows = checkRows(report);
        QStringList titles;
        for (const CheckRow& row : rows) titles << row.title;
        QCOMPARE(titles, (QStringList{"Wan 14B modulation, fp16 2x5120x30720", "convolution, fp16 288x96x480x832",
                                      "Attention", "Sums", "Small layers of the models"}));
        QCOMPARE(rows[0].health, Health::bad);
        QVERIFY2(rows[0].advice.contains("Update the driver"), qPrintable(rows[0].advice));
        QCOMPARE(rows[1].result, QStringLiteral("NVIDIA GeForce RTX 2080 Ti: crashed; works with cuDNN disabled"));
        QVERIFY2(rows[1].advice.contains("uses the fallback"), qPrintable(rows[1].advice));
        QCOMPARE(rows.back().result, QStringLiteral("NVIDIA GeForce RTX 2080 Ti: 1 of 1 match float32"));
        for (const CheckRow& row : rows) QVERIFY(!row.advice.isEmpty());
    }

    /// The id decides whether a model is the built-in one, not its English name.
    void theDoctorTellsModelsByTheirIds() {
        chooseLanguage(QStringLiteral("zh_CN"));
        QCOMPARE(modelName("builtin", "any name"), builtinModelName());
        QCOMPARE(modelName("/models/a", "Kinescope demo"), QStringLiteral("Kinescope demo"));
        chooseLanguage(QStringLiteral("en"));
        const DoctorReport report = testing::studyReport();
        for (const DeviceAbility& ability : report.devices.front().abilities) QVERIFY(!ability.id.empty());
    }

    /// The page shows words where the engine uses keys.
    void theDoctorShowsNoKeys() {
        for (const char* name :
             {"libtorch", "cpu_kernels", "cuda_driver", "cuda_runtime", "cublas", "cudnn", "nvrtc"}) {
            QVERIFY2(!libraryText(name).contains(QLatin1Char('_')), name);
            QVERIFY2(libraryText(name) != QLatin1String(name), name);
        }
        for (const char* name : {"float16_accumulation", "float16_reduction", "bfloat16_reduction",
                                 "half_reduction_in_attention", "tf32_matmul", "tf32_convolution", "cudnn_attention",
                                 "cudnn", "cudnn_benchmark", "onednn", "blas_backend"}) {
            QVERIFY2(numericSwitchText(name) != QLatin1String(name), name);
            QVERIFY2(!numericSwitchHelp(name).isEmpty(), name);
        }
        QCOMPARE(switchValueText("cublas"), QStringLiteral("cuBLAS"));
    }

    void comparesTwoLogs() {
        WindowFixture fixture(testing::healthyRun());
        fixture.action("actionCompare")->trigger();
        auto* page = fixture.find<ComparePage>("comparePage");
        QVERIFY(page->isVisible());
        QCOMPARE(fixture.find<QLabel>("compareTitleLabel")->text(), QStringLiteral("Select two runs"));
        page->compare(QStringLiteral("/videos/a.jsonl"), QStringLiteral("/videos/b.jsonl"));
        QTRY_COMPARE(fixture.find<QLabel>("compareTitleLabel")->text(), QStringLiteral("The runs are identical"));
        fixture.find<QPushButton>("copyComparisonButton")->click();
        QVERIFY(QApplication::clipboard()->text().startsWith("The runs are identical"));
    }

    void anotherPairRemovesTheResultsAtOnce() {
        WindowFixture fixture(testing::healthyRun());
        fixture.action("actionCompare")->trigger();
        auto* page = fixture.find<ComparePage>("comparePage");
        const auto facts = [&] {
            QStringList texts;
            for (const QLabel* label : fixture.find<QWidget>("compareResultPanel")->findChildren<QLabel*>())
                if (label->isVisible()) texts << label->text();
            return texts;
        };
        page->compare(QStringLiteral("/videos/a.mp4"), QStringLiteral("/videos/b.mp4"));
        QTRY_VERIFY(facts().contains("33.4 dB"));
        page->compare(QStringLiteral("/videos/a.mp4"), QStringLiteral("/videos/c.mp4"));
        QVERIFY(facts().contains("Comparing…"));
        QVERIFY2(!facts().contains("33.4 dB"), "the PSNR of the previous pair is still visible");
    }

    /// A file beside a video with the name of its log may be something else, such as a caption.
    void aDamagedLogLeavesTheComparisonOfTheVideos() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.engine->failLogComparison(Error(ErrorCode::bad_config, "this is not a numeric log"));
        for (const char* name : {"a.mp4", "a.jsonl", "b.mp4", "b.jsonl"})
            QVERIFY(QFile(fixture.folder.filePath(QLatin1String(name))).open(QIODevice::WriteOnly));
        fixture.action("actionCompare")->trigger();
        fixture.find<ComparePage>("comparePage")
            ->compare(fixture.folder.filePath("a.mp4"), fixture.folder.filePath("b.mp4"));
        QTRY_COMPARE(fixture.engine->numFailedLogs(), 1);
        bool isAnswered = false;  // after the answer to the comparison before
        fixture.bridge->request(
            Lane::comparisons, fixture.window.get(), [](Engine&) {}, [&] { isAnswered = true; }, [](const Error&) {});
        QTRY_VERIFY(isAnswered);
        QCOMPARE(fixture.find<QLabel>("compareTitleLabel")->text(), QStringLiteral("The runs differ"));
    }

    void aReportThatIsNotSavedCanBeSavedElsewhere() {
        WindowFixture fixture(testing::healthyRun());
        fixture.action("actionCompare")->trigger();
        fixture.find<ComparePage>("comparePage")
            ->compare(QStringLiteral("/videos/a.mp4"), QStringLiteral("/videos/b.mp4"));
        auto* title = fixture.find<QLabel>("compareTitleLabel");
        QTRY_COMPARE(title->text(), QStringLiteral("The runs differ"));
        auto* save = fixture.find<QPushButton>("saveComparisonButton");
        fixture.saveName = fixture.folder.filePath("missing/report.txt");
        save->click();
        QTRY_COMPARE(title->text(), QStringLiteral("Can't save the report"));
        QVERIFY(save->isEnabled());
        fixture.saveName = fixture.folder.filePath("report.txt");
        save->click();
        QTRY_COMPARE(title->text(), QStringLiteral("The runs differ"));
        QVERIFY(QFile::exists(fixture.saveName));
    }

    void comparedVideosShareOneTransport() {
        WindowFixture fixture(testing::healthyRun());
        fixture.action("actionCompare")->trigger();
        fixture.find<ComparePage>("comparePage")
            ->compare(QStringLiteral("/videos/a.mp4"), QStringLiteral("/videos/b.mp4"));
        QTRY_COMPARE_WITH_TIMEOUT(fixture.find<QLabel>("compareTitleLabel")->text(), QStringLiteral("The runs differ"),
                                  30'000);
        QVERIFY(fixture.find<QLabel>("compareSentenceLabel")->text().startsWith("First difference: frame 3: 31.2 dB."));
        auto* player = fixture.find<ComparePlayer>("comparePlayer");
        QTRY_COMPARE(player->numFrames(), 6);
        player->pause();
        QCOMPARE(player->currentImage().width(), 2 * 64 + 8);
        auto* mix = fixture.find<Segmented>("compareMixButtons");
        mix->setCurrentIndex(1);
        QVERIFY(fixture.find<QSlider>("wipeSlider")->isVisible());
        QCOMPARE(player->currentImage().width(), 64);
        mix->setCurrentIndex(2);
        QVERIFY(!fixture.find<QSlider>("wipeSlider")->isVisible());
    }

    /// The engine reads 6 frames of each video.
    void longVideosAreComparedAtTheirOwnSpeed_data() {
        QTest::addColumn<int>("framesOfA");
        QTest::addColumn<int>("framesOfB");
        QTest::addColumn<double>("fps");
        QTest::addColumn<int>("numShown");
        QTest::addColumn<bool>("hasSsim");
        QTest::newRow("whole") << 6 << 6 << 24.0 << 6 << true;
        QTest::newRow("longer") << 12 << 12 << 12.0 << 6 << true;
        QTest::newRow("of two lengths") << 6 << 12 << 12.0 << 3 << false;  // frame 2 would be compared with frame 3
        QTest::newRow("A is longer") << 12 << 6 << 12.0 << 3 << false;
    }
    void longVideosAreComparedAtTheirOwnSpeed() {
        QFETCH(int, framesOfA);
        QFETCH(int, framesOfB);
        QFETCH(double, fps);
        QFETCH(int, numShown);
        QFETCH(bool, hasSsim);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.engine->describe("/videos/a.mp4", {.width = 64, .height = 36, .num_frames = framesOfA, .fps = 24});
        fixture.engine->describe("/videos/b.mp4", {.width = 64, .height = 36, .num_frames = framesOfB, .fps = 24});
        fixture.action("actionCompare")->trigger();
        auto* page = fixture.find<ComparePage>("comparePage");
        page->compare(QStringLiteral("/videos/a.mp4"), QStringLiteral("/videos/b.mp4"));
        auto* player = fixture.find<ComparePlayer>("comparePlayer");
        QTRY_COMPARE_WITH_TIMEOUT(player->currentImage().width(), 2 * 64 + 8, 30'000);  // both are read
        QCOMPARE(player->fps(), fps);
        QCOMPARE(player->numFrames(), numShown);
        if (hasSsim) QTRY_VERIFY_WITH_TIMEOUT(page->comparison().ssim, 30'000);
        QVERIFY(QThreadPool::globalInstance()->waitForDone());
        QCoreApplication::processEvents();
        QCOMPARE(page->comparison().ssim.has_value(), hasSsim);
    }

    void everyControlHasAUniqueAndAnAccessibleName() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(openModels(fixture));
        for (const char* name : {"comparePage", "modelsPage", "doctorPage"}) {
            for (QWidget* widget : fixture.find<QWidget>(name)->findChildren<QWidget*>()) {
                const bool control = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QLineEdit*>(widget) ||
                                     qobject_cast<QAbstractItemView*>(widget) || qobject_cast<QComboBox*>(widget);
                const bool own =
                    widget->objectName().startsWith("qt_") || widget->parentWidget()->inherits("QComboBox") ||
                    widget->parentWidget()->inherits("QLineEdit") || widget->parentWidget()->inherits("QTableView") ||
                    widget->inherits("QHeaderView") || widget->inherits("QComboBoxListView");
                if (!control || own) continue;
                auto* button = qobject_cast<QAbstractButton*>(widget);
                const bool waits = widget->isHidden() && widget->parentWidget()->inherits("kinescope::ui::NoticeStrip");
                if (waits) continue;  // gets its text together with the notice
                QVERIFY2(
                    !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                    qPrintable(QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                               widget->objectName() + QStringLiteral(" in ") + widget->parentWidget()->objectName()));
                const bool grouped = widget->parentWidget()->inherits("kinescope::ui::Segmented");
                if (grouped) continue;
                QVERIFY2(!widget->objectName().isEmpty(), qPrintable(widget->accessibleName()));
                if (widget->inherits("kinescope::ui::HelpButton")) continue;  // named after its manual section
                QVERIFY2(fixture.window->findChildren<QWidget*>(widget->objectName()).size() == 1,
                         qPrintable(widget->objectName()));
            }
        }
    }

    void verdicts_data() {
        QTest::addColumn<ProbeOutcome>("outcome");
        QTest::addColumn<bool>("hasFallback");
        QTest::addColumn<QString>("title");
        QTest::newRow("ok") << ProbeOutcome::passed << false << "This computer is ready";
        QTest::newRow("crash with a workaround")
            << ProbeOutcome::killed << true << "This computer is ready, with notes";
        QTest::newRow("timeout") << ProbeOutcome::hung << false << "This computer is ready, with limitations";
        QTest::newRow("wrong") << ProbeOutcome::wrong << false << "This computer is ready, with limitations";
    }

    void verdicts() {
        QFETCH(ProbeOutcome, outcome);
        QFETCH(bool, hasFallback);
        QFETCH(QString, title);
        DoctorReport report = testing::studyReport();
        CanaryFinding finding = report.devices.front().canary.front();
        finding.outcome = outcome;
        if (hasFallback) finding.fallbacks = {CanaryFallback::no_cudnn};
        report.devices.front().canary = {finding};
        QCOMPARE(doctorVerdict(report).title, title);
        report.devices.clear();
        QCOMPARE(doctorVerdict(report).health, Health::bad);
    }

    void privatePartsAreRemoved_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("kept");
        QTest::newRow("folder") << "in /home/anna/models/wan" << QString::fromUtf8("in …/wan");
        QTest::newRow("drive") << "in D:\\anna\\wan, big" << QString::fromUtf8("in …\\wan, big");
        QTest::newRow("link") << "see https://github.com/a/b/issues/1"
                              << "see https://github.com/a/b/issues/1";
        QTest::newRow("names") << "anna on annas-pc" << QString::fromUtf8("… on …");
        QTest::newRow("part of a word") << "hosanna"
                                        << "hosanna";
    }

    void privatePartsAreRemoved() {
        QFETCH(QString, words);
        QFETCH(QString, kept);
        QCOMPARE(withoutPrivateParts(words, QStringLiteral("anna"), QStringLiteral("annas-pc")), kept);
    }
};

QTEST_MAIN(TestStudyPages)
#include "test_study_pages.moc"
