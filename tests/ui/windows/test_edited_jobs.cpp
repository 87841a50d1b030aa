#include <QtTest>

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>

#include "tests/support/window_fixture.h"
#include "ui/panels/queue_panel.h"
#include "ui/widgets/notice_strip.h"
#include "ui/windows/library_page.h"

using namespace kinescope;
using namespace kinescope::ui;
using testing::WindowFixture;

namespace {

NoticeStrip& strip(WindowFixture& fixture) {
    return *fixture.find<NoticeStrip>("noticeStrip");
}

/// A job that waits behind a running one and is loaded into the form.
struct EditedJob {
    EditedJob() {
        if (!fixture.isReady()) return;
        before = prompt();
        fixture.find<QSpinBox>("countSpin")->setValue(2);
        fixture.action("actionGenerate")->trigger();
        const auto& jobs = fixture.bridge->jobs();
        const auto isFirstRunning = [&] { return jobs.size() == 2 && jobs.front().state == JobState::running; };
        if (!QTest::qWaitFor(isFirstRunning)) return;
        id = jobs.back().id;
        Q_EMIT fixture.window->libraryPage()->queuePanel()->editRequested(jobs.back());
    }
    bool isShown() { return fixture.window->queueController().isEditing(); }
    void type(const char* words) { fixture.find<QPlainTextEdit>("promptEdit")->setPlainText(words); }
    std::string prompt() { return fixture.window->request().request().prompt; }
    void update() { fixture.action("actionGenerate")->trigger(); }
    const Job& job() { return *std::ranges::find(fixture.bridge->jobs(), id, &Job::id); }

    WindowFixture fixture{testing::healthyRun(), testing::kFourSteps};
    JobId id = 0;
    std::string before;  ///< the prompt of the form before the job was loaded
};

}  // namespace

/// Queued jobs that are changed in the form.
class TestEditedJobs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEditedJobIsNamedAfterItsNewPrompt() {
        EditedJob edit;
        QVERIFY(edit.isShown());
        edit.type("A green cube");
        edit.update();
        QTRY_VERIFY(strip(edit.fixture).accessibleName().startsWith("Job updated."));
        QVERIFY(!edit.isShown());
        QCOMPARE(edit.prompt(), edit.before);
        QTRY_COMPARE(edit.job().request.prompt, std::string("A green cube"));
        const std::string file = edit.job().request.output.file.filename().string();
        QVERIFY2(file.find("a-green-cube") != std::string::npos, file.c_str());
    }

    void anEditedJobKeepsItsGuardAndItsThreads() {
        EditedJob edit;
        QVERIFY(edit.isShown());
        Job job = edit.job();
        job.request.guard = GuardMode::off;
        job.request.threads = 1;
        edit.fixture.window->queueController().edit(job);
        edit.type("A green cube");
        edit.update();
        QTRY_COMPARE(edit.job().request.prompt, std::string("A green cube"));
        QCOMPARE(edit.job().request.guard, GuardMode::off);
        QCOMPARE(edit.job().request.threads, std::optional(1));
    }

    /// The braces would become text.
    void anEditedJobHasOnePrompt() {
        EditedJob edit;
        QVERIFY(edit.isShown());
        auto* button = edit.fixture.find<QPushButton>("generateButton");
        auto* advice = edit.fixture.find<QLabel>("generateAdviceLabel");
        edit.type("A {red|blue} cube");
        QVERIFY(!button->isEnabled());
        QCOMPARE(advice->text(), QStringLiteral("A queued job has one prompt. Remove the alternatives in braces."));
        edit.update();
        QVERIFY(edit.isShown());
        QVERIFY(strip(edit.fixture).accessibleName().startsWith("Editing a queued job."));
        edit.type("A red cube");
        QVERIFY(button->isEnabled());
        edit.update();
        QTRY_COMPARE(edit.job().request.prompt, std::string("A red cube"));
        QTRY_VERIFY(!edit.isShown());
    }

    void theFormBeforeTwoEditedJobsComesBack_data() {
        QTest::addColumn<QString>("typed");
        QTest::newRow("the first job was only looked at") << QString();
        QTest::newRow("the first job was changed") << QStringLiteral("A white ball drops");
    }
    void theFormBeforeTwoEditedJobsComesBack() {
        QFETCH(QString, typed);
        EditedJob edited;
        const auto edit = [&](const Job& job) {
            Q_EMIT edited.fixture.window->libraryPage()->queuePanel()->editRequested(job);
        };
        Q_EMIT strip(edited.fixture).dismissed();
        QVERIFY(!edited.isShown());
        edited.type("A green cone");
        edit(edited.job());
        QVERIFY(edited.prompt() != "A green cone");
        if (!typed.isEmpty()) edited.type(qPrintable(typed));
        VideoRequest other = edited.job().request;
        other.prompt = "A blue cube";
        other.output.file = edited.fixture.folder.filePath("other.mp4").toStdString();
        edited.fixture.bridge->submit(other);
        QTRY_COMPARE(edited.fixture.bridge->jobs().size(), std::size_t{3});
        edit(edited.fixture.bridge->jobs().back());
        QCOMPARE(edited.prompt(), other.prompt);
        Q_EMIT strip(edited.fixture).actionTriggered();
        QVERIFY(!edited.isShown());
        QCOMPARE(edited.prompt(), typed.isEmpty() ? std::string("A green cone") : typed.toStdString());
        edited.fixture.release();
    }

    void aRefusedUpdateKeepsTheForm() {
        EditedJob edit;
        QVERIFY(edit.isShown());
        edit.type("A green cube");
        edit.fixture.engine->queue().cancel(edit.id);  // the window learns it later than the update
        edit.update();
        QTRY_VERIFY(strip(edit.fixture).accessibleName().startsWith("The job was not changed:"));
        QVERIFY(!edit.isShown());
        QCOMPARE(edit.prompt(), std::string("A green cube"));
    }

    void aStartedJobKeepsItsChangesInTheForm() {
        EditedJob edit;
        QVERIFY(edit.isShown());
        edit.type("A green cube");
        QSignalSpy lost(&edit.fixture.window->queueController(), &QueueController::editedJobLost);
        edit.fixture.release();
        QTRY_COMPARE(lost.count(), 1);
        QVERIFY(!edit.isShown());
        QCOMPARE(edit.prompt(), std::string("A green cube"));
    }

    void editingCanBeLeft_data() {
        QTest::addColumn<QByteArray>("way");
        for (const char* way : {"new request", "vary seed", "use settings", "close notice"})
            QTest::newRow(way) << QByteArray(way);
    }
    /// Otherwise, the next video would replace the edited job.
    void editingCanBeLeft() {
        QFETCH(QByteArray, way);
        EditedJob edit;
        QVERIFY(edit.isShown());
        const VideoRequest before = edit.job().request;
        if (way == "new request") edit.fixture.action("actionNewRequest")->trigger();
        if (way == "vary seed") edit.fixture.action("actionVarySeed")->trigger();
        if (way == "use settings") edit.fixture.window->queueController().restore(before);
        if (way == "close notice") Q_EMIT strip(edit.fixture).dismissed();
        QVERIFY(!edit.isShown());
        QVERIFY(!strip(edit.fixture).accessibleName().startsWith("Editing"));
        QVERIFY(edit.job().request == before);
    }
};

QTEST_MAIN(TestEditedJobs)
#include "test_edited_jobs.moc"
