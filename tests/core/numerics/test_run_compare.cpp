#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>

#include "core/api/error.h"
#include "core/numerics/run_compare.h"

using namespace kinescope;

namespace {

Json stat(const std::string& site, double max_abs, int step = 0, int attempt = 0, int count = 64) {
    return {{"record", "stat"},
            {"phase", "denoise"},
            {"step", step},
            {"attempt", attempt},
            {"branch", "cond"},
            {"site", site},
            {"component", "transformer"},
            {"count", count},
            {"min", -max_abs},
            {"max", max_abs},
            {"max_abs", max_abs},
            {"mean", 0.0},
            {"std", max_abs / 3},
            {"nan", 0},
            {"inf", 0}};
}

Json header(int seed = 1, const std::string& compute = "float32") {
    return {{"record", "header"},
            {"request", {{"seed", seed}, {"prompt", "a"}, {"output", "x" + std::to_string(seed) + ".mp4"}}},
            {"policy", Json::array({{{"component", "transformer"}, {"compute", compute}}})}};
}

LoggedPlace place(const std::string& site) {
    return {.phase = "denoise", .step = 0, .branch = "cond", .component = "transformer", .site = site};
}

const Json kSummary = {{"record", "summary"}, {"status", "completed"}};

LoggedRun run_of(const std::vector<Json>& stats, const Json& first = header()) {
    LoggedRun run;
    run.add(first);
    for (const Json& record : stats) run.add(record);
    run.add(kSummary);
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
    void equal_runs_have_no_difference() {
        const auto run = run_of({stat("blocks.0", 3), stat("blocks.1", 4)});
        const RunDifference difference = compare_runs(run, run, 0);
        QCOMPARE(difference.num_compared, 2);
        QVERIFY(!difference.first);
        QVERIFY(difference.settings.empty());
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
        QCOMPARE(difference.first.has_value(), parts);
        if (parts) QCOMPARE(difference.first->place, place("blocks.1"));
    }

    void values_that_were_not_counted_are_at_least_one() {
        Json invalid = stat("blocks.1", std::nan(""));
        invalid["nan"] = Json();
        invalid["inf"] = Json();
        const auto a = run_of({stat("blocks.0", 3), invalid});
        const RunDifference difference = compare_runs(a, run_of({stat("blocks.0", 3), stat("blocks.1", 4)}), 1e-3);
        QVERIFY(difference.first);
        QCOMPARE(*difference.first,
                 (StatisticDifference{place("blocks.1"), Statistic::nan, std::nullopt, 0, double(INFINITY)}));
        QVERIFY(!compare_runs(a, a, 0).first);
        Json counted = stat("blocks.1", 4);  // zeros replace the NaN
        counted["nan"] = 2;
        QVERIFY(!compare_runs(a, run_of({stat("blocks.0", 3), counted}), 1e-3).first);
    }

    void statistics_without_values_are_not_compared() {
        Json without = stat("blocks.1", 4);
        for (const char* key : {"min", "max", "max_abs", "mean", "std"}) without.erase(key);
        Json with_null = stat("blocks.1", 4);
        for (const char* key : {"min", "max", "max_abs", "mean", "std"}) with_null[key] = Json();
        const auto empty = run_of({without});
        QCOMPARE(compare_runs(empty, empty, 0).num_compared, 0);
        QCOMPARE(compare_runs(empty, run_of({with_null}), 0).num_compared, 0);
        const RunDifference difference =
            compare_runs(run_of({stat("blocks.0", 3), stat("blocks.1", 4)}), run_of({stat("blocks.0", 3), without}), 0);
        QCOMPARE(difference.num_compared, 1);
        QCOMPARE(difference.num_unpaired, 1);
    }

    void sites_of_only_one_run_are_skipped() {
        const auto a = run_of({stat("blocks.0", 3), stat("blocks.0.ffn.net.2", 4)});
        const auto b = run_of({stat("blocks.0", 3), stat("blocks.5", 4)});
        QCOMPARE(compare_runs(a, b, 0).num_compared, 1);
        QVERIFY(!compare_runs(a, b, 0).first);
    }

    void padding_is_not_a_difference() {
        Json padded = stat("blocks.0", 3, 0, 0, 5120);
        padded["mean"] = 1.0;
        padded["std"] = 0.1;
        const auto a = run_of({stat("blocks.0", 3, 0, 0, 1240), stat("blocks.1", 4)});
        const RunDifference difference = compare_runs(a, run_of({padded, stat("blocks.1", 4)}), 1e-3);
        QVERIFY(!difference.first);
        QCOMPARE(difference.largest, 0.0);
        QCOMPARE(difference.num_compared, 1);
        QCOMPARE(difference.num_other_count, 1);
        QCOMPARE(difference.other_count, std::optional(CountDifference{place("blocks.0"), 1240, 5120}));
    }

    void the_first_difference_is_in_the_order_of_the_run() {
        const auto a = run_of({stat("z", 3), stat("b", 4), stat("a", 5), stat("z", 3, 1)});
        const auto b = run_of({stat("z", 3), stat("b", 4.1), stat("a", 50), stat("z", 3, 1)});
        const RunDifference difference = compare_runs(a, b, 1e-3);
        QVERIFY(difference.first);
        QCOMPARE(difference.first->place, place("b"));
        QCOMPARE(difference.first->statistic, Statistic::max_abs);
        QCOMPARE(difference.first->a, std::optional(4.0));
        QCOMPARE(difference.first->b, std::optional(4.1));
        QVERIFY(difference.first->relative < difference.largest);
        QCOMPARE(difference.largest_place, std::optional(place("a")));
    }

    void chunks_are_compared_in_their_order() {
        const auto a = run_of({stat("conv", 1), stat("conv", 2), stat("conv", 9), stat("conv", 3, 0, 1)});
        QCOMPARE(a.stats().size(), std::size_t{4});
        QVERIFY(!compare_runs(a, run_of({stat("conv", 1), stat("conv", 2), stat("conv", 3)}), 0).first);
        const auto other = compare_runs(a, run_of({stat("conv", 2), stat("conv", 1)}), 0);
        QCOMPARE(other.num_compared, 2);
        QCOMPARE(other.num_unpaired, 1);
        QVERIFY(other.first);
    }

    // The ops of a chunk are measured only in the first one and in repeated attempts.
    void ops_of_two_repeated_chunks_are_not_compared() {
        const double nan = std::nan("");
        const auto third = run_of({stat("conv.op", 1), stat("conv", 1), stat("conv", 2), stat("conv", nan),
                                   stat("conv.op", 3, 0, 1), stat("conv", 3, 0, 1), stat("conv", 4)});
        const auto last = run_of({stat("conv.op", 1), stat("conv", 1), stat("conv", 2), stat("conv", 3),
                                  stat("conv", nan), stat("conv.op", 4, 0, 1), stat("conv", 4, 0, 1)});
        const RunDifference difference = compare_runs(third, last, 0);
        QVERIFY(!difference.first);
        QCOMPARE(difference.num_compared, 5);
        QCOMPARE(difference.num_unpaired, 2);
        QCOMPARE(compare_runs(third, third, 0).num_compared, 6);
    }

    // A chunk of the VAE contains several samples of a site.
    void a_healed_chunk_is_compared_by_its_last_attempt() {
        const double nan = std::nan("");
        const auto healed = run_of({stat("conv", 1), stat("conv", nan), stat("conv", nan), stat("conv", nan, 0, 1),
                                    stat("conv", nan, 0, 1), stat("conv", 2, 0, 2), stat("conv", 3, 0, 2),
                                    stat("conv", 4), stat("conv", 5)});
        const auto whole =
            run_of({stat("conv", 1), stat("conv", 2), stat("conv", 3), stat("conv", 4), stat("conv", 5)});
        const RunDifference difference = compare_runs(healed, whole, 0);
        QVERIFY(!difference.first);
        QCOMPARE(difference.num_compared, 5);
        QCOMPARE(difference.num_unpaired, 0);
    }

    /// A repeated chunk is watched op by op, as the first one, but as no other.
    void a_repeated_chunk_does_not_replace_the_ops_of_an_earlier_one() {
        const auto healed = run_of({stat("conv.op", 1), stat("conv", 2), stat("conv", std::nan("")),
                                    stat("conv.op", 3, 0, 1), stat("conv", 4, 0, 1), stat("conv", 5)});
        const auto whole = run_of({stat("conv.op", 1), stat("conv", 2), stat("conv", 4), stat("conv", 5)});
        const RunDifference difference = compare_runs(healed, whole, 0);
        QVERIFY(!difference.first);
        QCOMPARE(difference.num_compared, 4);
        QCOMPARE(difference.num_unpaired, 1);  // the op of the repeated chunk
    }

    void sites_that_only_a_repeated_attempt_has_are_left_out() {
        const auto healed = run_of({stat("text", 9), stat("proj_in", 1), stat("ffn.net.0", 7), stat("ffn", 2),
                                    stat("proj_in", 1, 0, 1), stat("ffn.net.0.proj", 8, 0, 1), stat("ffn", 3, 0, 1)});
        const auto whole = run_of({stat("text", 9), stat("proj_in", 1), stat("ffn.net.0.proj", 8), stat("ffn", 3)});
        const RunDifference difference = compare_runs(healed, whole, 0);
        QVERIFY(!difference.first);
        QCOMPARE(difference.num_compared, 4);
        QCOMPARE(difference.num_unpaired, 0);
    }

    /// A run that continues projects its prompt again.
    void a_continued_run_has_no_additional_statistics_data() {
        QTest::addColumn<double>("again");
        QTest::addColumn<int>("unpaired");
        QTest::newRow("equal") << 3.0 << 0;
        QTest::newRow("different") << 3.5 << 1;
    }
    void a_continued_run_has_no_additional_statistics() {
        QFETCH(double, again);
        const std::vector<Json> whole = {stat("text", 3), stat("blocks.0", 1), stat("blocks.0", 2, 1),
                                         stat("blocks.0", 4, 2)};
        std::vector<Json> continued = whole;
        continued.insert(continued.end() - 1, stat("text", again, 2));
        for (const auto& [a, b] : {std::pair{whole, continued}, std::pair{continued, whole}}) {
            const RunDifference difference = compare_runs(run_of(a), run_of(b), 0);
            QCOMPARE(difference.num_compared, 4);
            QTEST(static_cast<int>(difference.num_unpaired), "unpaired");
        }
    }

    void invalid_values_are_tolerated() {
        Json strange = stat("blocks.0", 3);
        strange["max_abs"] = "nan";
        strange["step"] = 1e300;
        strange["count"] = "many";
        const auto a = run_of({strange});
        QCOMPARE(compare_runs(a, a, 0).num_compared, 1);
        QVERIFY(!compare_runs(a, a, 0).first);
    }

    void requests_that_differ_are_listed() {
        const auto settings = compare_runs(run_of({}), run_of({}, header(2, "float16")), 0).settings;
        QCOMPARE(settings, (std::vector<DifferentSetting>{
                               {SettingAspect::field, "seed", "1", "2"},
                               {SettingAspect::compute, "transformer", R"("float32")", R"("float16")"}}));
    }

    void a_setting_of_one_run_only_has_no_value_in_the_other() {
        Json other = header();
        other["request"]["fps"] = 8;
        other["policy"] = Json::array();
        const auto settings = compare_runs(run_of({}), run_of({}, other), 0).settings;
        QCOMPARE(settings, (std::vector<DifferentSetting>{{SettingAspect::field, "fps", "", "8"},
                                                          {SettingAspect::compute, "transformer", R"("float32")", ""},
                                                          {SettingAspect::storage, "transformer", R"("")", ""},
                                                          {SettingAspect::device, "transformer", R"("")", ""}}));
    }

    void a_log_without_a_summary_is_incomplete() {
        const std::vector<Json> records = {header(), stat("blocks.0", 3), kSummary};
        QVERIFY(read_numeric_log(written("whole.jsonl", records)).is_whole());
        QVERIFY(!read_numeric_log(written("killed.jsonl", {records[0], records[1]})).is_whole());
        const auto cut = read_numeric_log(written("cut.jsonl", {records[0], records[1]}, "{\"record\":\"summ"));
        QVERIFY(!cut.is_whole());
        QCOMPARE(cut.stats().size(), std::size_t{1});
    }

    void files_other_than_logs_are_refused() {
        const auto no_header = written("b.jsonl", {stat("blocks.0", 1)});
        QVERIFY_EXCEPTION_THROWN(read_numeric_log(no_header), Error);
        const auto no_json = written("c.jsonl", {}, "RIFF\n\x01\x02\n");
        QVERIFY_EXCEPTION_THROWN(read_numeric_log(no_json), Error);
        QVERIFY_EXCEPTION_THROWN(read_numeric_log(folder_.filePath("none.jsonl").toStdString()), Error);
        const auto endless = written("endless.jsonl", {header()});
        std::filesystem::resize_file(endless, std::uintmax_t{1} << 30);  // zeros, without memory on the disk
        try {
            read_numeric_log(endless);
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QVERIFY2(error.message().find("line 2: the line is longer than") != std::string::npos, error.what());
        }
    }
};

QTEST_GUILESS_MAIN(TestRunCompare)
#include "test_run_compare.moc"
