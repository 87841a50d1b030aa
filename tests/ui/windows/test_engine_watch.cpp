#include <QPushButton>
#include <QtTest>

#include "tests/support/chinese.h"
#include "tests/support/window_fixture.h"
#include "ui/panels/log_panel.h"
#include "ui/text/engine_words.h"
#include "ui/widgets/language.h"
#include "ui/widgets/notice_strip.h"
#include "ui/windows/notice_board.h"

using namespace kinescope;
using namespace kinescope::ui;
using kinescope::testing::isChinese;
using kinescope::testing::kFourSteps;
using kinescope::testing::WindowFixture;

namespace {

EngineEnded endBy(const char* signal, AfterEngineEnd after) {
    return {.cause = {"signal", {{"signal", signal}}, "the engine was ended by a signal"},
            .last_lines = {"terminate called without an active exception", "job 1 finished step 4 of 12"},
            .job = after};
}

/// Runs four steps. Then the engine ends.
testing::Script mortalRun(AfterEngineEnd after) {
    return [after](const VideoRequest& request) {
        std::vector<RunEvent> events = testing::healthyRun()(request);
        events.resize(kFourSteps, RunPaused{});
        events.emplace_back(endBy("SIGSEGV", after));
        if (after == AfterEngineEnd::set_aside)
            events.emplace_back(RunFailed{Error(ErrorCode::engine_lost, "the engine was ended by SIGSEGV")});
        else
            events.emplace_back(RunPaused{});
        return events;
    };
}

}  // namespace

