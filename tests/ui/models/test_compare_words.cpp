#include <QtTest>

#include <limits>

#include "ui/text/compare_words.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

CompareReport logs(double largest, const std::optional<StatisticDifference>& first) {
    CompareReport report{.kind = CompareKind::logs};
    report.first_difference = first;
    report.largest_difference = largest;
    report.num_compared = 120;
    report.passed = !first;
    return report;
}

CompareReport videos(double psnr_db, const std::optional<FirstDifference>& first) {
    CompareReport report{.kind = CompareKind::videos};
    report.first_difference = first;
    report.num_compared = 49;
    report.psnr_db = psnr_db;
    report.passed = !first;
    return report;
}

/// A difference of the peak of a site of the denoiser in step 6.
StatisticDifference peakDiffers(const char* site, double a, double b) {
    return {.place = {.phase = "denoise", .step = 5, .branch = "cond", .component = "transformer", .site = site},
            .statistic = Statistic::max_abs,
            .a = a,
            .b = b};
}

}  // namespace

class TestCompareWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void withoutDataThereIsNoVerdict() { QCOMPARE(compareVerdict({}).title, QStringLiteral("Select two runs")); }

    void identicalRuns() {
        QCOMPARE(compareVerdict({.videos = {}, .logs = logs(0, {}), .settings = {}}).agreement, Agreement::same);
        const double infinite = std::numeric_limits<double>::infinity();
        const CompareVerdict verdict = compareVerdict({.videos = videos(infinite, {}), .logs = {}, .settings = {}});
        QCOMPARE(verdict.title, QStringLiteral("The runs are identical"));
        QVERIFY(verdict.sentence.endsWith("PSNR: ∞ (identical)."));
    }

    void runsWithinTolerance() {
        const CompareVerdict verdict = compareVerdict({.videos = videos(48.25, {}), .logs = {}, .settings = {}});
        QCOMPARE(verdict.title, QStringLiteral("The runs agree within tolerance"));
        QVERIFY(verdict.sentence.contains("48.2 dB") || verdict.sentence.contains("48.3 dB"));
    }

    void theFirstDifferenceIsNamed() {
        const Comparison comparison{.videos = videos(18.4, FrameDifference{.frame = 2, .psnr_db = 18}),
                                    .logs = logs(0.21, peakDiffers("blocks.12.attn1", 12.3, 12.9)),
                                    .settings = {{"attention", "fast", "standard"}}};
        const CompareVerdict verdict = compareVerdict(comparison);
        QCOMPARE(verdict.agreement, Agreement::part);
        QVERIFY2(
            verdict.sentence.startsWith("First difference: step 6, block 12, attention output: peak 12.3 vs. 12.9."),
            qPrintable(verdict.sentence));
        const QString report = comparisonReport(comparison);
        QVERIFY2(report.contains("Numeric logs: step 6, block 12, attention output: peak 12.3 vs. 12.9\n"),
                 qPrintable(report));
        QVERIFY2(report.contains("Videos: frame 3: 18.0 dB\n"), qPrintable(report));
        QVERIFY2(report.contains(settingName({"attention", {}, {}}) + ": fast | standard\n"), qPrintable(report));
    }

    /// Absolute values can be misleading: a doubled deviation can be a small relative difference.
    void theFirstDifferenceDoesNotContradictTheLargest() {
        StatisticDifference first = peakDiffers("blocks.0", 0.31, 0.15);
        first.statistic = Statistic::std;
        first.relative = 0.0015;
        CompareReport report = logs(0.002, first);
        report.num_other_count = 3;
        const QString sentence = compareVerdict({.videos = {}, .logs = report, .settings = {}}).sentence;
        QVERIFY2(sentence.contains("0.31 vs. 0.15 (0.15 % of the largest value)"), qPrintable(sentence));
        QVERIFY2(sentence.contains("Largest difference: 0.2 % of the largest value."), qPrintable(sentence));
        QVERIFY2(sentence.contains("statistics were not compared because their tensors differ in size."),
                 qPrintable(sentence));
    }

    void incompleteLogsAreNotComparable() {
        CompareReport report = logs(0, {});
        report.passed = false;
        report.problems = {{.code = "log_ends_early", .values = {{"file", "b.jsonl"}}, .text = "x"}};
        const CompareVerdict verdict = compareVerdict({.videos = {}, .logs = report, .settings = {}});
        QCOMPARE(verdict.agreement, Agreement::notComparable);
        QCOMPARE(
            verdict.sentence,
            QStringLiteral("b.jsonl is incomplete: the run was killed or is still in progress, or the disk was full."));
    }

    void videosOfDifferentSizesAreNamedAndTheirLogsCompared() {
        CompareReport frames{.kind = CompareKind::videos};
        frames.problems = {{.code = "sizes_differ", .values = {{"a", "96x64"}, {"b", "128x96"}}, .text = "x"}};
        const auto verdictWith = [&](const std::optional<CompareReport>& log) {
            return compareVerdict({.videos = frames, .logs = log, .settings = {{"width", "96", "128"}}});
        };
        const CompareVerdict verdict = verdictWith({});
        QCOMPARE(verdict.agreement, Agreement::notComparable);
        QCOMPARE(verdict.title, QStringLiteral("The videos differ in size: 96x64 and 128x96"));
        QCOMPARE(verdict.sentence, QStringLiteral("Frames of different sizes can't be compared."));
        QCOMPARE(verdictWith(logs(0, {})).title, verdict.title);
        QVERIFY(verdictWith(logs(0, {})).sentence.startsWith("120 statistic"));
        QVERIFY(verdictWith(logs(0.2, peakDiffers("blocks.12.attn1", 12.3, 12.9)))
                    .sentence.startsWith("First difference: step 6, block 12"));
        QVERIFY(!comparisonReport({.videos = frames}).contains("PSNR"));
    }

    void firstDifferencesAreFormatted() {
        QCOMPARE(firstDifferenceText(FrameDifference{.frame = 2, .psnr_db = 31.2}), QStringLiteral("frame 3: 31.2 dB"));
        QCOMPARE(firstDifferenceText(LengthDifference{.num_frames = 2}),
                 QStringLiteral("one video ends after frame 2"));
    }

    void differencesOutsideTheStepsNameTheirPhase_data() {
        QTest::addColumn<QString>("phase");
        QTest::addColumn<QString>("words");
        QTest::newRow("encode") << "encode"
                                << "encoding, latents: peak 1 vs. 2";
        QTest::newRow("decode") << "decode"
                                << "decoding, latents: peak 1 vs. 2";
        QTest::newRow("of a newer version") << "refine"
                                            << "refine, latents: peak 1 vs. 2";
    }
    void differencesOutsideTheStepsNameTheirPhase() {
        QFETCH(QString, phase);
        StatisticDifference found = peakDiffers("latents", 1, 2);
        found.place.phase = phase.toStdString();
        QTEST(firstDifferenceText(found), "words");
    }

    void differentSeedsAreNotComparable() {
        const CompareVerdict verdict = compareVerdict({.videos = videos(9, FrameDifference{.frame = 0, .psnr_db = 9}),
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
        CompareReport report = logs(0, {});
        report.settings = {{SettingAspect::field, "seed", "7", "8"},
                           {SettingAspect::field, "negative_prompt", "", "\"a \\\"b\\\" against c: d\""},
                           {SettingAspect::compute, "transformer", "\"float16\"", "\"float32\""}};
        const QList<SettingDifference> expected{{"seed", "7", "8"},
                                                {"negative_prompt", "–", "a \"b\" against c: d"},
                                                {"transformer", "float16", "float32", SettingAspect::compute}};
        QCOMPARE(settingDifferences(report), expected);
    }
};

QTEST_GUILESS_MAIN(TestCompareWords)
#include "test_compare_words.moc"
