#include <QtTest>

#include "ui/models/log_differences.h"

using namespace kinescope::ui;

namespace {

QByteArray stat(int step, const char* site, double max, int attempt = 0) {
    return QStringLiteral(R"({"record":"stat","phase":"denoise","step":%1,"attempt":%2,"branch":"cond",)"
                          R"("component":"transformer","site":"%3","min":-1,"max":%4,"max_abs":%4,"mean":0,"std":1})")
               .arg(step)
               .arg(attempt)
               .arg(QLatin1String(site))
               .arg(max)
               .toUtf8() +
           '\n';
}

QByteArray step(int number, const QByteArray& counts) {
    return R"({"record":"step","step":)" + QByteArray::number(number) +
           R"(,"latents_histogram":{"min":-4,"max":4,"counts":[)" + counts + "]}}\n";
}

}  // namespace

class TestLogDifferences : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLargestDifferenceOfABlockCounts() {
        const QByteArray a = stat(0, "blocks.0.attn1", 4) + stat(0, "blocks.0.ffn", 8) + stat(0, "blocks.1.ffn", 2);
        const QByteArray b = stat(0, "blocks.0.attn1", 4) + stat(0, "blocks.0.ffn", 6) + stat(0, "blocks.1.ffn", 2);
        const LogDifferences found = logDifferences(a, b);
        QCOMPARE(found.blocks, (QStringList{"blocks.0", "blocks.1"}));
        QCOMPARE(found.numSteps, 1);
        QCOMPARE(found.cells.size(), 2);
        QCOMPARE(found.cells[0].relative, 0.25);
        QCOMPARE(found.cells[0].site, QStringLiteral("blocks.0.ffn"));
        QCOMPARE(found.cells[1].relative, 0.0);
    }

    /// Padding changes the mean and the deviation, even if the values are the same.
    void tensorsOfDifferentSizesAreNotCompared() {
        QByteArray padded = stat(0, "blocks.0.attn1", 9) + stat(0, "blocks.1.attn1", 4);
        padded.replace(R"("blocks.0.attn1",)", R"("blocks.0.attn1","count":5120,)");
        const LogDifferences found =
            logDifferences(stat(0, "blocks.0.attn1", 4) + stat(0, "blocks.1.attn1", 4), padded);
        QCOMPARE(found.cells.size(), 1);
        QCOMPARE(found.cells[0].site, QStringLiteral("blocks.1.attn1"));
        QCOMPARE(found.cells[0].relative, 0.0);
        QCOMPARE(found.blocks, (QStringList{"blocks.0", "blocks.1"}));
        QCOMPARE(found.otherSize, (QList<BlockStep>{{.block = 0, .step = 0}}));
    }

    void aBlockWithOneComparedSiteIsCompared() {
        QByteArray padded = stat(0, "blocks.0.attn1", 9) + stat(0, "blocks.0.ffn", 4);
        padded.replace(R"("blocks.0.attn1",)", R"("blocks.0.attn1","count":5120,)");
        const LogDifferences found = logDifferences(stat(0, "blocks.0.attn1", 4) + stat(0, "blocks.0.ffn", 4), padded);
        QCOMPARE(found.cells.size(), 1);
        QVERIFY(found.otherSize.isEmpty());
    }

    void onlyTheLastAttemptIsCompared() {
        const QByteArray a = stat(0, "blocks.0.ffn", 900) + stat(0, "blocks.0.ffn", 8, 1);
        QCOMPARE(logDifferences(a, stat(0, "blocks.0.ffn", 8)).cells.front().relative, 0.0);
    }

    void sitesOfOnlyOneRunAreSkipped() {
        const QByteArray a = stat(0, "blocks.0.ffn", 8) + stat(1, "blocks.0.ffn", 8) + stat(0, "proj_out", 1);
        const LogDifferences found = logDifferences(a, stat(0, "blocks.0.ffn", 8));
        QCOMPARE(found.cells.size(), 1);
        QCOMPARE(found.numSteps, 1);
    }

    void latentHistogramsArePairedByStep() {
        const LogDifferences found =
            logDifferences(step(0, "1,2,3") + step(1, "4,5,6"), step(0, "3,2,1") + step(1, "7"));
        QCOMPARE(found.latents.size(), 2);
        QCOMPARE(found.latents[0].b, (QList<qint64>{3, 2, 1}));
        QCOMPARE(found.latents[0].low, -4.0);
        QVERIFY(found.latents[1].b.isEmpty());  // the bins differ
    }

    void invalidLinesAreSkipped() {
        const LogDifferences found =
            logDifferences("{\"record\":\"stat\",\"step\":-3}\nnot json\n" + stat(2000000000, "blocks.0.ffn", 1), {});
        QVERIFY(found.cells.isEmpty());
        QCOMPARE(found.numSteps, 0);
    }

    void differencesAsBits() {
        QCOMPARE(sharedBits(0), 24.0);
        QCOMPARE(sharedBits(0.25), 2.0);
        QCOMPARE(sharedBits(1), 0.0);
        QCOMPARE(sharedBits(3), 0.0);
        QCOMPARE(sharedBits(std::nan("")), 24.0);
    }
};

QTEST_GUILESS_MAIN(TestLogDifferences)
#include "test_log_differences.moc"
