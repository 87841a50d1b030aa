#include <QTest>

#include "core/api/described_device.h"

using namespace kinescope;

class TestDescribedDevice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_capability_and_a_size() {
        const auto device = parse_described_device("sm89:24GiB");
        QVERIFY(device.has_value());
        QCOMPARE(device->compute_major, 8);
        QCOMPARE(device->compute_minor, 9);
        QCOMPARE(device->memory_bytes, std::int64_t{24} << 30);
        QCOMPARE(parse_described_device("sm120:32GB")->compute_major, 12);
    }

    void other_texts_are_rejected_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "cuda:0", "sm", "sm89", "sm89:", "sm8:24GiB", "sm12:24GiB", "sm999:24GiB",
                                 "sm8.9:24GiB", "sm89:lots", "sm-9:1G", "sm9999999999:1G", "89:24GiB"})
            QTest::newRow(*text ? text : "empty") << text;
    }
    void other_texts_are_rejected() {
        QFETCH(QString, text);
        QVERIFY(!parse_described_device(text.toStdString()).has_value());
    }
};

QTEST_GUILESS_MAIN(TestDescribedDevice)
#include "test_described_device.moc"
