#include <QTest>
#include <fstream>

#include "core/jobs/tools/compare.h"
#include "core/media/image_io.h"
#include "tests/core/media/media_fixtures.h"

using namespace kinescope;
using namespace kinescope::test;

namespace {

constexpr CompareTolerance kTolerance{};

void write_frames(const std::filesystem::path& folder, int num_frames, int width = kWidth) {
    std::filesystem::create_directory(folder);
    for (int i = 0; i < num_frames; ++i)
        write_png(folder / ("0000" + std::to_string(i) + ".png"), moving_square(i, width));
}

}  // namespace

class TestCompare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_video_and_its_frames() {
        const Folder folder;
        write_video(options_for(folder / "a.mp4"), 3);
        write_frames(folder / "frames", 3);
        const auto report = compare_files(reader_, folder / "a.mp4", folder / "frames", {.psnr_db = 30});
        QCOMPARE(report.kind, CompareKind::videos);
        QCOMPARE(report.num_compared, 3);
        QCOMPARE(report.num_frames_a, 3);
        QCOMPARE(report.num_frames_b, 3);
        QVERIFY(report.passed && report.psnr_db > 30);
    }

    void two_folders_of_frames() {
        const Folder folder;
        write_frames(folder / "a", 3);
        write_frames(folder / "b", 2);
        QVERIFY(std::isinf(compare_files(reader_, folder / "a", folder / "a", kTolerance).psnr_db));
        const auto report = compare_files(reader_, folder / "a", folder / "b", kTolerance);
        QVERIFY(!report.passed);
        QCOMPARE(report.num_frames_a, 3);
        QCOMPARE(report.num_frames_b, 2);
        QCOMPARE(report.settings, (std::vector<DifferentSetting>{{SettingAspect::num_frames, "", "3", "2"}}));
        QCOMPARE(report.first_difference, std::optional<FirstDifference>(LengthDifference{.num_frames = 2}));
    }

    void the_first_frame_beyond_the_tolerance_is_named() {
        const Folder folder;
        write_frames(folder / "a", 3);
        write_frames(folder / "b", 2);
        write_png(folder / "b" / "00002.png", moving_square(0, kWidth));
        const auto report = compare_files(reader_, folder / "a", folder / "b", kTolerance);
        QVERIFY(!report.passed && report.settings.empty() && report.first_difference);
        const auto* found = std::get_if<FrameDifference>(&*report.first_difference);
        QVERIFY(found != nullptr);
        QCOMPARE(found->frame, 2);
        QVERIFY(found->psnr_db > report.psnr_db - 5 && found->psnr_db < kTolerance.psnr_db);
    }

    void videos_of_different_sizes_have_no_verdict() {
        const Folder folder;
        write_frames(folder / "a", 2);
        write_frames(folder / "wide", 3, 2 * kWidth);
        const auto report = compare_files(reader_, folder / "a", folder / "wide", kTolerance);
        QVERIFY(!report.passed && !report.first_difference);
        QCOMPARE(report.num_compared, 0);
        QCOMPARE(report.num_frames_a, 2);
        QCOMPARE(report.num_frames_b, 3);
        QCOMPARE(report.problems.at(0).code, std::string("sizes_differ"));
        const std::string height = std::to_string(kHeight);
        QCOMPARE(report.problems.at(0).values.at("a"), std::to_string(kWidth) + "x" + height);
        QCOMPARE(report.problems.at(0).values.at("b"), std::to_string(2 * kWidth) + "x" + height);
    }

    void videos_without_a_readable_frame_are_refused() {
        const Folder folder;
        write_video(options_for(folder / "whole.mp4"), 3);
        write_video(options_for(folder / "cut.mp4"), 3);
        cut_before_frames(folder / "cut.mp4");
        for (const char* other : {"whole.mp4", "cut.mp4"}) {
            const Error error =
                thrown_by([&] { compare_files(reader_, folder / other, folder / "cut.mp4", kTolerance); });
            QCOMPARE(error.code(), ErrorCode::file_unreadable);
            QVERIFY2(error.message().ends_with("none of its frames can be read"), error.what());
        }
    }

    void a_cancelled_comparison_stops_before_the_next_frame() {
        const Folder folder;
        write_frames(folder / "a", 5);
        int asked = 0;
        const Error error = thrown_by(
            [&] { compare_files(reader_, folder / "a", folder / "a", kTolerance, [&] { return ++asked > 2; }); });
        QCOMPARE(error.code(), ErrorCode::cancelled);
        QCOMPARE(asked, 3);
    }

    /// Writes a numeric log with one record per line.
    static std::filesystem::path write_log(const std::filesystem::path& file,
                                           std::initializer_list<const char*> lines) {
        std::ofstream stream(file);
        stream << R"({"record":"header","request":{}})" << '\n';
        for (const char* line : lines) stream << line << '\n';
        return file;
    }

    void incomplete_logs_do_not_pass() {
        constexpr const char* kStat =
            R"({"record":"stat","phase":"denoise","step":0,"component":"t","site":"s","count":4,"max_abs":1,)"
            R"("min":0,"max":1,"mean":0,"std":1,"nan":0,"inf":0})";
        constexpr const char* kOther =
            R"({"record":"stat","phase":"denoise","step":0,"component":"t","site":"s","count":4,"max_abs":1,)"
            R"("min":0,"max":1,"mean":0.5,"std":1,"nan":0,"inf":0})";
        constexpr const char* kSummary = R"({"record":"summary","status":"completed"})";
        const Folder folder;
        const auto whole = write_log(folder / "whole.jsonl", {kStat, kSummary});
        const auto empty = write_log(folder / "empty.jsonl", {kSummary});
        const auto killed = write_log(folder / "killed.jsonl", {kStat});
        QVERIFY(compare_files(reader_, whole, whole, kTolerance).passed);
        const auto other = write_log(folder / "other.jsonl", {kOther, kSummary});
        const auto differs = compare_files(reader_, whole, other, kTolerance);
        const StatisticDifference mean{{"denoise", 0, "", "t", "s"}, Statistic::mean, 0, 0.5, 0.5};
        QCOMPARE(differs.first_difference, std::optional<FirstDifference>(mean));
        QCOMPARE(differs.largest_place, std::optional(mean.place));
        const auto nothing = compare_files(reader_, whole, empty, kTolerance);
        QVERIFY(!nothing.passed && !nothing.first_difference);
        QCOMPARE(nothing.num_compared, 0);
        QCOMPARE(nothing.problems.at(0).code, std::string("nothing_compared"));
        const auto early = compare_files(reader_, whole, killed, kTolerance);
        QVERIFY(!early.passed);
        QCOMPARE(early.problems.at(0).code, std::string("log_ends_early"));
        QCOMPARE(early.problems.at(0).values.at("file"), std::string("killed.jsonl"));
    }

    static std::filesystem::path write_stats(const std::filesystem::path& file, int first_site, int num_sites,
                                             int num_steps) {
        std::ofstream stream(file);
        stream << R"({"record":"header","request":{}})" << '\n';
        for (int step = 0; step < num_steps; ++step)
            for (int site = first_site; site < first_site + num_sites; ++site)
                stream << R"({"record":"stat","phase":"denoise","component":"t","count":4,"max_abs":1,"min":0,"max":1,)"
                       << R"("mean":0,"std":1,"nan":0,"inf":0,"step":)" << step << ",\"site\":\"s" << site << "\"}"
                       << '\n';
        stream << R"({"record":"summary","status":"completed"})" << '\n';
        return file;
    }

    void logs_of_other_work_do_not_pass_data() {
        QTest::addColumn<int>("first_site");
        QTest::addColumn<int>("num_sites");
        QTest::addColumn<int>("num_steps");
        QTest::addColumn<bool>("passes");
        QTest::newRow("equal") << 0 << 10 << 3 << true;
        QTest::newRow("fewer sites") << 0 << 2 << 3 << true;
        QTest::newRow("some other sites") << 4 << 10 << 3 << true;
        QTest::newRow("mostly other sites") << 9 << 10 << 3 << false;
        QTest::newRow("fewer steps") << 0 << 10 << 2 << false;
    }
    void logs_of_other_work_do_not_pass() {
        QFETCH(int, first_site);
        QFETCH(int, num_sites);
        QFETCH(int, num_steps);
        QFETCH(bool, passes);
        const Folder folder;
        const auto a = write_stats(folder / "a.jsonl", 0, 10, 3);
        const auto b = write_stats(folder / "b.jsonl", first_site, num_sites, num_steps);
        const auto report = compare_files(reader_, a, b, kTolerance);
        QCOMPARE(report.passed, passes);
        QCOMPARE(report.num_in_a, 30);
        QCOMPARE(report.num_in_b, num_sites * num_steps);
        if (!passes) QCOMPARE(report.problems.at(0).code, std::string("other_work"));
    }

    void files_that_cannot_be_compared_are_refused() {
        const Folder folder;
        write_frames(folder / "a", 1);
        std::filesystem::create_directory(folder / "empty");
        const auto code = [&](const char* other) {
            return thrown_by([&] { compare_files(reader_, folder / "a", folder / other, kTolerance); }).code();
        };
        QCOMPARE(code("log.jsonl"), ErrorCode::bad_request);
        QCOMPARE(code("empty"), ErrorCode::file_unreadable);
        QCOMPARE(code("nowhere.mp4"), ErrorCode::file_not_found);
    }

private:
    GuardedReader reader_{std::filesystem::path()};
};

QTEST_GUILESS_MAIN(TestCompare)
#include "test_compare.moc"
