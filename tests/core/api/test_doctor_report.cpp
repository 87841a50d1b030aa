#include <QTest>

#include "core/api/doctor_report.h"

using namespace kinescope;

class TestDoctorReport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// `doctor --json` writes these words.
    void outcomes_have_words_data() {
        QTest::addColumn<int>("outcome");
        QTest::addColumn<QString>("words");
        const auto row = [](ProbeOutcome outcome, const char* words) {
            QTest::newRow(words) << static_cast<int>(outcome) << words;
        };
        row(ProbeOutcome::not_run, "not run");
        row(ProbeOutcome::passed, "passed");
        row(ProbeOutcome::wrong, "wrong");
        row(ProbeOutcome::refused, "refused");
        row(ProbeOutcome::killed, "killed");
        row(ProbeOutcome::hung, "hung");
        row(ProbeOutcome::slower, "slower");
    }
    void outcomes_have_words() {
        QFETCH(int, outcome);
        QTEST(QString::fromStdString(to_string(static_cast<ProbeOutcome>(outcome))), "words");
    }
};

QTEST_GUILESS_MAIN(TestDoctorReport)
#include "test_doctor_report.moc"
