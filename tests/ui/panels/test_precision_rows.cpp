#include <QtTest>

#include "tests/support/chinese.h"
#include "ui/models/policy_words.h"
#include "ui/panels/event_words.h"
#include "ui/panels/precision_rows.h"
#include "ui/widgets/language.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

constexpr int kDenoise = static_cast<int>(Phase::denoise);

GuardActed repair(int step, const std::string& before, const std::string& after) {
    return {.phase = Phase::denoise,
            .step = step,
            .site = "transformer.blocks.3.ffn",
            .detector = "S2",
            .found = {.text = "2 Inf"},
            .action = "retry",
            .before = before,
            .after = after,
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

    void sumsInHalfPrecisionAreSaidAloud() {
        RunFacts facts = factsWith({});
        facts.policy[1].accumulation = "half precision allowed";
        QCOMPARE(precisionRows(facts)[1].spans[0].text, QStringLiteral("fp16, half sums"));
    }

    void aRepairedPlaceShowsWhatItRanInAndRunsInNow() {
        const RunFacts facts = factsWith({repair(4, "float16", "float16 scaled"), repair(6, "float32", "float32")});
        const auto rows = precisionRows(facts);
        QCOMPARE(rows.size(), 4);
        QCOMPARE(rows[3].name, QStringLiteral("Block 3, feed-forward output"));
        QCOMPARE(rows[3].spans.size(), 3);
        QCOMPARE(rows[3].spans[0].text, QStringLiteral("fp16"));
        QCOMPARE(rows[3].spans[0].to, (PhaseMoment{kDenoise, 0.4}));
        QCOMPARE(rows[3].spans[1].text, QStringLiteral("fp16, scaled"));
        QCOMPARE(rows[3].spans[1].to, (PhaseMoment{kDenoise, 0.6}));
        QCOMPARE(rows[3].spans[2].text, QStringLiteral("float32"));
        QCOMPARE(repairMoments(facts).size(), 2);
    }

    void twoRepairsOfOneStepAreOneSpan() {
        const auto rows =
            precisionRows(factsWith({repair(0, "float16", "float16 scaled"), repair(0, "float32", "float32")}));
        QCOMPARE(rows[3].spans.size(), 1);
        QCOMPARE(rows[3].spans[0].text, QStringLiteral("float32"));
    }

    void theGuardSpeaksInWords_data() {
        QTest::addColumn<QString>("action");
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("body");
        QTest::newRow("retry") << "retry"
                               << "One layer was repaired"
                               << "Redone scaled, in fp16; cost 1.5 s";
        QTest::newRow("warn") << "warn"
                              << "Worth a look"
                              << "2 Inf";
        QTest::newRow("observe") << "observe"
                                 << "Seen, and left alone"
                                 << "The guard only watches";
        QTest::newRow("learned") << "learned"
                                 << "A repair of an earlier run is in place"
                                 << "scaled, in fp16 from the start";
        QTest::newRow("stop") << "stop"
                              << "Stopped: a value is not a number"
                              << "No video was marked as finished";
    }

    void theGuardSpeaksInWords() {
        QFETCH(QString, action);
        QFETCH(QString, title);
        QFETCH(QString, body);
        GuardActed acted = repair(4, "float16", "float16 scaled");
        acted.action = action.toStdString();
        const EventText text = eventText(acted);
        QCOMPARE(text.title, title);
        QVERIFY2(text.body.contains(body), qPrintable(text.body));
        QVERIFY(text.body.contains(QStringLiteral("Block 3, feed-forward output")));
    }

    void int8IsSaid() {
        ComponentPolicy part{.component = "transformer", .storage = "float32", .compute = "float32", .device = "cpu"};
        QVERIFY(!policySentence(part).contains("int8"));
        part.storage = "int8";
        QVERIFY(policySentence(part).contains("int8"));
    }
};

QTEST_MAIN(TestPrecisionRows)
#include "test_precision_rows.moc"
