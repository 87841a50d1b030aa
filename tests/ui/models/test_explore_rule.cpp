#include <QtTest>
#include <limits>
#include <optional>

#include "ui/models/explore_rule.h"

using namespace kinescope;
using namespace kinescope::ui;

class TestExploreRule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void promptsAreCounted_data() {
        QTest::addColumn<QString>("prompt");
        QTest::addColumn<int>("count");
        QTest::newRow("none") << "a red ball" << 1;
        QTest::newRow("two places") << "a {red|blue} {ball|square|star}" << 6;
        QTest::newRow("braces without alternatives") << "a {red} ball" << 1;
        QTest::newRow("too many") << QStringLiteral("{a|b|c|d}").repeated(6) << 0;
    }

    void promptsAreCounted() {
        QFETCH(QString, prompt);
        QFETCH(int, count);
        QCOMPARE(numPrompts(prompt.toStdString()).value_or(0), count);
    }

    void neighborsVaryTheSeed() {
        VideoRequest picked;
        picked.seed = 7;
        picked.output.file = "a.mp4";
        const auto found = neighbors(picked, 3, {});
        QCOMPARE(found.size(), std::size_t{3});
        QCOMPARE(found[0].variation_of, std::optional<std::uint64_t>(7));
        QCOMPARE(found[0].seed, std::optional<std::uint64_t>(8));
        QCOMPARE(found[2].seed, std::optional<std::uint64_t>(10));
        QVERIFY(found[0].output.file.empty());
        picked.seed = std::numeric_limits<std::uint64_t>::max();
        QCOMPARE(neighbors(picked, 2, {})[1].seed, std::optional<std::uint64_t>(1));
    }

    void neighborsOfAVariationStayOnItsArc() {
        VideoRequest picked;
        picked.seed = 8;
        picked.variation_of = 7;
        picked.variation_strength = 0.05;
        std::vector<double> strengths;
        for (const VideoRequest& one : neighbors(picked, 4, {})) {
            QCOMPARE(one.seed, std::optional<std::uint64_t>(8));
            QCOMPARE(one.variation_of, std::optional<std::uint64_t>(7));
            strengths.push_back(*one.variation_strength);
        }
        QCOMPARE(strengths, (std::vector<double>{0.1, 0.0, 0.15, 0.2}));
        QVERIFY(neighbors(picked, 64, {}).size() < 25);
    }

    /// A second "More like this" makes other videos than the first one.
    void neighborsAreNotMadeTwice() {
        VideoRequest picked;
        picked.seed = 7;
        auto known = neighbors(picked, 2, {});
        known[0].output.file = "a.mp4";  // as submitted
        const auto more = neighbors(picked, 2, known);
        QCOMPARE(more.size(), std::size_t{2});
        QCOMPARE(more[0].seed, std::optional<std::uint64_t>(10));
        picked.variation_of = 6;
        QVERIFY(neighbors(picked, 64, neighbors(picked, 64, {})).empty());
    }

    void theLongestPromptCounts() {
        QCOMPARE(longestPrompt("a {red|very blue} ball"), std::string("a very blue ball"));
        QCOMPARE(longestPrompt("a {red} ball"), std::string("a {red} ball"));
        const std::string many = QStringLiteral("{a|b|c|d}").repeated(6).toStdString();
        QCOMPARE(longestPrompt(many), many);
    }
};

QTEST_MAIN(TestExploreRule)
#include "test_explore_rule.moc"
