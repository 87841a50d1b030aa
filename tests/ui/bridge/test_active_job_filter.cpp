#include <QtTest>

#include "ui/bridge/active_job_filter.h"

using namespace kinescope;
using namespace kinescope::ui;

class TestActiveJobFilter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eventsOfTheActiveJobAreShown() {
        ActiveJobFilter stage;
        stage.expect(1);
        QVERIFY(stage.admits(1, RunStarted{}));
        QVERIFY(!stage.admits(2, RunCancelled{}));  // job 2 is waiting, so the active run continues
        QCOMPARE(stage.job(), JobId{1});
        QVERIFY(stage.admits(1, RunPaused{}));
        QVERIFY(!stage.admits(2, RunCancelled{}));
        QVERIFY(stage.admits(3, RunStarted{}));
        QCOMPARE(stage.job(), JobId{3});
        QVERIFY(stage.admits(3, RunFinished{}));
        QVERIFY(stage.admits(4, RunFailed{Error(ErrorCode::internal, "x")}));  // failed before the start
        QCOMPARE(stage.job(), JobId{4});
    }
};

QTEST_GUILESS_MAIN(TestActiveJobFilter)
#include "test_active_job_filter.moc"
