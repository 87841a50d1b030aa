#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>

#include "core/api/error.h"
#include "core/numerics/run_compare.h"

using namespace kinescope;

namespace {

Json stat(const std::string& site, double max_abs, int step = 0, int attempt = 0) {
    return {{"record", "stat"},
            {"phase", "denoise"},
            {"step", step},
            {"attempt", attempt},
            {"branch", "cond"},
            {"site", site},
            {"component", "transformer"},
            {"min", -max_abs},
            {"max", max_abs},
            {"max_abs", max_abs},
            {"mean", 0.0},
            {"std", max_abs / 3},
            {"nan", 0},
            {"inf", 0}};
}

LoggedRun run_of(std::vector<Json> stats, int seed = 1) {
    LoggedRun run;
    run.header = {{"record", "header"},
                  {"request", {{"seed", seed}, {"prompt", "a"}, {"output", "x.mp4"}}},
                  {"policy", Json::array({{{"component", "transformer"}, {"compute", "float32"}}})}};
    run.stats = std::move(stats);
    return run;
}

}  // namespace

class TestRunCompare : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    std::string written(const char* name, const std::vector<Json>& records, const std::string& rest = {}) {
        const std::string file = folder_.filePath(name).toStdString();
        std::ofstream stream(file);
        for (const Json& record : records) stream << record.dump() << '\n';
        stream << rest;
        return file;
    }

private Q_SLOTS:
    void equal_runs_do_not_part() {
        const auto run = run_of({stat("blocks.0", 3), stat("blocks.1", 4)});
        const RunDifference difference = compare_runs(run, run, 0);
        QCOMPARE(difference.num_compared, 2);
        QVERIFY(difference.first.empty());
        QVERIFY(difference.requests.empty());
    }

    void the_first_site_beyond_the_tolerance_is_named_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<bool>("parts");
        QTest::newRow("rounding") << 4.001 << false;
        QTest::newRow("more") << 4.1 << true;
        QTest::newRow("NaN") << std::nan("") << true;
        QTest::newRow("Inf") << double(INFINITY) << true;
    }
    void the_first_site_beyond_the_tolerance_is_named() {
        QFETCH(double, value);
        QFETCH(bool, parts);
        const auto a = run_of({stat("blocks.0", 3), stat("blocks.1", 4), stat("blocks.2", 5)});
        const auto b = run_of({stat("blocks.0", 3), stat("blocks.1", value), stat("blocks.2", parts ? 50.0 : 5.0)});
        const RunDifference difference = compare_runs(a, b, 1e-3);
        QCOMPARE(difference.first.empty(), !parts);
        if (parts) QVERIFY(difference.first.starts_with("step 1, transformer blocks.1 (cond): "));
    }

    void sites_that_only_one_run_looked_at_are_left_out() {
        const auto a = run_of({stat("blocks.0", 3), stat("blocks.0.ffn.net.2", 4)});
        const auto b = run_of({stat("blocks.0", 3), stat("blocks.5", 4)});
        QCOMPARE(compare_runs(a, b, 0).num_compared, 1);
        QVERIFY(compare_runs(a, b, 0).first.empty());
    }

    void requests_that_differ_are_listed() {
        auto other = run_of({}, 2);
        other.header["policy"][0]["compute"] = "float16";
        other.header["request"]["output"] = "y.mp4";
        const auto requests = compare_runs(run_of({}), other, 0).requests;
        QCOMPARE(requests, (std::vector<std::string>{"seed: 1 against 2",
                                                     "transformer computes in: \"float32\" against \"float16\""}));
    }

    void a_log_is_read_without_what_was_made_again() {
        const Json header = {{"record", "header"}, {"request", Json::object()}};
        const auto file =
            written("a.jsonl", {header, stat("blocks.0", 1e9), stat("blocks.0", 3, 0, 1), stat("blocks.0", 5, 1)},
                    "{\"record\":\"sta");
        const LoggedRun run = read_numeric_log(file);
        QCOMPARE(run.stats.size(), std::size_t{2});
        QCOMPARE(run.stats[0]["max_abs"].get<double>(), 3.0);
        QVERIFY(run.summary.is_null());
    }

    void what_is_no_log_is_refused() {
        const auto no_header = written("b.jsonl", {stat("blocks.0", 1)});
        QVERIFY_EXCEPTION_THROWN(read_numeric_log(no_header), Error);
        const auto no_json = written("c.jsonl", {}, "RIFF\n\x01\x02\n");
        QVERIFY_EXCEPTION_THROWN(read_numeric_log(no_json), Error);
        QVERIFY_EXCEPTION_THROWN(read_numeric_log(folder_.filePath("none.jsonl").toStdString()), Error);
    }
};

QTEST_GUILESS_MAIN(TestRunCompare)
#include "test_run_compare.moc"
