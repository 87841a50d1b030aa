#include <QTest>

#include "app/cli/progress.h"

using namespace kinescope;
using namespace kinescope::cli;

class TestProgress : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void line_data() {
        QTest::addColumn<ProgressState>("state");
        QTest::addColumn<int>("columns");
        QTest::addColumn<QString>("line");
        QTest::newRow("unknown length") << ProgressState{Phase::load, 0, 0, 0, 0, 0} << 79 << "load    ";
        QTest::newRow("half way") << ProgressState{Phase::denoise, 10, 20, 30, 3, 4.25} << 100
                                  << "denoise [##############..............] 10/20  3.00 s/step  ETA 0:30  max|x| 4.25";
        QTest::newRow("hours") << ProgressState{Phase::decode, 1, 4, 1300, 0, 0} << 79
                               << "decode  [#######.....................] 1/4  ETA 1:05:00";
        QTest::newRow("done") << ProgressState{Phase::decode, 4, 4, 9, 0, 0} << 79
                              << "decode  [############################] 4/4";
        QTest::newRow("narrow") << ProgressState{Phase::denoise, 10, 20, 30, 3, 4} << 12 << "denoise [###";
        QTest::newRow("more than the total")
            << ProgressState{Phase::decode, 9, 4, 0, 0, 0} << 79 << "decode  [############################] 9/4";
    }

    void line() {
        QFETCH(ProgressState, state);
        QFETCH(int, columns);
        QFETCH(QString, line);
        QCOMPARE(QString::fromStdString(progress_line(state, columns)), line);
    }

    void a_new_phase_starts_at_zero() {
        ProgressState state{Phase::denoise, 10, 20, 30, 3, 4};
        QVERIFY(update(state, PhaseStarted{Phase::decode, 7}));
        QCOMPARE(progress_line(state, 79), std::string("decode  [............................] 0/7"));
    }

    void steps_advance_the_bar() {
        ProgressState state;
        StepCompleted step;
        step.step = 1;
        step.num_steps = 4;
        step.seconds = 2;
        step.latents.max_abs = 3;
        QVERIFY(update(state, step));
        QVERIFY(update(state, PhaseProgress{Phase::denoise, 2, 4, 4}));
        QCOMPARE(progress_line(state, 79),
                 std::string("denoise [##############..............] 2/4  2.00 s/step  ETA 0:04  max|x| 3"));
        QVERIFY(!update(state, LogLine{LogLineLevel::info, "hello"}));
    }

    /// Sound and metadata may take long after the last frame.
    void the_completion_of_a_finished_file_is_said() {
        ProgressState state;
        FinishProgress made{.done = 4, .total = 4, .seconds = 2};
        QVERIFY(update(state, made));
        QCOMPARE(progress_line(state, 79), std::string("finish  [############################] 4/4"));
        QVERIFY(!update(state, made));
        made.stage = FinishStage::file;
        QVERIFY(update(state, made));
        QCOMPARE(progress_line(state, 79),
                 std::string("finish  [############################] 4/4  Completing the file"));
        QVERIFY(!update(state, made));
    }
};

QTEST_GUILESS_MAIN(TestProgress)
#include "test_progress.moc"
