#include <QTest>

#include "core/api/run_event.h"

using namespace kinescope;

class TestRunEvent : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void statuses_are_read_by_their_names_data() {
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("name");
        const auto row = [](RunStatus status, const char* name) {
            QTest::newRow(name) << static_cast<int>(status) << name;
        };
        row(RunStatus::completed, "completed");
        row(RunStatus::healed, "healed");
        row(RunStatus::stopped, "stopped");
        row(RunStatus::cancelled, "cancelled");
        row(RunStatus::failed, "failed");
    }
    void statuses_are_read_by_their_names() {
        QFETCH(int, status);
        QFETCH(QString, name);
        const auto of = static_cast<RunStatus>(status);
        QCOMPARE(to_string(of), name.toStdString());
        QCOMPARE(run_status_from(name.toStdString()), std::optional(of));
    }

    void other_words_are_no_status() {
        QVERIFY(!run_status_from(""));
        QVERIFY(!run_status_from("mended"));
    }

    void levels_of_lines_have_the_words_of_the_log() {
        QCOMPARE(to_string(LogLineLevel::info), std::string("info"));
        QCOMPARE(to_string(LogLineLevel::note), std::string("note"));
        QCOMPARE(to_string(LogLineLevel::warning), std::string("warning"));
        QCOMPARE(to_string(LogLineLevel::error), std::string("error"));
        QCOMPARE(to_string(LogTopic::other), std::string("other"));
        QCOMPARE(to_string(LogTopic::unsaved_steps), std::string("unsaved_steps"));
    }
};

QTEST_GUILESS_MAIN(TestRunEvent)
#include "test_run_event.moc"
