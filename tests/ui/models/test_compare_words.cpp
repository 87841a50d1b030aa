#include <QtTest>

#include <limits>

#include "ui/text/compare_words.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

CompareReport logs(double largest, const std::string& first) {
    CompareReport report{.kind = "logs"};
    report.first_difference = first;
    report.largest_difference = largest;
    report.num_compared = 120;
    report.passed = first.empty();
    return report;
}

CompareReport videos(double psnr_db, const std::string& first) {
    CompareReport report{.kind = "videos"};
    report.first_difference = first;
    report.num_compared = 49;
    report.psnr_db = psnr_db;
    report.passed = first.empty();
    return report;
}

}  // namespace

class TestCompareWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void withoutDataThereIsNoVerdict() { QCOMPARE(compareVerdict({}).title, QStringLiteral("Select two runs")); }

    void identicalRuns() {
        QCOMPARE(compareVerdict({.videos = {}, .logs = logs(0, ""), .settings = {}}).agreement, Agreement::same);
        const double infinite = std::numeric_limits<double>::infinity();
        const CompareVerdict verdict = compareVerdict({.videos = videos(infinite, ""), .logs = {}, .settings = {}});
        QCOMPARE(verdict.title, QStringLiteral("The runs are identical"));
        QVERIFY(verdict.sentence.endsWith("PSNR: ∞ (identical)."));
    }

    void runsWithinTolerance() {
        const CompareVerdict verdict = compareVerdict({.videos = videos(48.25, ""), .logs = {}, .settings = {}});
        QCOMPARE(verdict.title, QStringLiteral("The runs agree within tolerance"));
        QVERIFY(verdict.sentence.contains("48.2 dB") || verdict.sentence.contains("48.3 dB"));
    }

    void theFirstDifferenceIsNamed() {
        const Comparison comparison{
            .videos = videos(18.4, "frame 3: 18 dB"),
            .logs = logs(0.21, "step 6, transformer blocks.12.attn1 (cond): max_abs 12.3 against 12.9"),
            .settings = {{"attention", "fast", "standard"}}};
        const CompareVerdict verdict = compareVerdict(comparison);
        QCOMPARE(verdict.agreement, Agreement::part);
        QVERIFY2(
            verdict.sentence.startsWith("First difference: step 6, block 12, attention output: peak 12.3 vs. 12.9."),
            qPrintable(verdict.sentence));
        QVERIFY(comparisonReport(comparison).contains("attention: fast | standard"));
    }

    /// Absolute values can be misleading: a doubled deviation can be a small relative difference.
    void theFirstDifferenceDoesNotContradictTheLargest() {
        CompareReport report = logs(0.002, "step 1, transformer blocks.0 (cond): std 0.31 against 0.15");
        report.first_relative = 0.0015;
        report.num_other_count = 3;
        const QString sentence = compareVerdict({.videos = {}, .logs = report, .settings = {}}).sentence;
        QVERIFY2(sentence.contains("0.31 vs. 0.15 (0.15 % of the largest value)"), qPrintable(sentence));
        QVERIFY2(sentence.contains("Largest difference: 0.2 % of the largest value."), qPrintable(sentence));
        QVERIFY2(sentence.contains("statistics were not compared because their tensors differ in size."),
                 qPrintable(sentence));
    }

    void incompleteLogsAreNotComparable() {
        CompareReport report = logs(0, "");
        report.passed = false;
        report.problems = {{.code = "log_ends_early", .values = {{"file", "b.jsonl"}}, .text = "x"}};
        const CompareVerdict verdict = compareVerdict({.videos = {}, .logs = report, .settings = {}});
        QCOMPARE(verdict.agreement, Agreement::notComparable);
        QCOMPARE(
            verdict.sentence,
            QStringLiteral("b.jsonl is incomplete: the run was killed or is still in progress, or the disk was full."));
    }

    void videosOfDifferentSizesAreNamedAndTheirLogsCompared() {
        CompareReport frames{.kind = "videos"};
        frames.problems = {{.code = "sizes_differ", .values = {{"a", "96x64"}, {"b", "128x96"}}, .text = "x"}};
        const auto verdictWith = [&](const std::optional<CompareReport>& log) {
            return compareVerdict({.videos = frames, .logs = log, .settings = {{"width", "96", "128"}}});
        };
        const CompareVerdict verdict = verdictWith({});
        QCOMPARE(verdict.agreement, Agreement::notComparable);
        QCOMPARE(verdict.title, QStringLiteral("The videos differ in size: 96x64 and 128x96"));
        QCOMPARE(verdict.sentence, QStringLiteral("Frames of different sizes can't be compared."));
        QCOMPARE(verdictWith(logs(0, "")).title, verdict.title);
        QVERIFY(verdictWith(logs(0, "")).sentence.startsWith("120 statistic"));
        QVERIFY(verdictWith(logs(0.2, "step 6, transformer blocks.12.attn1 (cond): max_abs 12.3 against 12.9"))
                    .sentence.startsWith("First difference: step 6, block 12"));
        QVERIFY(!comparisonReport({.videos = frames}).contains("PSNR"));
    }

    void firstDifferencesAreFormatted() {
        QCOMPARE(firstDifferenceText("frame 3: 31.200000 dB"), QStringLiteral("frame 3: 31.2 dB"));
        QCOMPARE(firstDifferenceText("one video ends"), QStringLiteral("one video ends"));
    }

    void differentSeedsAreNotComparable() {
        const CompareVerdict verdict = compareVerdict({.videos = videos(9, "frame 1: 9 dB"),
                                                       .logs = {},
                                                       .settings = {{"guidance_scale", "5", "6"}, {"seed", "7", "8"}}});
        QCOMPARE(verdict.agreement, Agreement::notComparable);
        QCOMPARE(verdict.sentence, QStringLiteral("Seed: 7 in A, 8 in B."));
    }

    void ssimIsAveragedOverCommonFrames() {
        const auto picture = [](int width, std::uint8_t value) {
            return std::make_shared<const Frame>(
                Frame{width, 8, std::vector<std::uint8_t>(static_cast<std::size_t>(24 * width), value)});
        };
        const std::vector<FramePtr> grey{picture(8, 90), picture(8, 90)};
        QCOMPARE(meanSsim(grey, {picture(8, 90)}), std::optional(1.0));
        QVERIFY(*meanSsim(grey, {picture(8, 200), picture(8, 90)}) < 0.95);
        QVERIFY(!meanSsim(grey, {picture(16, 90)}));
        QVERIFY(!meanSsim(grey, {}));
    }

    void settingsOfTwoRequests() {
        VideoRequest a;
        a.prompt = "a ball";
        a.seed = 7;
        a.output.file = "a.mp4";
        VideoRequest b = a;
        b.seed = 8;
        b.output.file = "b.mp4";
        QCOMPARE(settingDifferences(a, b), (QList<SettingDifference>{{"seed", "7", "8"}}));
        QVERIFY(settingDifferences(a, a).isEmpty());
    }

    void settingsOfTwoLogs() {
        CompareReport report = logs(0, "");
        report.requests = {"seed: 7 against 8", "transformer computes in: float16 against float32",
                           "output.file: a against b"};
        const QList<SettingDifference> expected{{"seed", "7", "8"}, {"transformer computes in", "float16", "float32"}};
        QCOMPARE(settingDifferences(report), expected);
    }
};

QTEST_GUILESS_MAIN(TestCompareWords)
#include "test_compare_words.moc"
