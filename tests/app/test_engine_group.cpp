#include <QTest>

#include "core/remote/engine_group.h"
#include "tests/app/stub_engine.h"
#include "tests/core/jobs/event_recorder.h"

using namespace kinescope;
using namespace kinescope::testing;
using namespace kinescope::remote;

namespace {

/// A script whose engine finishes each job at once and has one saved job.
StubScript script_of(const char* model, const char* prompt) {
    StubScript script;
    script.card = small_card();
    script.card.name = model;
    script.run = [](const VideoRequest& request) {
        return std::vector<RunEvent>{RunStarted{.request = request}, RunFinished{}};
    };
    VideoRequest request;
    request.prompt = prompt;
    script.jobs = {Job{.id = 1, .request = request}};
    return script;
}

MemberFactory member(StubScript& script) {
    return [&script](RunObserver& observer) { return std::make_unique<StubEngine>(script, observer); };
}

class LastQueue final : public RunObserver {
public:
    void on_event(JobId job, const RunEvent& event) override {
        if (const auto* queue = std::get_if<QueueChanged>(&event)) jobs = queue->jobs;
        if (std::holds_alternative<RunFinished>(event)) finished.push_back(job);
    }
    QStringList prompts() const {
        QStringList prompts;
        for (const Job& job : jobs) prompts << QString::fromStdString(job.request.prompt);
        return prompts;
    }
    std::vector<Job> jobs;
    std::vector<JobId> finished;
};

/// An engine whose queue changes while it answers.
class ChangingEngine final : public StubEngine {
public:
    ChangingEngine(StubScript& script, RunObserver& observer) : StubEngine(script, observer), observer_(observer) {}

    std::vector<Job> list() override {
        std::vector<Job> before = StubEngine::list();
        std::vector<Job> now = before;
        now.at(0).request.prompt = "changed";
        observer_.on_event(0, QueueChanged{now});
        return before;
    }

private:
    RunObserver& observer_;
};

struct TwoMembers {
    TwoMembers() { group.add("studio", member(there)); }

    StubScript here = script_of("Here", "a");
    StubScript there = script_of("There", "b");
    LastQueue observer;
    EngineGroup group{member(here), observer};
};

}  // namespace

class TestEngineGroup : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ids_of_members_differ() {
        QCOMPARE(id_in_group(0, 7), JobId{7});
        QCOMPARE(id_in_group(3, 0), JobId{0});
        QVERIFY(id_in_group(1, 7) != id_in_group(2, 7));
        QCOMPARE(split_id(id_in_group(5, 123)), (std::pair<std::int64_t, JobId>{5, 123}));
    }

    void requests_go_to_the_named_member() {
        TwoMembers members;
        auto& [here, there, observer, group] = members;
        const JobId first = group.jobs().submit({});
        const JobId second = group.submit("studio", {});
        QCOMPARE(here.submitted.size(), std::size_t{1});
        QCOMPARE(there.submitted.size(), std::size_t{1});
        QCOMPARE(observer.finished, (std::vector<JobId>{first, second}));
        QCOMPARE(group.name_of(first), std::string());
        QCOMPARE(group.name_of(second), std::string("studio"));
        QVERIFY_THROWS_EXCEPTION(Error, group.submit("nobody", {}));
        group.jobs().remove(second);
        QCOMPARE(there.removed, (std::vector<JobId>{split_id(second).second}));
        QVERIFY(here.removed.empty());
        group.jobs().remove(id_in_group(9, 1));
    }

    void queues_are_merged() {
        TwoMembers members;
        auto& [here, there, observer, group] = members;
        const std::vector<Job> jobs = group.jobs().list();
        QCOMPARE(jobs.size(), std::size_t{2});
        QVERIFY(jobs[0].id != jobs[1].id);
        QCOMPARE(group.name_of(jobs[1].id), std::string("studio"));
        QCOMPARE(observer.prompts(), QStringList{"b"});  // the first member has not reported its queue
        group.remove("studio");
        QVERIFY(observer.prompts().isEmpty());
        QCOMPARE(group.jobs().list().size(), std::size_t{1});
        QCOMPARE(group.name_of(jobs[1].id), std::string());
        group.add("studio", member(there));
        QVERIFY(group.jobs().list()[1].id != jobs[1].id);  // ids are not used again
    }

    void a_queue_that_a_new_member_sends_is_newer_than_its_answer() {
        TwoMembers members;
        members.group.add(
            "lab", [&](RunObserver& observer) { return std::make_unique<ChangingEngine>(members.there, observer); });
        QCOMPARE(members.observer.prompts(), (QStringList{"b", "changed"}));
    }

    void the_chosen_member_answers_questions() {
        TwoMembers members;
        auto& [here, there, observer, group] = members;
        const auto model = [&] { return group.catalog().models().at(0).name; };
        QCOMPARE(model(), std::string("Here"));
        group.choose("studio");
        QCOMPARE(model(), std::string("There"));
        QCOMPARE(group.name_of(group.jobs().submit({})), std::string("studio"));
        QCOMPARE(group.chosen(), std::string("studio"));
        group.remove("studio");
        QCOMPARE(model(), std::string("Here"));
        group.choose("nobody");
        QCOMPARE(group.chosen(), std::string());
        QCOMPARE(group.names(), std::vector<std::string>{""});
    }

    /// A request that is meant for it must not go to another member.
    void a_member_that_is_made_again_stays_chosen() {
        TwoMembers members;
        auto& [here, there, observer, group] = members;
        group.choose("studio");
        group.remove("studio");
        QVERIFY_EXCEPTION_THROWN(group.jobs().submit({}), Error);
        group.add("studio", member(there));
        QCOMPARE(group.name_of(group.jobs().submit({})), std::string("studio"));
    }

    void a_member_that_cannot_be_made_is_left_out() {
        StubScript here = script_of("Here", "a");
        LastQueue observer;
        EngineGroup group(member(here), observer);
        QVERIFY_THROWS_EXCEPTION(Error, group.add("broken", [](RunObserver&) -> std::unique_ptr<Engine> {
            throw Error(ErrorCode::bad_config, "damaged");
        }));
        QCOMPARE(group.jobs().list().size(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(TestEngineGroup)
#include "test_engine_group.moc"
