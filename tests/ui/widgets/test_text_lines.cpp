#include <QLabel>
#include <QtTest>
#include <algorithm>

#include "ui/widgets/notice_strip.h"
#include "ui/widgets/text_lines.h"
#include "ui/widgets/theme.h"

using namespace kinescope::ui;

class TestTextLines : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLongWordDoesNotWidenALabel_data() {
        QTest::addColumn<QString>("word");
        QTest::newRow("letters") << QString(200, QLatin1Char('W'));
        QTest::newRow("file name") << QStringLiteral("wan2.1_i2v_480p_14B_fp8_scaled_").repeated(6);
        QTest::newRow("accents") << QStringLiteral("e\u0301").repeated(200);
    }
    void aLongWordDoesNotWidenALabel() {
        QFETCH(QString, word);
        QLabel label;
        label.setWordWrap(true);
        label.setText(QStringLiteral("The file %1 is missing.").arg(word));
        QVERIFY(label.minimumSizeHint().width() > 600);
        for (const Qt::TextFormat format : {Qt::PlainText, Qt::RichText}) {
            label.setTextFormat(format);
            label.setText(breakable(QStringLiteral("The file %1 is missing.").arg(word)));
            QVERIFY2(label.minimumSizeHint().width() < 200,
                     qPrintable(QString::number(label.minimumSizeHint().width())));
        }
    }

    void aLongWordDoesNotWidenANotice() {
        const Theme theme;
        NoticeStrip strip(theme);
        strip.setNotice(Severity::error, QStringLiteral("A queued job failed:"), QString(200, QLatin1Char('W')),
                        QStringLiteral("Try again"));
        QVERIFY2(strip.minimumSizeHint().width() < 400, qPrintable(QString::number(strip.minimumSizeHint().width())));
    }

    /// They would read a zero-width space between all letters.
    void screenReadersReadTheTextAsItIs() {
        const QString name = QStringLiteral("wan2.1_i2v_480p_14B_fp8_scaled.safetensors");
        QLabel label;
        setBreakableText(label, name);
        QVERIFY(label.text().size() > name.size());
        QCOMPARE(label.accessibleName(), name);
        const Theme theme;
        NoticeStrip strip(theme);
        strip.setNotice(Severity::error, QStringLiteral("Can't read the file:"), name);
        QVERIFY(std::ranges::any_of(strip.findChildren<QLabel*>(),
                                    [&](const QLabel* part) { return part->accessibleName().endsWith(name); }));
    }

    void onlyLongWordsAreChanged_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("24 letters and a space") << QString(24, QLatin1Char('W')) + QStringLiteral(" is missing");
        QTest::newRow("empty") << QString();
        QTest::newRow("sentence") << QStringLiteral(
            "“ball.mp4” could not be written. Check the disk, or choose a folder.");
        QTest::newRow("path") << QStringLiteral("/home/me/Videos/Kinescope/2026-11-30-a-red-ball-moving-left.mp4");
        QTest::newRow("Chinese") << QStringLiteral("红色的球向左移动，蓝色背景").repeated(4);
        QTest::newRow("lines") << QStringLiteral("one\ntwo\n\nthree");
    }
    void onlyLongWordsAreChanged() {
        QFETCH(QString, text);
        QCOMPARE(breakable(text), text);
    }

    void aCutTextEndsWithAnEllipsis_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("cut");
        QTest::newRow("fits") << "a red ball"
                              << "a red ball";
        QTest::newRow("long") << "a red ball moving"
                              << "a red bal…";
        QTest::newRow("at a space") << "a big red ball moving"
                                    << "a big red…";
        QTest::newRow("emoji") << QStringLiteral("a balloon🎈🎈") << "a balloon…";
        QTest::newRow("half an emoji") << QStringLiteral("balloons🎈🎈") << "balloons…";
        QTest::newRow("accent") << QStringLiteral("a ballooe\u0301 red") << "a balloo…";
    }
    void aCutTextEndsWithAnEllipsis() {
        QFETCH(QString, text);
        QTEST(cutText(text, 10), "cut");
    }
};

QTEST_MAIN(TestTextLines)
#include "test_text_lines.moc"
