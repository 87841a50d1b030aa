#include <QTest>

#include "core/cluster/shell_text.h"
#include "core/cluster/task_state.h"

using namespace kinescope;
using namespace kinescope::cluster;

namespace {

const AskedFor kAsked{.program = "/opt/kinescope-cli", .memory = "4.0 GiB", .time_limit = "1:00:00"};

AttemptStatus status(AttemptState state, int step = 0, StopCause cause = StopCause::none) {
    return {.sequence = 1, .state = state, .cause = cause, .node = "n1", .phase = "denoise", .step = step};
}

AttemptStatus failure(ErrorCode code) {
    AttemptStatus made = status(AttemptState::failed);
    made.error = Error(code, "it broke", "mend it");
    return made;
}

TaskFacts slurm_says(const char* state, const char* reason = "") {
    return {.polls_without_process = kPollsUntilLost,
            .answer = QueueAnswer::known,
            .slurm = {.state = state, .reason = reason, .nodes = "n2"}};
}

TaskFacts with(TaskFacts facts, const AttemptStatus& said) {
    facts.status = said;
    return facts;
}

TaskFacts after_losses(TaskFacts facts, int losses) {
    facts.num_losses = losses;
    return facts;
}

TaskFacts exit_with(int code) {
    TaskFacts facts = slurm_says("FAILED", "NonZeroExitCode");
    facts.slurm.exit_code = code;
    return facts;
}

struct Row {
    const char* name;
    TaskFacts facts;
    TaskState state;
    const char* words;  ///< part of the error's message or of the remark
};

const TaskFacts kGone{.polls_without_process = kPollsUntilLost, .answer = QueueAnswer::absent};

const Row kRows[] = {
    {"result", {.has_result = true, .is_cancelled = true}, TaskState::finished, ""},
    {"imported", {.has_result = true, .is_imported = true}, TaskState::imported, ""},
    {"damaged", {.has_damaged_result = true, .answer = QueueAnswer::absent}, TaskState::failed, "storage damaged"},
    {"damaged, and made again",
     [] {
         TaskFacts facts = slurm_says("PENDING", "Resources");
         facts.has_damaged_result = true;
         return facts;
     }(),
     TaskState::waiting, "Resources"},
    {"new", {}, TaskState::waiting, ""},
    {"waits for a node", slurm_says("PENDING", "Resources"), TaskState::waiting, "Resources"},
    {"requeued, or --begin", slurm_says("PENDING", "BeginTime"), TaskState::waiting,
     "two minutes after a requeue, or at the time of --begin"},
    {"requeued and held", slurm_says("REQUEUE_HOLD", "BeginTime"), TaskState::waiting, "scontrol release"},
    {"held by its exit code", slurm_says("SPECIAL_EXIT"), TaskState::waiting, "scontrol release"},
    {"quota", slurm_says("PENDING", "AssocGrpCpuLimit"), TaskState::waiting, "a quota of the cluster"},
    {"requeued after it stopped", with(slurm_says("PENDING", "BeginTime"), status(AttemptState::stopped, 3)),
     TaskState::waiting, "requeue"},
    {"runs", slurm_says("RUNNING"), TaskState::running, ""},
    {"ends", with(slurm_says("COMPLETING"), failure(ErrorCode::out_of_memory)), TaskState::running, ""},
    {"squeue silent, never started", {.polls_without_process = 99}, TaskState::waiting, ""},
    {"squeue silent, was running", with({}, status(AttemptState::running)), TaskState::running, ""},
    {"squeue silent, was stopped", with({}, status(AttemptState::stopped, 2, StopCause::signal)), TaskState::running,
     ""},
    {"squeue silent, noticed the user's cancel", with({}, status(AttemptState::stopped, 2, StopCause::cancelled)),
     TaskState::cancelled, ""},
    {"squeue silent, has failed", with({}, failure(ErrorCode::bad_config)), TaskState::failed, "it broke"},
    {"failed", with(slurm_says("FAILED"), failure(ErrorCode::not_finite)), TaskState::failed, "it broke"},
    {"failed, and Slurm forgot", with(kGone, failure(ErrorCode::not_finite)), TaskState::failed, "it broke"},
    {"the node's GPU failed", with(slurm_says("FAILED"), failure(ErrorCode::device_lost)), TaskState::lost, "it broke"},
    {"cancelled by the user", {.is_cancelled = true, .answer = QueueAnswer::absent}, TaskState::cancelled, ""},
    {"cancelled while it waits",
     [] {
         TaskFacts facts = slurm_says("PENDING");
         facts.is_cancelled = true;
         return facts;
     }(),
     TaskState::cancelled, ""},
    {"still ends after the user's cancel",
     [] {
         TaskFacts facts = slurm_says("RUNNING");
         facts.is_cancelled = true;
         return facts;
     }(),
     TaskState::running, "cancelling"},
    {"noticed the user's cancel", with(slurm_says("FAILED"), status(AttemptState::stopped, 2, StopCause::cancelled)),
     TaskState::cancelled, ""},
    {"scancel outside", with(slurm_says("CANCELLED"), status(AttemptState::stopped, 2, StopCause::signal)),
     TaskState::stopped, "stopped on n1 after step 2"},
    {"scancel outside, killed at once", with(slurm_says("CANCELLED"), status(AttemptState::running)),
     TaskState::stopped, "cancelled before its first step"},
    {"preempted", with(slurm_says("PREEMPTED"), status(AttemptState::stopped, 2, StopCause::signal)), TaskState::lost,
     "PREEMPTED"},
    {"time limit, with progress", with(slurm_says("TIMEOUT"), status(AttemptState::stopped, 2, StopCause::time_limit)),
     TaskState::lost, "time limit reached after step 2"},
    {"time limit, forgotten", with(kGone, status(AttemptState::stopped, 2, StopCause::time_limit)), TaskState::lost,
     "time limit"},
    {"time limit, no progress", with(slurm_says("TIMEOUT"), status(AttemptState::stopped, 0, StopCause::time_limit)),
     TaskState::failed, "the time limit (1:00:00)"},
    {"time limit, killed", slurm_says("TIMEOUT"), TaskState::failed, "the time limit (1:00:00)"},
    {"memory", with(slurm_says("OUT_OF_MEMORY"), status(AttemptState::running, 2)), TaskState::failed,
     "on n1: it used more than the 4.0 GiB"},
    {"node lost", with(slurm_says("NODE_FAIL"), status(AttemptState::running, 2)), TaskState::lost, "NODE_FAIL"},
    {"launch failed", slurm_says("FAILED", "JobLaunchFailure"), TaskState::lost, "JobLaunchFailure"},
    {"launch failed, held", slurm_says("PENDING", "launch_failed_requeued_held"), TaskState::lost,
     "could not start the task"},
    {"crashed", with(exit_with(139), status(AttemptState::running, 1)), TaskState::lost, "FAILED"},
    {"folder not visible", exit_with(kFolderNotVisible), TaskState::failed, "not visible on n2"},
    {"log not writable", exit_with(kLogNotWritable), TaskState::failed, "not writable on n2"},
    {"storage full", exit_with(kStorageFull), TaskState::failed, "storage is full; the task on n2"},
    {"program missing", exit_with(kProgramMissing), TaskState::failed,
     "there is no program '/opt/kinescope-cli' on n2"},
    {"another program", slurm_says("COMPLETED"), TaskState::failed,
     "'/opt/kinescope-cli' ended on n2 without a report"},
    {"killed before it could report in this start",
     [] {
         TaskFacts facts = slurm_says("FAILED", "RaisedSignal:9");
         facts.steps_before = 7;
         return facts;
     }(),
     TaskState::lost, "after step 7"},
    {"vanished", kGone, TaskState::lost, "vanished"},
    {"perhaps vanished",
     {.polls_without_process = kPollsUntilLost - 1, .answer = QueueAnswer::absent},
     TaskState::waiting,
     ""},
    {"its result may appear",
     [] {
         TaskFacts facts = with(slurm_says("COMPLETED"), status(AttemptState::finished, 8));
         facts.polls_without_process = 1;
         return facts;
     }(),
     TaskState::running, ""},
    {"its result never appears", with(slurm_says("COMPLETED"), status(AttemptState::finished, 8)), TaskState::lost,
     "COMPLETED"},
    {"lost often", after_losses(kGone, kMostLosses - 1), TaskState::lost, "vanished"},
    {"lost too often", after_losses(kGone, kMostLosses), TaskState::failed, "was started 4 times"},
    {"lost often, with a new step", after_losses(with(kGone, status(AttemptState::running, 5)), kMostLosses),
     TaskState::lost, "after step 5"},
};

}  // namespace

