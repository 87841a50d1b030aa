#include <QTest>

#include "core/api/slurm_reason.h"

using namespace kinescope;

class TestSlurmReason : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void names_are_classified() {
        const std::pair<const char*, SlurmReason> table[] = {
            {"", SlurmReason::none},
            {"Resources", SlurmReason::resources},
            {"Priority", SlurmReason::priority},
            {"BeginTime", SlurmReason::begin_time},
            {"ReqNodeNotAvail, UnavailableNodes:n1", SlurmReason::nodes_not_available},
            {"PartitionTimeLimit", SlurmReason::time_limit},
            {"JobHeldUser", SlurmReason::held},
            {"JobHeldAdmin", SlurmReason::held},
            {"JobHoldMaxRequeue", SlurmReason::held},
            {"job_requeued_in_held_state", SlurmReason::held},
            {"AssocGrpGRES", SlurmReason::quota},
            {"QOSMaxJobsPerUserLimit", SlurmReason::quota},
            {kStorageFullReason.data(), SlurmReason::storage_full},
            {"Dependency", SlurmReason::other}};
        for (const auto& [name, reason] : table) QVERIFY2(slurm_reason(name) == reason, name);
    }
};

QTEST_GUILESS_MAIN(TestSlurmReason)
#include "test_slurm_reason.moc"
