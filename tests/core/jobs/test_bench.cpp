#include <QScopeGuard>
#include <QTest>
#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <memory>

#include "core/api/engine.h"
#include "tests/core/jobs/event_recorder.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

VideoRequest tiny_request() {
    VideoRequest request;
    request.model = std::string(KINESCOPE_TEST_DATA) + "/wan_t2v/model";
    request.prompt = "a ball";
    request.width = 48;
    request.height = 32;
    request.num_frames = 5;
    request.num_inference_steps = 6;
    request.step_cache = 1;
    request.device = "cpu";
    request.threads = 1;
    return request;
}

std::map<std::string, BenchRow> by_name(const std::vector<BenchRow>& rows) {
    std::map<std::string, BenchRow> named;
    for (const BenchRow& row : rows) named[row.name] = row;
    return named;
}

}  // namespace

class TestBench : public QObject {
    Q_OBJECT

private:
    EventRecorder recorder_;
    std::unique_ptr<Engine> engine_;
    std::vector<BenchRow> rows_;  ///< results of two repetitions
    std::map<std::string, BenchRow> row_;

private Q_SLOTS:
    void initTestCase() {
        engine_ = make_engine({.resources_dir = KINESCOPE_SOURCE_DIR "/resources"}, recorder_);
        rows_ = engine_->diagnostics().bench(tiny_request(), 2);
        row_ = by_name(rows_);
    }

    void the_median_of_two_is_their_mean() {
        const BenchRow& whole = row_.at("whole run");
        QCOMPARE(whole.repeats, 2);
        QCOMPARE(whole.median_seconds, (whole.min_seconds + whole.max_seconds) / 2);
    }

    void phases_add_up_to_the_run() {
        std::vector<std::string> names;
        for (const BenchRow& row : rows_) names.push_back(row.name);
        const std::vector<std::string> parts = {"load", "encode", "denoise", "decode", "save", "between the phases"};
        QVERIFY(!std::ranges::search(names, parts).empty());  // the rows are in the order of a run
        double sum = 0;  // the median of two runs is their mean, so the parts add up
        for (const std::string& part : parts) sum += row_.at(part).median_seconds;
        QVERIFY2(std::abs(sum - row_.at("whole run").median_seconds) < 1e-9, qPrintable(QString::number(sum)));
    }

    void ratios_are_computed_from_the_printed_medians() {
        const BenchRow& off = row_.at("denoise step, monitor off, guard off");
        const BenchRow& on = row_.at("denoise step, monitor on, guard heal");
        const BenchRow& watching = row_.at("monitor and guard in a step");
        QCOMPARE(on.ratio, on.median_seconds / off.median_seconds);
        QCOMPARE(on.compared_to, std::string("the step with both off"));
        QCOMPARE(watching.ratio, watching.median_seconds / on.median_seconds);
        for (const BenchRow& row : rows_) QCOMPARE(row.ratio != 0, !row.compared_to.empty());
    }

    /// A reused step takes much less time than a computed one.
    void reused_steps_have_their_own_row() {
        QVERIFY(row_.contains("denoise step, reused"));
        QVERIFY(row_.at("denoise step, reused").min_seconds <
                row_.at("denoise step, monitor on, guard heal").min_seconds);
    }

    void a_running_benchmark_can_be_cancelled_data() {
        QTest::addColumn<DiagnosticId>("id");
        QTest::newRow("with an id") << DiagnosticId{1};
        QTest::newRow("without an id") << DiagnosticId{0};
    }
    /// All repeats would take many minutes.
    void a_running_benchmark_can_be_cancelled() {
        QFETCH(const DiagnosticId, id);
        auto error = std::async(std::launch::async, [&] {
            return thrown_by([&] { engine_->diagnostics().bench(tiny_request(), 1000, id); });
        });
        const auto stop = qScopeGuard([&] { engine_->diagnostics().cancel_diagnostic(id); });
        QCOMPARE(error.wait_for(std::chrono::milliseconds(500)), std::future_status::timeout);
        engine_->diagnostics().cancel_diagnostic(id);
        QCOMPARE(error.wait_for(std::chrono::seconds(30)), std::future_status::ready);
        QCOMPARE(error.get().code(), ErrorCode::cancelled);
    }

    void a_verification_can_be_cancelled_before_it_starts() {
        engine_->diagnostics().cancel_diagnostic(2);
        const Error error =
            thrown_by([&] { engine_->diagnostics().verify(KINESCOPE_TEST_DATA "/wan_t2v", {.device = "cpu"}, 2); });
        QCOMPARE(error.code(), ErrorCode::cancelled);
    }
};

QTEST_GUILESS_MAIN(TestBench)
#include "test_bench.moc"
