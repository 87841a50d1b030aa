#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>

#include "ui/panels/example_card.h"
#include "ui/widgets/text_lines.h"
#include "ui/widgets/theme.h"

using namespace kinescope::ui;

class TestExampleCard : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyExampleOfTheDemoModelHasAMovingPicture() {
        Theme theme;
        theme.install();
        QFile file(QStringLiteral(KINESCOPE_SOURCE_DIR "/resources/demo_model/kinescope.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonArray prompts = QJsonDocument::fromJson(file.readAll())["example_prompts"].toArray();
        QVERIFY(prompts.size() >= 3);
        for (const auto& prompt : prompts) {
            const QList<QImage> frames = exampleFrames(prompt.toString());
            QVERIFY2(frames.size() > 1, qPrintable(prompt.toString()));
            QVERIFY(frames.front() != frames.back());
        }
        QVERIFY(exampleFrames(QStringLiteral("another prompt")).isEmpty());
        QVERIFY(exampleFrames(QStringLiteral("../dark/check")).isEmpty());
    }

    void longTextsEndWithAnEllipsis() {
        const QFont font;
        const QFontMetrics metrics(font);
        const QString text = QStringLiteral("a red ball moving left on a blue background");
        QCOMPARE(elidedLines(text, font, metrics.horizontalAdvance(text) + 10, 2), QStringList{text});
        const QStringList all =
            elidedLines(text, font, metrics.horizontalAdvance(QStringLiteral("a red ball moving")), 9);
        QVERIFY(all.size() > 2);
        QCOMPARE(all.join(QLatin1Char(' ')), text);
        const QStringList two =
            elidedLines(text, font, metrics.horizontalAdvance(QStringLiteral("a red ball moving")), 2);
        QCOMPARE(two.size(), 2);
        QCOMPARE(two.front(), all.front());
        QVERIFY2(two.back().endsWith(QChar(0x2026)), qPrintable(two.back()));
        QCOMPARE(elidedLines(QString(), font, 100, 2).join(QString()), QString());
        QVERIFY(elidedLines(QStringLiteral("unbreakablewordthatistoolong"), font, 20, 3).size() == 3);
    }

    /// A narrow card shows the whole prompt instead of the picture.
    void thePromptIsNotCut() {
        Theme theme;
        theme.install();
        const QString prompt = QStringLiteral("a red ball moving left on a blue background");
        ExampleCard card(theme, prompt);
        for (int width = 160; width <= 320; width += 4) {
            card.resize(width, card.sizeHint().height());
            QCOMPARE(card.shownLines().join(QLatin1Char(' ')), prompt);
        }
        card.resize(60, card.sizeHint().height());
        QVERIFY(card.shownLines().back().endsWith(QChar(0x2026)));
    }

    void linesOfEveryScriptFit_data() {
        QTest::addColumn<QString>("prompt");
        QTest::newRow("English") << "a purple triangle and a green ball moving right on a white background";
        QTest::newRow("Chinese") << QString::fromUtf8("紫色的三角形和绿色的球向右移动，白色背景");
    }

    void linesOfEveryScriptFit() {
        QFETCH(QString, prompt);
        Theme theme;
        theme.install();
        for (const int percent : {100, 200}) {
            theme.setTextScalePercent(percent);
            const ExampleCard card(theme, prompt);
            const QString lines = QStringList(3, prompt).join(QLatin1Char('\n'));
            const QFontMetrics metrics(theme.font(Type::body));
            const int needed = metrics.boundingRect(QRect(0, 0, 4000, 4000), Qt::AlignTop, lines).height();
            QVERIFY(card.sizeHint().height() - 2 * 12 >= needed);  // 12: margin
        }
        theme.setTextScalePercent(100);
    }

    void thePictureIsPainted() {
        Theme theme;
        theme.install();
        ExampleCard card(theme, QStringLiteral("a red ball moving left on a blue background"));
        card.resize(300, card.sizeHint().height());
        const QColor ground = card.grab().toImage().pixelColor(20, card.height() / 2 - 16);
        QVERIFY2(ground.blue() > ground.red() + 60, qPrintable(ground.name()));
    }
};

QTEST_MAIN(TestExampleCard)
#include "test_example_card.moc"
