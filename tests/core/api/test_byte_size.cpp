#include <QTest>

#include "core/api/byte_size.h"

using namespace kinescope;

class TestByteSize : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void parse_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("bytes");  // -1: the text is invalid
        const std::pair<const char*, qint64> rows[] = {
            {"1024", 1024},
            {"12GiB", 12LL << 30},
            {"12 GB", 12000000000},
            {"1.5g", 3LL << 29},
            {"800M", 800LL << 20},
            {"2kb", 2000},
            {"1 TiB", 1LL << 40},
            {"7b", 7},
            {"", -1},
            {"GiB", -1},
            {"-1", -1},
            {"0", -1},
            {"nan", -1},
            {"1e30", -1},
            {"5XB", -1},
            {"5Gbit", -1},
        };
        for (const auto& [text, bytes] : rows) QTest::newRow(*text ? text : "empty") << QString(text) << bytes;
    }

    void parse() {
        QFETCH(QString, text);
        QFETCH(qint64, bytes);
        QCOMPARE(parse_byte_size(text.toStdString()).value_or(-1), bytes);
    }

    void format() {
        QCOMPARE(format_byte_size(0), std::string("0 B"));
        QCOMPARE(format_byte_size(1023), std::string("1023 B"));
        QCOMPARE(format_byte_size(1024), std::string("1.0 KiB"));
        QCOMPARE(format_byte_size((1LL << 30) - 1), std::string("1.0 GiB"));
        QCOMPARE(format_byte_size(12LL << 30), std::string("12.0 GiB"));
    }
};

QTEST_GUILESS_MAIN(TestByteSize)
#include "test_byte_size.moc"
