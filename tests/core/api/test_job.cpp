#include <QTest>

#include "core/api/damaged_job.h"
#include "core/api/job.h"

using namespace kinescope;

class TestJob : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void states_have_a_table() {
        struct Row {
            JobState state;
            bool is_over;
            bool can_resume;
            bool can_queue_again;
        };
        constexpr Row kTable[] = {{JobState::waiting, false, false, true},  {JobState::running, false, false, false},
                                  {JobState::paused, false, true, true},    {JobState::interrupted, false, true, true},
                                  {JobState::finished, true, false, false}, {JobState::failed, true, false, true},
                                  {JobState::cancelled, true, false, false}};
        for (const Row& row : kTable) {
            const std::string name(to_string(row.state));
            QVERIFY2(is_over(row.state) == row.is_over, name.c_str());
            QVERIFY2(can_resume(row.state) == row.can_resume, name.c_str());
            QVERIFY2(can_queue_again(row.state) == row.can_queue_again, name.c_str());
            QVERIFY(job_state_from(name) == row.state);
        }
    }

    void an_argument_of_an_error_is_found_by_its_name() {
        const Error error(ErrorCode::disk_full, "full", {}, {{"path", "/a"}, {"cause", ""}});
        QCOMPARE(error.argument("path"), std::string("/a"));
        QCOMPARE(error.argument("cause"), std::string());
        QCOMPARE(error.argument("none"), std::string());
    }

    void a_damaged_job_is_known_by_its_cause() {
        Job job;
        job.state = JobState::failed;
        QVERIFY(!is_damaged(job));
        job.error = Error(ErrorCode::bad_config, "damaged", {}, {{"cause", kDamagedJobCause}});
        QVERIFY(is_damaged(job));
        job.state = JobState::waiting;
        QVERIFY(!is_damaged(job));
    }
};

QTEST_GUILESS_MAIN(TestJob)
#include "test_job.moc"
