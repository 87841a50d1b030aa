#include <QRegularExpression>
#include <QtTest>

#include "ui/models/manual.h"

using namespace kinescope::ui;

namespace {

const QStringList kLanguages{QStringLiteral("en"), QStringLiteral("zh_CN")};

QStringList addresses(const Manual& manual) {
    QStringList all;
    for (const ManualSection& section : manual.sections()) all << section.address();
    return all;
}

/// Converts a link ("models.md#lora", or "#lora" on the same page) to an address of the manual.
QString addressOf(const QString& link, const QString& page) {
    const QString file = link.section(QLatin1Char('#'), 0, 0);
    const QString anchor = link.section(QLatin1Char('#'), 1);
    const QString target = file.isEmpty() ? page : file.chopped(3);
    return anchor.isEmpty() ? target : target + QLatin1Char('#') + anchor;
}

}  // namespace

class TestManual : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothLanguagesHaveTheSameSections() {
        const QStringList english = addresses(Manual(kLanguages[0]));
        QVERIFY(english.size() > 60);
        QCOMPARE(addresses(Manual(kLanguages[1])), english);
        QCOMPARE(QSet<QString>(english.begin(), english.end()).size(), english.size());
    }

    void everyPageHasATitleAndEveryOtherHeadingAnAnchor() {
        for (const QString& language : kLanguages) {
            const Manual manual(language);
            for (const QString& page : Manual::pages()) QVERIFY2(manual.find(page), qPrintable(page));
            for (const ManualSection& section : manual.sections())
                QVERIFY2(section.anchor.isEmpty() == (section.level == 1), qPrintable(section.title));
        }
    }

    void everyLinkResolves() {
        static const QRegularExpression link(QStringLiteral("(?<!!)\\[[^\\]]*\\]\\(([^)]+)\\)"));
        int links = 0;
        for (const QString& language : kLanguages) {
            const Manual manual(language);
            for (const QString& page : Manual::pages()) {
                for (auto it = link.globalMatch(manual.markdown(page)); it.hasNext(); ++links) {
                    const QString target = it.next().captured(1);
                    QVERIFY2(!target.startsWith(QLatin1String("http")), "the manual works offline");
                    QVERIFY2(manual.find(addressOf(target, page)),
                             qPrintable(language + QLatin1Char('/') + page + QStringLiteral(": ") + target));
                }
            }
        }
        QVERIFY(links > 20);
    }

    void theChineseManualIsChinese() {
        static const QRegularExpression chinese(QStringLiteral("[\\x{4e00}-\\x{9fff}]"));
        const Manual english(kLanguages[0]);
        const Manual manual(kLanguages[1]);
        QVERIFY(!manual.sections().isEmpty());
        for (qsizetype i = 0; i < manual.sections().size(); ++i) {
            const ManualSection& section = manual.sections()[i];
            QVERIFY2(section.text.contains(chinese) || section.text.trimmed().isEmpty(), qPrintable(section.address()));
            QVERIFY2(section.title.contains(chinese) || section.title == english.sections()[i].title,
                     qPrintable(section.address()));
        }
    }

    void anchorLinesAreNotShown() {
        const Manual manual(kLanguages[0]);
        for (const QString& page : Manual::pages()) {
            QVERIFY(!manual.markdown(page).isEmpty());
            QVERIFY(!manual.markdown(page).contains(QLatin1String("<a id")));
        }
    }

    void searchFinds_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("first");
        QTest::newRow("a title") << "en"
                                 << "headroom"
                                 << "numbers#headroom";
        QTest::newRow("any case") << "en"
                                  << "HEADROOM"
                                  << "numbers#headroom";
        QTest::newRow("words of the text") << "en"
                                           << "forget-overrides"
                                           << "precision#overrides";
        QTest::newRow("several words") << "en"
                                       << "exit 4 numeric"
                                       << "command-line#exit-codes";
        QTest::newRow("Chinese") << "zh_CN" << QString::fromUtf8("余量") << "numbers#headroom";
        QTest::newRow("part of a Chinese sentence")
            << "zh_CN" << QString::fromUtf8("问题报告") << "troubleshooting#report";
    }
    void searchFinds() {
        QFETCH(QString, language);
        QFETCH(QString, query);
        QFETCH(QString, first);
        const auto found = Manual(language).search(query);
        QVERIFY(!found.isEmpty());
        QCOMPARE(found.front().address(), first);
    }

    void anEmptySearchFindsNothing() {
        const Manual manual(kLanguages[0]);
        QVERIFY(manual.search(QStringLiteral("  ")).isEmpty());
        QVERIFY(manual.search(QStringLiteral("headroom xyzzy")).isEmpty());
    }
};

QTEST_MAIN(TestManual)
#include "test_manual.moc"
