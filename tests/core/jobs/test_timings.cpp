#include <QTemporaryDir>
#include <QTest>

#include "core/jobs/plan/timings.h"

using namespace kinescope;

namespace {

using Runs = std::vector<TimedWork>;
using Seconds = std::map<Phase, double>;

ResolvedRequest request_of(int num_frames, int num_inference_steps) {
    return {.content = {.width = 96, .height = 64, .num_frames = num_frames},
            .sampling = {.num_inference_steps = num_inference_steps, .guidance_scale = 5.0}};
}

/// A request of a denoiser whose work is proportional to the frames.
TimedRequest timed(const ResolvedRequest& request, const std::string& device = "cpu") {
    return {.request = request, .device = device, .evaluation_work = 1e9 * request.content.num_frames};
}

RunResult took(double denoise) {
    RunResult result;
    result.seconds_by_phase = {
        {"load", 1}, {"encode", 1}, {"denoise", denoise}, {"decode", denoise / 4}, {"save", 0.1}};
    return result;
}

}  // namespace

class TestTimings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void estimates_data() {
        QTest::addColumn<Runs>("runs");
        QTest::addColumn<double>("work");
        QTest::addColumn<double>("seconds");
        QTest::newRow("same size") << Runs{{100, 10}} << 100.0 << 10.0;
        QTest::newRow("three times the work") << Runs{{100, 10}} << 300.0 << 30.0;
        QTest::newRow("fifty times the work of a long run") << Runs{{100, 10}} << 5000.0 << 500.0;
        QTest::newRow("one slow run among three") << Runs{{100, 10}, {100, 90}, {100, 12}} << 100.0 << 12.0;
        QTest::newRow("a tiny run is ignored for a large one") << Runs{{1, 2}, {1, 2}, {100, 10}} << 100.0 << 10.0;
        QTest::newRow("between two sizes: fixed and proportional part") << Runs{{10, 6}, {100, 15}} << 40.0 << 9.0;
        QTest::newRow("larger than all runs") << Runs{{10, 6}, {100, 15}} << 1000.0 << 105.0;
    }
    void estimates() {
        QFETCH(Runs, runs);
        QFETCH(double, work);
        QFETCH(double, seconds);
        const auto found = estimate_seconds(runs, work);
        QVERIFY(found);
        QVERIFY2(std::abs(*found - seconds) < 1e-9, qPrintable(QString::number(*found)));
    }

    void there_is_no_estimate_far_from_all_runs() {
        QVERIFY(!estimate_seconds({}, 100));
        QVERIFY(!estimate_seconds({{1, 0.5}}, 5));
        QVERIFY(!estimate_seconds({{1, 2}}, 101));
    }

    void a_short_run_does_not_spoil_the_estimate_of_a_long_one() {
        const QTemporaryDir folder;
        const Timings timings(folder.filePath("timings.json").toStdString());
        timings.learn(timed(request_of(17, 12)), took(12));
        timings.learn(timed(request_of(1, 2)), took(6));
        QCOMPARE(timings.estimate(timed(request_of(17, 12))).at(Phase::denoise), 12.0);
        QVERIFY(timings.estimate(timed(request_of(17, 12), "cuda")).empty());
    }

    void denoising_takes_time_in_proportion_to_the_work_of_an_evaluation() {
        const QTemporaryDir folder;
        const Timings timings(folder.filePath("timings.json").toStdString());
        const ResolvedRequest request = request_of(17, 12);
        timings.learn({.request = request, .device = "cpu", .evaluation_work = 1e12}, took(10));
        const auto seconds = timings.estimate({.request = request, .device = "cpu", .evaluation_work = 7e12});
        QCOMPARE(seconds.at(Phase::denoise), 70.0);
        QCOMPARE(seconds.at(Phase::decode), 2.5);
    }

    void times_of_earlier_versions_count_as_unknown() {
        const QTemporaryDir folder;
        QFile file(folder.filePath("timings.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"version": 1, "entries": [{"name": "|cpu|auto", "value": {"load": [[1, 1]], "encode": [[1, 1]],
                       "denoise": [[2e9, 1]], "decode": [[6144, 1]], "save": [[1, 1]]}}]})");
        file.close();
        QVERIFY(Timings(file.fileName().toStdString()).estimate(timed(request_of(1, 1))).empty());
    }

    void steps_without_guidance_count_as_one_evaluation() {
        const QTemporaryDir folder;
        const Timings timings(folder.filePath("timings.json").toStdString());
        ResolvedRequest request = request_of(17, 12);
        timings.learn(timed(request), took(12));
        request.sampling.guidance_stop = 0.5;
        QCOMPARE(timings.estimate(timed(request)).at(Phase::denoise), 9.0);
    }

    void each_storage_has_separate_timings() {
        const QTemporaryDir folder;
        const Timings timings(folder.filePath("timings.json").toStdString());
        ResolvedRequest request = request_of(17, 12);
        timings.learn(timed(request), took(12));
        request.compute.storage = DtypeChoice::int8;
        QVERIFY(timings.estimate(timed(request)).empty());
    }

    void runs_with_another_kind_of_input_count_only_without_others() {
        const QTemporaryDir folder;
        const Timings timings(folder.filePath("timings.json").toStdString());
        ResolvedRequest continued = request_of(17, 12);
        continued.content.continue_video = "clip.mp4";
        timings.learn(timed(request_of(17, 12)), took(12));
        QCOMPARE(timings.estimate(timed(continued)).at(Phase::denoise), 12.0);
        timings.learn(timed(continued), took(20));
        QCOMPARE(timings.estimate(timed(continued)).at(Phase::denoise), 20.0);
        QCOMPARE(timings.estimate(timed(request_of(17, 12))).at(Phase::denoise), 12.0);
        ResolvedRequest pictures = request_of(17, 12);
        pictures.content.image = "image.png";
        QCOMPARE(timings.estimate(timed(pictures)).at(Phase::denoise), 12.0);
    }

    void the_time_of_all_parts_is_that_of_the_first_and_of_the_others_data() {
        QTest::addColumn<Seconds>("first");
        QTest::addColumn<Seconds>("later");
        QTest::addColumn<int>("parts");
        QTest::addColumn<Seconds>("sum");
        const Seconds first{{Phase::encode, 1}, {Phase::denoise, 3}};
        const Seconds later{{Phase::encode, 2}, {Phase::denoise, 10}};
        QTest::newRow("one part") << first << later << 1 << first;
        QTest::newRow("two parts") << first << later << 2 << Seconds{{Phase::encode, 3}, {Phase::denoise, 13}};
        QTest::newRow("four parts") << first << later << 4 << Seconds{{Phase::encode, 7}, {Phase::denoise, 33}};
        QTest::newRow("an unknown first part") << Seconds() << later << 2 << Seconds();
        QTest::newRow("unknown later parts") << first << Seconds() << 2 << Seconds();
    }
    void the_time_of_all_parts_is_that_of_the_first_and_of_the_others() {
        QFETCH(Seconds, first);
        QFETCH(Seconds, later);
        QFETCH(int, parts);
        QFETCH(Seconds, sum);
        QVERIFY(sum_of_parts(first, later, parts) == sum);
    }

    void an_unreadable_file_counts_as_missing() {
        const QTemporaryDir folder;
        QFile file(folder.filePath("timings.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"builtin|cpu|auto\": {\"load\": [[0, 1], \"x\"]}");
        file.close();
        const Timings timings(file.fileName().toStdString());
        QVERIFY(timings.estimate(timed(request_of(17, 12))).empty());
        timings.learn(timed(request_of(17, 12)), took(12));
        QVERIFY(!timings.estimate(timed(request_of(17, 12))).empty());
    }
};

QTEST_APPLESS_MAIN(TestTimings)
#include "test_timings.moc"
