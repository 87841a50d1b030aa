#include <QTest>

#include "core/remote/job_choice.h"
#include "core/remote/shared_queue.h"
#include "tests/support/job_in.h"

using namespace kinescope;
using namespace kinescope::remote;
using kinescope::testing::job_in;

namespace {

/// "auto:1,cuda:1:2@1": jobs 1 and 2, the second one with finished steps of seat 1.
std::vector<StartableJob> jobs_from(const QString& text) {
    std::vector<StartableJob> jobs;
    for (const QString& word : text.split(',', Qt::SkipEmptyParts)) {
        StartableJob job;
        const QStringList home = word.split('@');
        if (home.size() == 2) job.home = home[1].toULong();
        job.device = home[0].section(':', 0, -2).toStdString();
        job.id = home[0].section(':', -1).toInt();
        jobs.push_back(job);
    }
    return jobs;
}

/// Two cards and the CPU. "busy", "broken" or "free" for each.
std::vector<EngineSeat> seats_from(const QStringList& states) {
    std::vector<EngineSeat> seats = seats_of({{.id = "cuda:0", .memory_total_bytes = 8},
                                              {.id = "cuda:1", .memory_total_bytes = 24},
                                              {.id = "cpu", .memory_total_bytes = 64}});
    for (int i = 0; i < states.size(); ++i) {
        seats[static_cast<std::size_t>(i)].is_free = states[i] != "busy";
        seats[static_cast<std::size_t>(i)].is_broken = states[i] == "broken";
    }
    return seats;
}

QString in_words(const std::vector<Job>& jobs) {
    QStringList words;
    for (const Job& job : jobs)
        words << QStringLiteral("%1 %2").arg(job.id).arg(QLatin1String(to_string(job.state).data()));
    return words.join(", ");
}

/// A queue with two seats, whose first engine lists jobs 1 to 3, which may start.
SharedQueue full_queue() {
    SharedQueue queue;
    queue.set_seats({{.device = "cuda:0", .is_default = true}, {.device = "cuda:1", .is_default = true}});
    queue.take(0, {job_in(1, JobState::waiting), job_in(2, JobState::waiting), job_in(3, JobState::waiting)});
    for (const JobId job : {1, 2, 3}) queue.add(job);
    return queue;
}

QList<int> startable(const SharedQueue& queue) {
    QList<int> ids;
    for (const StartableJob& job : queue.startable()) ids << static_cast<int>(job.id);
    return ids;
}

void begin(SharedQueue& queue, const SeatChoice& choice) {
    QVERIFY(queue.begin(choice));
    queue.note_begun(choice);
}

}  // namespace

class TestSharedQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_first_suitable_free_engine_takes_a_job_data() {
        QTest::addColumn<QString>("jobs");
        QTest::addColumn<QStringList>("states");
        QTest::addColumn<QString>("fits");    ///< "job on seat" that the memory plan allows, or "job on seat later"
        QTest::addColumn<QString>("choice");  ///< "job on seat"
        const QStringList free{"free", "free", "free"};
        const QString all = "1 on 0, 1 on 1, 2 on 0, 2 on 1";
        QTest::newRow("no job") << "" << free << all << "";
        QTest::newRow("in order") << "auto:1,auto:2" << free << all << "1 on 0";
        QTest::newRow("the second card") << "auto:1" << QStringList{"busy", "free", "free"} << all << "1 on 1";
        QTest::newRow("not the CPU") << "auto:1" << QStringList{"busy", "busy", "free"} << all << "";
        QTest::newRow("the CPU is requested") << "cpu:1" << QStringList{"busy", "busy", "free"} << ""
                                              << "1 on 2";
        QTest::newRow("any card") << "cuda:1" << QStringList{"busy", "free", "free"} << all << "1 on 1";
        QTest::newRow("one card") << "cuda:0:1" << QStringList{"busy", "free", "free"} << all << "";
        QTest::newRow("the next job overtakes")
            << "cuda:0:1,auto:2" << QStringList{"busy", "free", "free"} << all << "2 on 1";
        QTest::newRow("too large for the first") << "auto:1" << free << "1 on 1"
                                                 << "1 on 1";
        QTest::newRow("waits for the large card") << "auto:1" << QStringList{"free", "busy", "free"} << "1 on 1"
                                                  << "";
        QTest::newRow("a smaller job overtakes")
            << "auto:1,auto:2" << QStringList{"free", "busy", "free"} << "1 on 1 later, 2 on 0"
            << "2 on 0";
        QTest::newRow("waits for no card if none can hold it")
            << "auto:1,auto:2" << QStringList{"free", "busy", "free"} << "2 on 0"
            << "1 on 0";
        QTest::newRow("the memory of a free card is taken") << "auto:1" << free << "1 on 1 later"
                                                            << "1 on 1";
        QTest::newRow("the CPU waits for memory of other runs")
            << "cpu:1" << QStringList{"busy", "free", "free"} << "1 on 2 later"
            << "";
        QTest::newRow("the CPU has memory beside other runs")
            << "cpu:1" << QStringList{"busy", "free", "free"} << "1 on 2"
            << "1 on 2";
        QTest::newRow("the CPU alone") << "cpu:1" << free << "1 on 2 later"
                                       << "1 on 2";
        QTest::newRow("no card can hold it") << "auto:1" << free << ""
                                             << "1 on 1";
        QTest::newRow("no plan without a choice") << "cuda:0:1" << free << ""
                                                  << "1 on 0";
        QTest::newRow("no such device") << "cuda:7:1" << free << ""
                                        << "1 on 0";
        QTest::newRow("no such device, first one busy")
            << "cuda:7:1" << QStringList{"busy", "free", "free"} << all << "";
        QTest::newRow("finished steps stay") << "auto:1@1" << free << all << "1 on 1";
        QTest::newRow("finished steps wait") << "auto:1@1" << QStringList{"free", "busy", "free"} << all << "";
        QTest::newRow("the engine of the steps is broken")
            << "auto:1@1" << QStringList{"free", "broken", "free"} << all << "1 on 0";
        QTest::newRow("a broken engine is left out") << "auto:1" << QStringList{"broken", "free", "free"} << ""
                                                     << "1 on 1";
        QTest::newRow("all are broken") << "auto:1" << QStringList{"broken", "broken", "broken"} << all << "";
    }
    void the_first_suitable_free_engine_takes_a_job() {
        QFETCH(QString, jobs);
        QFETCH(QStringList, states);
        QFETCH(QString, fits);
        const auto fit = [listed = fits.split(", ")](JobId job, std::size_t seat) {
            const QString text = QStringLiteral("%1 on %2").arg(job).arg(seat);
            if (listed.contains(text)) return MemoryFit::now;
            return listed.contains(text + " later") ? MemoryFit::later : MemoryFit::never;
        };
        const auto choice = choose_next(jobs_from(jobs), seats_from(states), fit);
        QTEST(choice ? QStringLiteral("%1 on %2").arg(choice->job).arg(choice->seat) : QString(), "choice");
    }

    void devices_get_seats() {
        const std::vector<EngineSeat> seats =
            seats_of({{.id = "cpu", .memory_total_bytes = 64},
                      {.id = "cuda:0", .memory_total_bytes = 8},
                      {.id = "cuda:1", .unusable = {.code = "driver_too_old", .text = "its driver is too old"}}});
        QCOMPARE(seats.size(), std::size_t{2});
        QVERIFY(seats[0] == (EngineSeat{.device = "cuda:0", .is_default = true, .memory_bytes = 8}));
        QVERIFY(seats[1] == (EngineSeat{.device = "cpu", .is_default = false, .memory_bytes = 64}));
        QVERIFY(seats_of({{.id = "cpu"}}).at(0).is_default);
    }

    void a_job_is_shown_as_its_engine_lists_it() {
        SharedQueue queue = full_queue();
        begin(queue, {.job = 2, .seat = 1});
        queue.take(1, {job_in(2, JobState::running), job_in(1, JobState::failed)});
        QCOMPARE(in_words(queue.jobs()), QStringLiteral("1 waiting, 2 running, 3 waiting"));
        queue.take(0, {job_in(3, JobState::waiting), job_in(1, JobState::waiting)});  // a new process: 2 is locked
        QCOMPARE(in_words(queue.jobs()), QStringLiteral("3 waiting, 1 waiting, 2 running"));
        QCOMPARE(queue.engine_of(2), std::size_t{1});
        QCOMPARE(queue.engine_of(3), std::size_t{0});
    }

    void an_engine_is_free_when_its_job_has_ended() {
        SharedQueue queue = full_queue();
        begin(queue, {.job = 1, .seat = 0});
        QVERIFY(!queue.seats()[0].is_free);
        QVERIFY(!queue.begin({.job = 2, .seat = 0}));
        queue.take(0, 2, RunCancelled{});  // of another job
        QVERIFY(!queue.seats()[0].is_free);
        queue.take(0, 1, RunFinished{});
        QVERIFY(queue.seats()[0].is_free);
    }

    void an_engine_is_free_when_its_job_was_deleted() {
        SharedQueue queue = full_queue();
        begin(queue, {.job = 1, .seat = 1});
        queue.take(1, {});  // older than the start
        QVERIFY(!queue.seats()[1].is_free);
        queue.take(1, {job_in(1, JobState::running)});
        queue.note_removed(1);
        queue.take(1, {});
        QVERIFY(queue.seats()[1].is_free);
        QCOMPARE(in_words(queue.jobs()), QStringLiteral("2 waiting, 3 waiting"));
        QCOMPARE(queue.take_removed(), std::vector<JobId>{1});
        queue.take(0, {job_in(2, JobState::waiting)});
        QVERIFY(queue.take_removed().empty());
    }

    void the_first_engine_takes_orders_for_jobs_of_an_engine_without_a_process() {
        SharedQueue queue = full_queue();
        begin(queue, {.job = 1, .seat = 1});
        queue.take(1, 1, RunFinished{});
        queue.take(1, {job_in(1, JobState::finished)});
        QCOMPARE(queue.orders_for(1), std::size_t{1});
        queue.take(1, 0, EngineEnded{.restart_failure = {.text = "no memory"}});
        QCOMPARE(queue.orders_for(1), std::size_t{0});
        QCOMPARE(in_words(queue.jobs()), QStringLiteral("1 finished, 2 waiting, 3 waiting"));
        queue.note_removed(1);
        queue.take(0, {job_in(2, JobState::waiting), job_in(3, JobState::waiting)});
        queue.give_to_first(1);
        QCOMPARE(in_words(queue.jobs()), QStringLiteral("2 waiting, 3 waiting"));
        QVERIFY(queue.take_removed().empty());
    }

    void a_job_that_another_engine_lists_is_never_taken_for_deleted() {
        SharedQueue queue = full_queue();
        begin(queue, {.job = 1, .seat = 1});
        queue.take(1, {job_in(1, JobState::finished)});
        queue.take(1, {});  // not by the user
        QVERIFY(queue.take_removed().empty());
        QCOMPARE(in_words(queue.jobs()), QStringLiteral("1 waiting, 2 waiting, 3 waiting"));
    }

    void only_jobs_that_may_start_are_startable() {
        SharedQueue queue = full_queue();
        queue.take(0, {job_in(1, JobState::waiting), job_in(2, JobState::paused), job_in(4, JobState::waiting),
                       job_in(3, JobState::waiting)});
        QCOMPARE(startable(queue), (QList<int>{1, 3}));
        queue.keep_from_starting(1);
        QCOMPARE(startable(queue), QList<int>{3});
        QVERIFY(!queue.begin({.job = 1, .seat = 0}));
        queue.hold();
        QVERIFY(startable(queue).isEmpty());
        QVERIFY(!queue.begin({.job = 3, .seat = 0}));
        queue.release();
        QCOMPARE(startable(queue), (QList<int>{1, 4, 3}));
        queue.let_start(3, RemainingSteps::skipped);
        QVERIFY(queue.begin({.job = 3, .seat = 0}) == RemainingSteps::skipped);
        QVERIFY(queue.is_beginning(3));
    }

    void finished_steps_tie_a_job_to_its_engine() {
        SharedQueue queue = full_queue();
        begin(queue, {.job = 1, .seat = 1});
        queue.take(1, 1, RunPaused{.step = 2});
        queue.take(1, {job_in(1, JobState::waiting, 2)});
        queue.let_start(1, RemainingSteps::computed);
        QVERIFY(queue.startable()[0].home == std::size_t{1});
        queue.take(1, {job_in(1, JobState::waiting, 0)});  // it starts over
        QVERIFY(!queue.startable()[0].home);
    }

    void a_refused_start_is_tried_elsewhere_or_given_up() {
        SharedQueue queue = full_queue();
        const Error refused(ErrorCode::unsupported, "it is not on disk");
        QVERIFY(queue.begin({.job = 1, .seat = 1}));
        queue.note_refused({.job = 1, .seat = 1}, refused);
        QVERIFY(queue.seats()[1].is_free);
        QVERIFY(queue.startable()[0].home == std::size_t{0});
        QVERIFY(queue.begin({.job = 1, .seat = 0}));
        queue.note_refused({.job = 1, .seat = 0}, refused);
        QCOMPARE(startable(queue), (QList<int>{2, 3}));
    }

    void a_lost_engine_rests_until_it_runs_or_the_user_asks() {
        SharedQueue queue = full_queue();
        const auto lose = [&queue] {
            QVERIFY(queue.begin({.job = 1, .seat = 1}));
            queue.note_refused({.job = 1, .seat = 1}, Error(ErrorCode::engine_lost, "it ended"));
            QVERIFY(queue.seats()[1].is_broken);
        };
        lose();
        queue.take(1, 0, EngineEnded{.restart_failure = {.text = "no memory"}});
        QVERIFY(queue.seats()[1].is_broken);
        queue.take(1, 0, EngineEnded{});
        QVERIFY(!queue.seats()[1].is_broken);
        lose();
        queue.let_start(1, RemainingSteps::computed);
        QVERIFY(!queue.seats()[1].is_broken);
        lose();
        queue.take(1, 1, RunStarted{});  // the new process has been told before
        QVERIFY(!queue.seats()[1].is_broken);
        QVERIFY(!queue.seats()[1].is_free);
        QCOMPARE(queue.engine_of(1), std::size_t{1});
        QCOMPARE(startable(queue), (QList<int>{2, 3}));
    }
};

QTEST_APPLESS_MAIN(TestSharedQueue)
#include "test_shared_queue.moc"