/// What the window shows when the engine's process has ended.
class TestEngineWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { chooseLanguage(QStringLiteral("en")); }

    void aJobThatWasSetAsideCanBeContinued() {
        WindowFixture fixture(mortalRun(AfterEngineEnd::set_aside));
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        auto* strip = fixture.find<NoticeStrip>("noticeStrip");
        QTRY_VERIFY(!strip->isHidden() && strip->text().contains(QLatin1String("SIGSEGV")));
        QVERIFY2(strip->text().contains(QLatin1String("set aside")), qPrintable(strip->text()));
        QCOMPARE(strip->severity(), Severity::error);
        QTRY_COMPARE(fixture.window->run().state(), RunState::failed);
        const auto* log = fixture.window->findChild<LogPanel*>();
        QVERIFY(log->allText().contains(QLatin1String("terminate called")));
        auto* button = strip->findChild<QPushButton*>();
        QCOMPARE(button->text(), QStringLiteral("Continue"));
        button->click();
        QTRY_VERIFY(strip->isHidden() || !strip->text().contains(QLatin1String("SIGSEGV")));
    }

    void aJobThatGoesOnNeedsNoAnswer() {
        WindowFixture fixture(mortalRun(AfterEngineEnd::goes_on));
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        auto* strip = fixture.find<NoticeStrip>("noticeStrip");
        QTRY_VERIFY(!strip->isHidden() && strip->text().contains(QLatin1String("continues the job")));
        QCOMPARE(strip->severity(), Severity::warning);
        QVERIFY(strip->findChild<QPushButton*>()->isHidden());
    }

    /// A warning must not take away the button that an error offers.
    void allWarningsAreShownAfterAnError() {
        WindowFixture fixture(testing::healthyRun(), kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::denoising));
        auto* strip = fixture.find<NoticeStrip>("noticeStrip");
        auto* board = fixture.window->findChild<NoticeBoard*>(QString(), Qt::FindDirectChildrenOnly);
        board->show({NoticeTopic::queue, Severity::error, "A queued job failed:", "no", "Try again", {}, {}});
        constexpr JobId kOther = 77;
        const auto line = [](const char* text) { return JobEvent{kOther, LogLine{LogLineLevel::warning, text}}; };
        Q_EMIT fixture.bridge->runEventsArrived({line("the disk is full"), line("a file has changed")});
        QVERIFY(strip->text().startsWith(QLatin1String("A queued job failed:")));
        Q_EMIT strip->dismissed();
        QVERIFY2(strip->text().endsWith(QLatin1String("The disk is full. A file has changed.")),
                 qPrintable(strip->text()));
        const auto* log = fixture.window->findChild<LogPanel*>();
        QTRY_VERIFY(log->allText().contains(QLatin1String("the disk is full")));
        QVERIFY(log->allText().contains(QLatin1String("a file has changed")));
        fixture.release();
    }

    /// The log already has the lines of the job that the window shows.
    void aWarningIsLoggedOnce() {
        WindowFixture fixture(
            [](const VideoRequest& request) {
                std::vector<RunEvent> events = testing::healthyRun()(request);
                events.insert(events.begin() + 1, LogLine{LogLineLevel::warning, "the disk is full"});
                return events;
            },
            kFourSteps);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::denoising));
        const auto* log = fixture.window->findChild<LogPanel*>();
        QTRY_COMPARE(log->allText().count(QLatin1String("the disk is full")), 1);
        QCoreApplication::processEvents();
        QCOMPARE(log->allText().count(QLatin1String("the disk is full")), 1);
        fixture.release();
    }

    void anEngineOfAnotherComputerIsNamed() {
        EngineEnded end{
            .cause = {"ended_there", {{"computer", "studio"}}, "the engine on 'studio' ended unexpectedly"}};
        QVERIFY(engineLead(end).contains(QLatin1String("studio")));
        QCOMPARE(engineCause(end), QString());
        end.last_lines = {"warning: disk", "the engine was ended by SIGKILL"};
        QVERIFY(engineCause(end).contains(QLatin1String("the engine was ended by SIGKILL")));
        chooseLanguage(QStringLiteral("zh_CN"));
        QVERIFY(isChinese(engineLead(end)) && isChinese(engineCause(end)));
    }

    /// Only the reason of the end is an error, not the engine's last messages.
    void theProgressBeforeTheEndIsNoError() {
        WindowFixture fixture(mortalRun(AfterEngineEnd::goes_on));
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        const auto* log = fixture.window->findChild<LogPanel*>();
        QTRY_VERIFY(log->allText().contains(QLatin1String("ended by a signal")));
        QVERIFY(log->allText().contains(QLatin1String("finished step")));
        for (const QString& line : log->allText().split(QLatin1Char('\n'))) {
            if (line.contains(QLatin1String("finished step"))) QVERIFY2(!line.contains("error"), qPrintable(line));
            if (line.contains(QLatin1String("ended by a signal"))) QVERIFY2(line.contains("error"), qPrintable(line));
        }
    }

    void everyEndIsDescribedInBothLanguages_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        for (const char* signal : {"SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT", "SIGKILL", "signal 64"})
            QTest::newRow(signal) << "signal"
                                  << "signal" << signal;
        QTest::newRow("silent") << "silent"
                                << "seconds"
                                << "20";
        QTest::newRow("exit code") << "exit_code"
                                   << "exit_code"
                                   << "3";
        QTest::newRow("message") << "invalid_message"
                                 << "fault"
                                 << "";
        QTest::newRow("device") << "device_lost"
                                << "error"
                                << "";
    }

    void everyEndIsDescribedInBothLanguages() {
        QFETCH(QString, code);
        QFETCH(QString, name);
        QFETCH(QString, value);
        EngineEnded end{.cause = {code.toStdString(), {{name.toStdString(), value.toStdString()}}, "in English"}};
        QVERIFY2(engineCause(end).contains(value), qPrintable(engineCause(end)));
        chooseLanguage(QStringLiteral("zh_CN"));
        QVERIFY2(isChinese(engineCause(end)), qPrintable(engineCause(end)));
        for (const AfterEngineEnd after :
             {AfterEngineEnd::no_job, AfterEngineEnd::goes_on, AfterEngineEnd::set_aside, AfterEngineEnd::lost}) {
            end.job = after;
            QVERIFY2(isChinese(engineOutcome(end)), qPrintable(engineOutcome(end)));
        }
        end.restart_failure.text = "no such file";
        QVERIFY2(isChinese(engineOutcome(end)), qPrintable(engineOutcome(end)));
        QVERIFY(!engineOutcome(end).contains(QLatin1String("no such file")));
        QCOMPARE(engineMessages(end), (QStringList{"in English", "no such file"}));
    }

    void aWindowWithoutItsEngineSaysWhatToDo_data() {
        using Values = QMap<QString, QString>;
        QTest::addColumn<Values>("values");
        QTest::addColumn<QString>("words");
        QTest::newRow("missing") << Values{{"path", "/opt/kinescope-cli"}, {"reason", "missing"}}
                                 << "/opt/kinescope-cli is missing";
        QTest::newRow("another version") << Values{{"engine", "0.1.0"}, {"program", "0.2.0"}}
                                         << "is version 0.1.0, but the window is version 0.2.0";
        QTest::newRow("another build") << Values{{"engine", "0.2.0"}, {"program", "0.2.0"}}
                                       << "another build of version 0.2.0";
        QTest::newRow("other") << Values{{"path", "/opt/kinescope-cli"}} << "cannot generate videos";
    }
    void aWindowWithoutItsEngineSaysWhatToDo() {
        using Values = QMap<QString, QString>;
        QFETCH(Values, values);
        QFETCH(QString, words);
        std::map<std::string, std::string> arguments;
        for (const QString& name : values.keys()) arguments[name.toStdString()] = values[name].toStdString();
        const Error error(ErrorCode::engine_lost, "in English", "", arguments);
        QVERIFY2(engineStartFailure(error).contains(words), qPrintable(engineStartFailure(error)));
        QVERIFY2(engineStartFailure(error).contains("restart"), qPrintable(engineStartFailure(error)));
        chooseLanguage(QStringLiteral("zh_CN"));
        QVERIFY2(isChinese(engineStartFailure(error)), qPrintable(engineStartFailure(error)));
    }
};

QTEST_MAIN(TestEngineWatch)
#include "test_engine_watch.moc"
