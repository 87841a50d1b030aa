#include <QtTest>

#include "ui/models/usual_peaks.h"

using namespace kinescope;
using namespace kinescope::ui;

class TestUsualPeaks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsTheLargestPeakOfEachSite() {
        UsualPeaks peaks{QString()};
        QCOMPARE(peaks.of("a").count, 0);
        peaks.learn("a", {{"transformer.blocks.0", 12.0}, {"transformer.blocks.1", 3.0}});
        peaks.learn("a", {{"transformer.blocks.0", 9.0}, {"transformer.blocks.1", 4.0}});
        const UsualRuns runs = peaks.of("a");
        QCOMPARE(runs.count, 2);
        QCOMPARE(runs.peaks.at("transformer.blocks.0"), 12.0);
        QCOMPARE(runs.peaks.at("transformer.blocks.1"), 4.0);
        QCOMPARE(peaks.of("b").count, 0);
    }

    void survivesARestart() {
        QTemporaryDir folder;
        const QString file = folder.filePath("cache/usual_peaks.json");
        {
            UsualPeaks peaks(file);
            peaks.learn("a", {{"transformer.blocks.0", 12.5}});
            QVERIFY(QThreadPool::globalInstance()->waitForDone(5000));
        }
        UsualPeaks again(file);
        QCOMPARE(again.of("a").count, 1);
        QCOMPARE(again.of("a").peaks.at("transformer.blocks.0"), 12.5);
    }

    void modelsWithOtherPartsAreOtherModels() {
        VideoRequest plain;
        VideoRequest other = plain;
        other.prompt = "a ball";
        other.seed = 3;
        QCOMPARE(UsualPeaks::keyOf(plain), UsualPeaks::keyOf(other));
        other.loras = {{"style.safetensors", 0.5}};
        QVERIFY(UsualPeaks::keyOf(plain) != UsualPeaks::keyOf(other));
        VideoRequest replaced;
        replaced.components = {{"transformer", "x.safetensors"}};
        QVERIFY(UsualPeaks::keyOf(plain) != UsualPeaks::keyOf(replaced));
    }

    void hostileFilesAreEmpty_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("{{{");
        QTest::newRow("a list") << QByteArray("[1, 2]");
        QTest::newRow("no peaks") << QByteArray(R"({"a":{"runs":3}})");
        QTest::newRow("other types") << QByteArray(R"({"a":{"runs":"x","peaks":[1]}})");
        QTest::newRow("no number") << QByteArray(R"({"a":{"runs":1,"peaks":{"s":"nan"}}})");
        QTest::newRow("negative") << QByteArray(R"({"a":{"runs":1,"peaks":{"s":-4}}})");
    }
    void hostileFilesAreEmpty() {
        QFETCH(QByteArray, json);
        QVERIFY(readUsual(json).empty());
    }

    void theNumberOfModelsIsLimited() {
        UsualPeaks peaks{QString()};
        for (int model = 0; model < 100; ++model) peaks.learn(QString::number(model), {{"s", 1.0}});
        QCOMPARE(peaks.of("99").count, 1);
        int known = 0;
        for (int model = 0; model < 100; ++model) known += peaks.of(QString::number(model)).count;
        QVERIFY2(known <= 40, qPrintable(QString::number(known)));
    }
};

QTEST_GUILESS_MAIN(TestUsualPeaks)
#include "test_usual_peaks.moc"