class TestTaskState : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void what_happened_to_a_task() {
        for (const Row& row : kRows) {
            const TaskVerdict verdict = judge(row.facts, kAsked);
            const std::string said = verdict.error ? verdict.error->message() : verdict.remark;
            QVERIFY2(verdict.state == row.state,
                     (std::string(row.name) + ": " + std::string(to_string(verdict.state)) + ", " + said).c_str());
            QVERIFY2(said.find(row.words) != std::string::npos, (std::string(row.name) + ": " + said).c_str());
        }
    }

    /// A task that Slurm may still run must never be submitted a second time.
    void a_task_with_a_place_in_slurm_is_never_lost() {
        for (const char* state : {"PENDING", "RUNNING", "COMPLETING", "SUSPENDED", "CONFIGURING", "REQUEUED"})
            for (const AttemptState said : {AttemptState::starting, AttemptState::running, AttemptState::failed,
                                            AttemptState::stopped, AttemptState::finished, AttemptState::superseded})
                QVERIFY(judge(with(slurm_says(state), status(said)), kAsked).state != TaskState::lost);
    }

    void what_is_over() {
        for (const auto state : {TaskState::imported, TaskState::failed, TaskState::stopped, TaskState::cancelled})
            QVERIFY(is_over(state));
        for (const auto state : {TaskState::waiting, TaskState::running, TaskState::finished, TaskState::lost})
            QVERIFY(!is_over(state));
    }

    void the_time_that_is_left() {
        using P = std::vector<TaskPace>;
        const TaskPace waiting{TaskState::waiting, 0};
        const TaskPace done{TaskState::imported, 0};
        QCOMPARE(estimate_seconds_left(P{}, 10), 0.0);
        QCOMPARE(estimate_seconds_left(P{done, done}, 10), 0.0);
        QCOMPARE(estimate_seconds_left(P{waiting, waiting}, 10), 0.0);  // nothing runs: the queue decides
        QCOMPARE(estimate_seconds_left(P{{TaskState::running, 4}, waiting}, 10), 14.0);
        QCOMPARE(estimate_seconds_left(P{{TaskState::running, 4}, {TaskState::running, 6}, waiting}, 10), 10.0);
        QCOMPARE(estimate_seconds_left(P{{TaskState::running, 0}}, 10), 5.0);
        QCOMPARE(estimate_seconds_left(P{{TaskState::running, 4}, waiting}, 0), 0.0);
        QCOMPARE(estimate_seconds_left(P{{TaskState::running, 4}}, 0), 4.0);
    }
};

QTEST_GUILESS_MAIN(TestTaskState)
#include "test_task_state.moc"
