#include <QtTest>

#include "ui/models/traffic_light_rule.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

SiteNumbers place(const char* site, const char* dtype, double max_abs, double stops, std::int64_t non_finite = 0) {
    return {site, "transformer", *compute_precision_from(dtype), max_abs, stops, non_finite};
}

NumbersSeen seen(const SiteNumbers& tightest) {
    NumbersSeen now;
    now.latest = StepNumbers{kinescope::Phase::denoise, 16, 0, {place("blocks.0.attn1", "float16", 3, 14.4), tightest}};
    return now;
}

}  // namespace

class TestTrafficLightRule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void waitsForTheFirstNumbers() {
        QCOMPARE(trafficLight({}).state, NumbersState::waiting);
        QCOMPARE(trafficLight({}).title, QStringLiteral("Statistics appear here during a run"));
    }

    void namesPeakAndHeadroomOfFp16() {
        const NumbersLine line = trafficLight(seen(place("blocks.31.ffn", "float16", 312, 7.7)));
        QCOMPARE(line.state, NumbersState::healthy);
        QCOMPARE(line.title, QStringLiteral("Values in range: peak 312 of 65,504 (fp16), 7.7 stops of headroom"));
        QCOMPARE(line.detail, QStringLiteral("2 sites measured at each step."));
    }

    void namesOnlyThePeakOfFloat32() {
        QCOMPARE(trafficLight(seen(place("blocks.3.ffn", "float32", 212, 12))).title,
                 QStringLiteral("Values in range: peak 212 (float32)"));
    }

    void comparesFloat32WithEarlierRuns() {
        NumbersSeen now = seen(place("blocks.3.ffn", "bfloat16", 4310, 12));
        now.usualRatio = 1.1;
        QCOMPARE(trafficLight(now).title, QStringLiteral("Values in range: peak 4,310 (bf16), usual for this model"));
        now.usualRatio = 4.5;
        QCOMPARE(trafficLight(now).title,
                 QStringLiteral("Values in range: peak 4,310 (bf16), one site at 4.50 times its usual peak"));
    }

    void mentionsThatTheGuardOnlyObserves() {
        NumbersSeen now = seen(place("blocks.3.ffn", "float32", 4310, 12));
        now.guard = GuardMode::observe;
        QCOMPARE(trafficLight(now).title, QStringLiteral("Values in range: peak 4,310 (float32) (observing only)"));
    }

    void reportsOnlyInvalidValuesWithoutAGuard() {
        NumbersSeen now = seen(place("blocks.3.ffn", "float32", 4310, 12));
        now.guard = GuardMode::off;
        QCOMPARE(trafficLight(now).title, QStringLiteral("No invalid values: peak 4,310 (float32) (guard off)"));
    }

    void namesTheFindingOfTheGuard() {
        NumbersSeen now = seen(place("blocks.31.ffn", "float16", 18200, 1.8));
        now.finding =
            GuardActed{.site = "transformer.blocks.31.ffn",
                       .found = {.code = "growth", .values = {{"from", "320"}, {"to", "2600"}}, .text = "..."}};
        const NumbersLine line = trafficLight(now);
        QCOMPARE(line.state, NumbersState::close);
        QCOMPARE(line.title, QStringLiteral("Warning: peak grew from 320 to 2,600 in one step"));
        QCOMPARE(line.detail, QStringLiteral("Block 31, feed-forward output"));
    }

    void appliesNoThresholds() {
        QCOMPARE(trafficLight(seen(place("blocks.31.ffn", "float16", 18200, 1.8))).state, NumbersState::healthy);
    }

    void countsHealedSteps() {
        NumbersSeen now = seen(place("blocks.31.ffn", "float16", 312, 7.7));
        now.repairs = 1;
        now.lastRepair = 16;
        QCOMPARE(trafficLight(now).state, NumbersState::healed);
        QCOMPARE(trafficLight(now).detail, QStringLiteral("Healed once, at step 17. Nothing was lost."));
        now.repairs = 3;
        QCOMPARE(trafficLight(now).detail, QStringLiteral("Healed 3 times, last at step 17. Nothing was lost."));
    }

    void aKnownOverrideIsNotARepair() {
        NumbersSeen now = seen(place("blocks.31.ffn", "float16", 312, 7.7));
        now.knownOverrides = 2;
        QCOMPARE(trafficLight(now).state, NumbersState::healthy);
        QVERIFY2(trafficLight(now).detail.endsWith("known overrides applied from the start. No step had to be healed."),
                 qPrintable(trafficLight(now).detail));
        now.repairs = 1;
        QCOMPARE(trafficLight(now).state, NumbersState::healed);
    }

    void aRepetitionIsNotARepair() {
        NumbersSeen now = seen(place("blocks.31.ffn", "float16", 39812, 0.7));
        now.repeating = place("blocks.31.ffn", "float16", 39812, 0.7);
        QCOMPARE(trafficLight(now).title, QStringLiteral("Checking step 17 again: block 31, feed-forward output"));
    }

    void showsAnOngoingRepair() {
        NumbersSeen now = seen(place("blocks.31.ffn", "float16", 39812, 0.7));
        now.repairing = place("blocks.31.ffn", "float16", 39812, 0.7);
        QCOMPARE(trafficLight(now).title, QStringLiteral("Healing step 17: block 31, feed-forward output"));
    }

    void neverShowsHealthyWithNan() {
        const NumbersLine line = trafficLight(seen(place("blocks.12.attn1", "float32", 3, 0, 14)));
        QCOMPARE(line.title, QStringLiteral("Invalid values at step 17: block 12, attention output"));
        QCOMPARE(line.state, NumbersState::close);
        QCOMPARE(line.detail, QStringLiteral("NaN or infinite values: 14."));
    }

    void valuesThatWereNotCountedAreALeastNumber() {
        SiteNumbers found = place("blocks.12.attn1", "float32", 3, 0, 1);
        found.isCounted = false;
        QCOMPARE(trafficLight(seen(found)).detail, QString::fromUtf8("NaN or infinite values: ≥ 1."));
    }

    void namesThePlaceOfAStop() {
        NumbersSeen now = seen(place("blocks.12.attn1", "float32", 3, 0, 14));
        now.stop = NumericStop{.site = "blocks.12.attn1", .step = 3};
        QCOMPARE(trafficLight(now).state, NumbersState::stopped);
        QCOMPARE(trafficLight(now).title,
                 QStringLiteral("Stopped at step 3: invalid values in block 12, attention output"));
        now.stop->onlyObserved = true;
        QCOMPARE(trafficLight(now).title, QStringLiteral("Invalid values since step 3: block 12, attention output"));
        QVERIFY(trafficLight(now).detail.startsWith("The guard only observed, so the run went on."));
        now.stop = NumericStop{.site = "decoder"};
        QVERIFY(trafficLight(now).title.startsWith("Stopped: invalid values in "));
    }

    void aStopIsReadFromTheError() {
        const auto error = [](const char* phase, const char* guard) {
            return Error(ErrorCode::not_finite, "x", "",
                         {{"site", "blocks.2.attn1.to_q"}, {"step", "1"}, {"phase", phase}, {"guard", guard}});
        };
        const NumericStop observed = stopOf(error("denoise", "observe"));
        QCOMPARE(observed.site, std::string("blocks.2.attn1.to_q"));
        QCOMPARE(observed.step, 1);
        QVERIFY(observed.onlyObserved);
        QCOMPARE(stopOf(error("decode", "heal")).step, 0);
        QVERIFY(!stopOf(error("denoise", "heal")).onlyObserved);
        QCOMPARE(stopOf(Error(ErrorCode::not_finite, "x")).site, std::string("latents"));
    }
};

QTEST_GUILESS_MAIN(TestTrafficLightRule)
#include "test_traffic_light_rule.moc"
