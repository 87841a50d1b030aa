#include <QtTest>

#include "tests/support/chinese.h"
#include "ui/panels/event_words.h"
#include "ui/panels/precision_rows.h"
#include "ui/text/guard_words.h"
#include "ui/text/policy_words.h"
#include "ui/widgets/language.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

constexpr int kDenoise = static_cast<int>(Phase::denoise);

ComputePrecision precision(const char* text) {
    return *compute_precision_from(text);
}

GuardActed repair(int step, const char* before, const char* after) {
    return {.phase = Phase::denoise,
            .step = step,
            .site = "transformer.blocks.3.ffn",
            .detector = Detector::block,
            .found = {.text = "2 Inf"},
            .action = GuardAction::raise,
            .before = precision(before),
            .after = precision(after),
            .attempt = 0,
            .seconds = 1.5};
}

RunFacts factsWith(std::vector<GuardActed> repairs) {
    RunFacts facts;
    facts.policy = {{.component = "text_encoder", .compute = "float32", .accumulation = "float32"},
                    {.component = "transformer", .compute = "float16", .accumulation = "float32"},
                    {.component = "vae", .compute = "float32", .accumulation = "float32"}};
    facts.progress.numSteps = 10;
    facts.repairs = std::move(repairs);
    return facts;
}

}  // namespace

class TestPrecisionRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reasonsAreChineseInAChineseWindow() {
        ui::chooseLanguage(QStringLiteral("zh_CN"));
        for (const char* requested : {"auto", "fp16"})
            for (const char* component : {"transformer", "vae", "text_encoder"})
                for (const char* compute : {"float32", "bfloat16", "float16"})
                    for (const char* device : {"cpu", "cuda:0"}) {
                        ComponentPolicy part;
                        part.component = component;
                        part.storage = "bfloat16";
                        part.compute = compute;
                        part.device = device;
                        part.requested = requested;
                        part.reason = "the engine's own words stand here";
                        const QString words = reasonOf(part);
                        QVERIFY2(kinescope::testing::isChinese(words), qPrintable(words));
                    }
        ui::chooseLanguage(QStringLiteral("en"));
        ComponentPolicy part;
        part.reason = "float32: the exact choice";
        QCOMPARE(reasonOf(part), QStringLiteral("float32: the exact choice"));
    }

    void eachComponentHasARowInItsPhase() {
        const auto rows = precisionRows(factsWith({}));
        QCOMPARE(rows.size(), 3);
        QCOMPARE(rows[0].spans[0].from.phase, static_cast<int>(Phase::encode));
        QCOMPARE(rows[1].spans[0].from.phase, kDenoise);
        QCOMPARE(rows[1].spans[0].text, QStringLiteral("fp16"));
        QCOMPARE(rows[2].spans[0].from.phase, static_cast<int>(Phase::decode));
    }

    void halfPrecisionAccumulationIsShown() {
        RunFacts facts = factsWith({});
        facts.policy[1].accumulation = "half precision allowed";
        QCOMPARE(precisionRows(facts)[1].spans[0].text, QStringLiteral("fp16, half-precision sums"));
    }

    void aRepairedSiteShowsItsPrecisionsOverTime() {
        const RunFacts facts = factsWith({repair(4, "float16", "float16 scaled"), repair(6, "float32", "float32")});
        const auto rows = precisionRows(facts);
        QCOMPARE(rows.size(), 4);
        QCOMPARE(rows[3].name, QStringLiteral("Block 3, feed-forward output"));
        QCOMPARE(rows[3].spans.size(), 3);
        QCOMPARE(rows[3].spans[0].text, QStringLiteral("fp16"));
        QCOMPARE(rows[3].spans[0].to, (PhaseMoment{kDenoise, 0.4}));
        QCOMPARE(rows[3].spans[1].text, QStringLiteral("scaled fp16"));
        QCOMPARE(rows[3].spans[1].to, (PhaseMoment{kDenoise, 0.6}));
        QCOMPARE(rows[3].spans[2].text, QStringLiteral("float32"));
        QCOMPARE(repairMoments(facts).size(), 2);
    }

    void twoRepairsInOneStepShareOneSpan() {
        const auto rows =
            precisionRows(factsWith({repair(0, "float16", "float16 scaled"), repair(0, "float32", "float32")}));
        QCOMPARE(rows[3].spans.size(), 1);
        QCOMPARE(rows[3].spans[0].text, QStringLiteral("float32"));
    }

    void actionsOfTheGuardAreDescribed_data() {
        QTest::addColumn<GuardAction>("action");
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("body");
        const auto row = [](GuardAction action, const char* title, const char* body) {
            QTest::newRow(to_string(action).c_str()) << action << QString(title) << QString(body);
        };
        row(GuardAction::raise, "Step healed: precision of one op raised", "The step was repeated with this op");
        row(GuardAction::raise_ahead, "Precision of one op raised as a precaution", "starting with the next step");
        row(GuardAction::raise_component, "Step healed: precision of one component raised",
            "in float32. This took 1.5 s.");
        row(GuardAction::accumulate_float32, "Half-precision accumulation turned off",
            "repeated with float32 accumulation");
        row(GuardAction::move_to_cpu, "Component moved to the CPU", "runs again on the CPU");
        row(GuardAction::stream_blocks, "Out of GPU memory: blocks are now streamed", "gives the same result");
        row(GuardAction::decode_in_parts, "Out of GPU memory: decoding in smaller parts", "in smaller parts");
        row(GuardAction::repeat, "Step repeated", "repeated while observing every op");
        row(GuardAction::warn, "Warning", "2 Inf");
        row(GuardAction::observe, "Finding recorded, no action taken", "The guard is set to Observe");
        row(GuardAction::learned, "Known override applied", "from the start because an earlier run needed it");
        row(GuardAction::stop, "Stopped: invalid values (NaN or infinity)", "There is no finished video");
    }

    void actionsOfTheGuardAreDescribed() {
        QFETCH(GuardAction, action);
        QFETCH(QString, title);
        QFETCH(QString, body);
        GuardActed acted = repair(4, "float16", "float16 scaled");
        acted.action = action;
        const EventText text = eventText(acted, QTime(14, 5));
        QCOMPARE(text.title, title);
        QVERIFY2(text.body.contains(body), qPrintable(text.body));
        // Actions that save memory apply to a whole component, so their texts do not name a site.
        const QString place = QStringLiteral("Block 3, feed-forward output");
        QCOMPARE(text.body.contains(place), !saves_memory(action));
        QVERIFY2(text.when.startsWith("step 5, ") && text.when.contains("05"), qPrintable(text.when));
    }

    void onlyActionsThatChangeTheRunAreRepairs() {
        using enum GuardAction;
        for (const GuardAction action : {raise, raise_ahead, raise_component, accumulate_float32, move_to_cpu})
            QVERIFY2(is_repair(action), to_string(action).c_str());
        for (const GuardAction action : {warn, observe, repeat, learned, stop})
            QVERIFY2(!is_repair(action), to_string(action).c_str());
        QVERIFY(runsAgain(repeat) && runsAgain(raise));
        QVERIFY(!runsAgain(raise_ahead) && !runsAgain(learned));
    }

    void aKnownOverrideHasARowAndNoRepairMark() {
        GuardActed learned = repair(0, "float16", "float16 scaled");
        learned.before = AsPlanned();
        learned.phase = Phase::load;
        learned.action = GuardAction::learned;
        RunFacts facts = factsWith({});
        facts.knownOverrides = {learned};
        const auto rows = precisionRows(facts);
        QCOMPARE(rows.size(), 4);
        QCOMPARE(rows[3].spans.size(), 1);
        QCOMPARE(rows[3].spans[0].from, (PhaseMoment{kDenoise, 0}));
        QCOMPARE(rows[3].spans[0].text, QStringLiteral("scaled fp16"));
        QVERIFY(repairMoments(facts).isEmpty());
    }

    void int8IsShown() {
        ComponentPolicy part{.component = "transformer", .storage = "float32", .compute = "float32", .device = "cpu"};
        QVERIFY(!policyText(part).contains("int8"));
        part.storage = "int8";
        QVERIFY(policyText(part).contains("int8"));
    }
};

QTEST_MAIN(TestPrecisionRows)
#include "test_precision_rows.moc"
