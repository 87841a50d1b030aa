#include <QtTest>

#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include "tests/support/window_fixture.h"
#include "ui/models/explore_model.h"
#include "ui/models/history_model.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/notice_strip.h"

using namespace kinescope;
using testing::WindowFixture;

namespace {

std::vector<VideoRequest> requestsIn(const QTemporaryDir& folder, int count) {
    std::vector<VideoRequest> requests(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        auto& request = requests[static_cast<std::size_t>(i)];
        request.seed = i;
        request.output.file = folder.filePath(QStringLiteral("%1.mp4").arg(i)).toStdU16String();
    }
    return requests;
}

}  // namespace

/// The Explore page and its grid of videos.
class TestExploreWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRefusedPlanIsExplained() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* advice = fixture.find<QLabel>("generateAdviceLabel");
        QTRY_VERIFY2(advice->text().startsWith(QLatin1String("About")), qPrintable(advice->text()));
        Q_EMIT fixture.bridge->planFailed(
            Error(ErrorCode::bad_request, "mask contains 5 frames, and num_frames is 9", {}, {{"num_frames", "5"}}));
        const auto reason =
            QStringLiteral("Change these settings: Length (use 5). Reason: “Mask contains 5 frames, and Length is 9.”");
        QCOMPARE(advice->text(), reason);
        fixture.action("actionExplore")->trigger();
        auto* message = fixture.find<ui::MessageLine>("exploreMessage");
        QCOMPARE(message->text(), reason);
        fixture.find<QPlainTextEdit>("explorePromptEdit")->setPlainText("a {red|green ball");
        QTRY_VERIFY2(message->text().contains(QLatin1String("brace")), qPrintable(message->text()));
    }

    void theShortcutOfGenerateExploresOnTheExplorePage() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionExplore")->trigger();
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(fixture.find<QListView>("exploreView")->model()->rowCount(), 4);
    }

    void exploringFillsTheGrid() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionExplore")->trigger();
        auto* view = fixture.find<QListView>("exploreView");
        QVERIFY(fixture.find<QWidget>("exploreEmptyLabel")->isVisible());
        fixture.find<QPlainTextEdit>("explorePromptEdit")->setPlainText("a {red|green} ball");
        fixture.find<QSpinBox>("exploreSeedsSpin")->setValue(2);
        auto* start = fixture.find<QPushButton>("exploreButton");
        QCOMPARE(start->text(), QStringLiteral("Generate 4 videos"));
        QCOMPARE(fixture.find<QPushButton>("generateButton")->text(), QStringLiteral("Generate 2 videos"));
        QTest::mouseClick(start, Qt::LeftButton);
        QTRY_COMPARE(view->model()->rowCount(), 4);
        const auto& model = *static_cast<ui::ExploreModel*>(view->model());
        QTRY_COMPARE_WITH_TIMEOUT(model.numDone(), 4, 20000);
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("a red ball"));
        QCOMPARE(model.index(3).data().toString(), QStringLiteral("a green ball"));
        QCOMPARE(*model.request(1).seed, *model.request(0).seed + 1);
        QCOMPARE(*model.request(2).seed, *model.request(0).seed);
        QTRY_VERIFY(!model.index(3).data(ui::ExploreModel::FramesRole).value<QList<QImage>>().isEmpty());

        view->setFocus();
        view->setCurrentIndex(model.index(2));
        QTest::keyClick(view, Qt::Key_F);
        QTRY_VERIFY(model.index(2).data(ui::ExploreModel::FavoriteRole).toBool());
        QVERIFY(!fixture.find<QPushButton>("exploreCompareButton")->isEnabled());
        QTest::keyClick(view, Qt::Key_M);
        QTRY_COMPARE(model.rowCount(), 6);
        QCOMPARE(model.request(3).variation_of, model.request(2).seed);
        QCOMPARE(model.request(3).prompt, std::string("a green ball"));
        QCOMPARE(view->currentIndex().row(), 3);
        QTRY_COMPARE_WITH_TIMEOUT(model.numDone(), 6, 20000);

        const ui::ExploreModel again(fixture.queue(), fixture.window->history(), ui::ExploreModel::defaultFile());
        QTRY_COMPARE(again.rowCount(), 6);
        view->setCurrentIndex(model.index(0));
        QTest::keyClick(view, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(view, Qt::Key_C);
        QVERIFY(fixture.find<QWidget>("comparePage")->isVisible());
        fixture.action("actionExplore")->trigger();
        view->setCurrentIndex(model.index(1));
        QTest::keyClick(view, Qt::Key_Return);
        QVERIFY(fixture.find<QWidget>("createPage")->isVisible());
        QTRY_COMPARE(fixture.window->request().request().prompt, std::string("a red ball"));
        QCOMPARE(fixture.window->request().request().seed, model.request(1).seed);
    }

    void theNewestGridIsKept() {
        WindowFixture fixture(testing::healthyRun());
        const QString file = fixture.folder.filePath("kept/explore.jsonl");
        for (int i = 0; i < 5; ++i) {
            {
                ui::ExploreModel model(fixture.queue(), fixture.window->history(), file);
                model.setRequests(requestsIn(fixture.folder, 2000));
                model.setRequests(requestsIn(fixture.folder, 1));
            }
            QFile kept(file);
            QVERIFY(kept.open(QIODevice::ReadOnly));
            QCOMPARE(kept.readAll().count('\n'), 1);
        }
    }

    void aDeletedVideoIsMissing() {
        WindowFixture fixture(testing::healthyRun());
        const QString video = fixture.folder.filePath("0.mp4");
        QVERIFY(QFile(video).open(QIODevice::WriteOnly));
        ui::ExploreModel model(fixture.queue(), fixture.window->history(), {});
        model.showAgain(requestsIn(fixture.folder, 2));
        QTRY_COMPARE(model.state(0), ui::TileState::done);
        QTRY_COMPARE(model.state(1), ui::TileState::missing);
        QVERIFY(QFile::remove(video));
        fixture.window->history().scan(fixture.folder.path());
        QTRY_COMPARE(model.state(0), ui::TileState::missing);
    }

    void theNewestJobOfAFileCounts() {
        WindowFixture fixture([](const VideoRequest& request) {
            const Error gone(ErrorCode::file_not_found, "gone");
            return request.prompt == "bad" ? std::vector<RunEvent>{RunFailed{gone}} : testing::healthyRun()(request);
        });
        QVERIFY(fixture.isReady());
        std::vector<VideoRequest> requests = requestsIn(fixture.folder, 1);
        QVERIFY(QFile(fixture.folder.filePath("0.mp4")).open(QIODevice::WriteOnly));
        requests[0].prompt = "bad";
        fixture.bridge->submit(requests[0]);
        QTRY_COMPARE(fixture.queue().numFailed(), 1);
        requests[0].prompt = "good";
        fixture.bridge->submit(requests[0]);
        ui::ExploreModel model(fixture.queue(), fixture.window->history(), {});
        model.setRequests(requests);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(0), ui::TileState::done, 20000);
    }

    void aRefusedJobIsNotAwaited() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* view = fixture.find<QListView>("exploreView");
        auto& model = *static_cast<ui::ExploreModel*>(view->model());
        model.setRequests(requestsIn(fixture.folder, 1));
        QCOMPARE(model.state(0), ui::TileState::waiting);
        Q_EMIT fixture.bridge->orderRefused(Error(ErrorCode::bad_request, "refused"));
        QTRY_COMPARE(model.state(0), ui::TileState::missing);
    }

    void aClearedGridComesBack() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionExplore")->trigger();
        auto& model = *static_cast<ui::ExploreModel*>(fixture.find<QListView>("exploreView")->model());
        model.showAgain(requestsIn(fixture.folder, 3));
        auto* clear = fixture.find<QPushButton>("exploreClearButton");
        clear->setFocus();
        clear->click();
        QCOMPARE(model.rowCount(), 0);
        auto* strip = fixture.find<ui::NoticeStrip>("exploreStrip");
        auto* undo = fixture.find<QPushButton>("exploreStripActionButton");
        QVERIFY(strip->isVisible());
        QTRY_COMPARE(fixture.window->focusWidget(), undo);
        undo->click();
        QCOMPARE(model.rowCount(), 3);
        QVERIFY(!strip->isVisible());
        QTRY_COMPARE(fixture.window->focusWidget(), fixture.find<QListView>("exploreView"));
    }

    void resultsThatWereReplacedComeBack() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto& model = *static_cast<ui::ExploreModel*>(fixture.find<QListView>("exploreView")->model());
        model.showAgain(requestsIn(fixture.folder, 20));
        fixture.find<QSpinBox>("countSpin")->setValue(2);
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(model.rowCount(), 2);
        fixture.action("actionExplore")->trigger();
        auto* strip = fixture.find<ui::NoticeStrip>("exploreStrip");
        QVERIFY(strip->isVisible());
        QVERIFY(strip->accessibleName().startsWith("New results."));
        fixture.find<QPushButton>("exploreStripActionButton")->click();
        QCOMPARE(model.rowCount(), 20);
        QVERIFY(!strip->isVisible());
    }

    void aClosedNoticeOfAClearedGridLeavesTheFocusInThePrompt() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionExplore")->trigger();
        auto* view = fixture.find<QListView>("exploreView");
        static_cast<ui::ExploreModel*>(view->model())->showAgain(requestsIn(fixture.folder, 3));
        fixture.find<QPushButton>("exploreClearButton")->click();
        fixture.find<QToolButton>("exploreStripCloseButton")->click();
        QTRY_COMPARE(fixture.window->focusWidget(), fixture.find<QPlainTextEdit>("explorePromptEdit"));
    }

    void aClearedGridDoesNotReplaceANewerOne() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionExplore")->trigger();
        auto& model = *static_cast<ui::ExploreModel*>(fixture.find<QListView>("exploreView")->model());
        model.showAgain(requestsIn(fixture.folder, 3));
        fixture.find<QPushButton>("exploreClearButton")->click();
        QVERIFY(fixture.find<ui::NoticeStrip>("exploreStrip")->isVisible());
        fixture.find<QPlainTextEdit>("explorePromptEdit")->setPlainText("a {red|green} ball");
        fixture.find<QSpinBox>("exploreSeedsSpin")->setValue(1);
        fixture.find<QPushButton>("exploreButton")->click();
        QTRY_COMPARE(model.rowCount(), 2);
        QVERIFY(!fixture.find<ui::NoticeStrip>("exploreStrip")->isVisible());
    }

    void aSingleVideoOfExploreAppearsInTheGrid() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionExplore")->trigger();
        fixture.find<QPlainTextEdit>("explorePromptEdit")->setPlainText("a ball");
        fixture.find<QSpinBox>("exploreSeedsSpin")->setValue(1);
        fixture.find<QPushButton>("exploreButton")->click();
        const auto* model = fixture.find<QListView>("exploreView")->model();
        QTRY_COMPARE(model->rowCount(), 1);
        fixture.action("actionCreate")->trigger();
        fixture.find<QPlainTextEdit>("promptEdit")->setPlainText("a cube");
        fixture.action("actionGenerate")->trigger();  // a single video of Create leaves the grid as it is
        QCOMPARE(model->index(0, 0).data().toString(), QStringLiteral("a ball"));
    }

    void tooManyVideosAreNotOffered() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionExplore")->trigger();
        const auto seed = fixture.window->request().request().seed;
        fixture.find<QSpinBox>("exploreSeedsSpin")->setValue(64);
        fixture.find<QPlainTextEdit>("explorePromptEdit")->setPlainText(QStringLiteral("{a|b}").repeated(4));
        QVERIFY(!fixture.find<QPushButton>("exploreButton")->isEnabled());
        QVERIFY(fixture.find<ui::MessageLine>("exploreMessage")->text().contains("1000"));
        fixture.find<QSpinBox>("exploreSeedsSpin")->setValue(62);
        QVERIFY(fixture.find<QPushButton>("exploreButton")->isEnabled());
        QCOMPARE(fixture.window->request().request().seed, seed);
    }

    void tooManyAlternativesAreAFault() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.find<QPlainTextEdit>("promptEdit")->setPlainText(QStringLiteral("{a|b|c|d}").repeated(6));
        QVERIFY(!fixture.window->request().canRun());
        QTRY_VERIFY(!fixture.find<QPushButton>("generateButton")->isEnabled());
        QVERIFY(fixture.find<ui::MessageLine>("promptMessage")->text().contains("1000 combinations"));
        fixture.find<QPlainTextEdit>("promptEdit")->setPlainText(QStringLiteral("{a|b}").repeated(9));
        fixture.find<QSpinBox>("countSpin")->setValue(64);
        fixture.find<QPushButton>("generateButton")->click();  // 512 prompts are accepted, 32768 videos are not
        QCOMPARE(fixture.queue().rowCount(), 0);
        QVERIFY(fixture.find<ui::NoticeStrip>("noticeStrip")->isVisible());
    }
};

QTEST_MAIN(TestExploreWindow)
#include "test_explore_window.moc"
