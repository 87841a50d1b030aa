#include <QTest>

#include "core/numerics/numerics_guard.h"

using namespace kinescope;

namespace {

NumericSample sample(const std::string& site, const std::string& dtype, std::int64_t inf = 0) {
    NumericSample made{.component = "transformer", .site = site, .dtype = dtype};
    made.stats = {.count = 8, .inf = inf};
    return made;
}

}  // namespace

class TestNumericsGuard : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void finite_numbers_go_on() {
        QVERIFY(decide({sample("blocks.0.ffn", "float16")}, {}).action == GuardDecision::Action::go_on);
        QVERIFY(decide({}, {}).action == GuardDecision::Action::go_on);
    }

    void the_ladder_data() {
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<int>("now");
        QTest::addColumn<int>("next");  // -1: the run stops
        QTest::newRow("float16 is scaled first") << "float16" << 0 << static_cast<int>(Rung::scaled);
        QTest::newRow("scaled becomes float32")
            << "float32" << static_cast<int>(Rung::scaled) << static_cast<int>(Rung::float32);
        QTest::newRow("scaling is no cure for bfloat16") << "bfloat16" << 0 << static_cast<int>(Rung::float32);
        QTest::newRow("float32 is the end") << "float32" << 0 << -1;
        QTest::newRow("raised float32 is the end, too") << "float32" << static_cast<int>(Rung::float32) << -1;
    }
    void the_ladder() {
        QFETCH(QString, dtype);
        QFETCH(int, now);
        QFETCH(int, next);
        PrecisionOverrides overrides;
        overrides.raise({"transformer", "blocks.1.ffn", static_cast<Rung>(now)});
        const std::vector<NumericSample> samples = {sample("blocks.1.attn1", "float32"),
                                                    sample("blocks.1.ffn", dtype.toStdString(), 3)};
        const GuardDecision decision = decide(samples, overrides);
        QCOMPARE(decision.offender, &samples[1]);
        if (next < 0) {
            QVERIFY(decision.action == GuardDecision::Action::stop);
            return;
        }
        QVERIFY(decision.action == GuardDecision::Action::retry);
        QCOMPARE(*decision.raise, (PrecisionOverride{"transformer", "blocks.1.ffn", static_cast<Rung>(next)}));
    }

    void the_whole_component_comes_last() {
        PrecisionOverrides overrides;
        overrides.raise({"transformer", "blocks.1.ffn", Rung::float32});
        const std::vector<NumericSample> samples = {sample("blocks.0.attn1", "float16"),
                                                    sample("blocks.1.ffn", "float32", 3)};
        QCOMPARE(*decide(samples, overrides).raise, (PrecisionOverride{"transformer", "", Rung::float32}));
        overrides.raise({"transformer", "", Rung::float32});
        QVERIFY(decide(samples, overrides).action == GuardDecision::Action::stop);
    }

    void too_many_offenders_raise_the_component_at_once() {
        std::vector<NumericSample> samples = {sample("blocks.1.ffn", "float16", 3)};
        samples[0].attempt = kMaxAttempts;
        QCOMPARE(*decide(samples, {}).raise, (PrecisionOverride{"transformer", "", Rung::float32}));
    }

    void an_override_holds_for_everything_below_its_site() {
        PrecisionOverrides overrides;
        overrides.raise({"transformer", "blocks.1", Rung::scaled});
        overrides.raise({"transformer", "blocks.1", Rung::planned});
        QVERIFY(overrides.rung("transformer", "blocks.1.ffn") == Rung::scaled);
        QVERIFY(overrides.rung("transformer", "blocks.10.ffn") == Rung::planned);
        QVERIFY(overrides.rung("vae", "blocks.1") == Rung::planned);
        overrides.raise({"transformer", "", Rung::float32});
        QVERIFY(overrides.rung("transformer", "blocks.10.ffn") == Rung::float32);
        QCOMPARE(overrides.list().size(), std::size_t{2});
    }
};

QTEST_GUILESS_MAIN(TestNumericsGuard)
#include "test_numerics_guard.moc"
