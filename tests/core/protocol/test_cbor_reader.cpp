#include <QTest>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "core/protocol/cbor_reader.h"
#include "core/protocol/protocol_error.h"

using namespace kinescope::protocol;

namespace {

Json read_hex(const char* hex) {
    const QByteArray bytes = QByteArray::fromHex(hex);
    return read_cbor({reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<std::size_t>(bytes.size())});
}

QString refusal_of(Bytes bytes) {
    try {
        read_cbor(bytes);
    } catch (const ProtocolError& error) {
        return error.what();
    }
    return QStringLiteral("accepted");
}

}  // namespace

class TestCborReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void values_survive_a_round_trip() {
        const double infinity = std::numeric_limits<double>::infinity();
        const Json value = {{"integers", {0, 23, 24, 255, 256, 65536, -1, -25, -70000}},
                            {"large", std::numeric_limits<std::uint64_t>::max()},
                            {"small", std::numeric_limits<std::int64_t>::min()},
                            {"numbers", {0.5, 0.1, -1e300, 1e-45, infinity, -infinity}},
                            {"text", "a\xff\n"},
                            {"bytes", Json::binary({0, 255, 7})},
                            {"rest", {true, false, nullptr, Json::array(), Json::object()}}};
        const std::vector<std::uint8_t> bytes = Json::to_cbor(value);
        QVERIFY(read_cbor(bytes) == value);
        QVERIFY(std::isnan(read_cbor(Json::to_cbor(std::nan(""))).get<double>()));
    }

    /// Examples of RFC 8949, appendix A.
    void numbers_in_half_precision_are_read_data() {
        QTest::addColumn<QString>("hex");
        QTest::addColumn<double>("value");
        QTest::newRow("zero") << "f90000" << 0.0;
        QTest::newRow("subnormal") << "f90001" << 5.960464477539063e-8;
        QTest::newRow("smallest normal") << "f90400" << 0.00006103515625;
        QTest::newRow("largest") << "f97bff" << 65504.0;
        QTest::newRow("negative") << "f9c400" << -4.0;
        QTest::newRow("infinite") << "f9fc00" << -std::numeric_limits<double>::infinity();
    }

    void numbers_in_half_precision_are_read() {
        QFETCH(QString, hex);
        QTEST(read_hex(qPrintable(hex)).get<double>(), "value");
    }

    void invalid_bytes_are_refused_data() {
        QTest::addColumn<QString>("hex");
        QTest::addColumn<QString>("words");
        QTest::newRow("empty") << ""
                               << "truncated";
        QTest::newRow("truncated number") << "19ff"
                                          << "truncated";
        QTest::newRow("truncated text") << "6561"
                                        << "truncated: 5 bytes expected, 1 left";
        QTest::newRow("huge text") << "7bffffffffffffffff"
                                   << "truncated";
        QTest::newRow("huge bytes") << "5b7fffffffffffffff00"
                                    << "truncated";
        QTest::newRow("huge array") << "9bffffffffffffffff"
                                    << "members expected";
        QTest::newRow("huge map") << "bb00000000ffffffff6161"
                                  << "members expected";
        QTest::newRow("array without members") << "8301"
                                               << "members expected";
        QTest::newRow("indefinite text") << "7f7f7f7f"
                                         << "indefinite";
        QTest::newRow("indefinite array") << "9f01ff"
                                          << "indefinite";
        QTest::newRow("reserved length") << "1c"
                                         << "indefinite or reserved";
        QTest::newRow("tag") << "c001"
                             << "tags";
        QTest::newRow("unknown simple value") << "f7"
                                              << "unknown simple value 23";
        QTest::newRow("number as key") << "a10101"
                                       << "key";
        QTest::newRow("key twice") << "a2616101616102"
                                   << "occurs twice";
        QTest::newRow("bytes after the document") << "0101"
                                                  << "1 bytes after";
        QTest::newRow("number below 64 bits") << "3bffffffffffffffff"
                                              << "exceeds 64 bits";
    }

    void invalid_bytes_are_refused() {
        QFETCH(QString, hex);
        QFETCH(QString, words);
        const QByteArray bytes = QByteArray::fromHex(hex.toLatin1());
        const QString refusal =
            refusal_of({reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<std::size_t>(bytes.size())});
        QVERIFY2(refusal.contains(words), qPrintable(refusal));
    }

    void deep_nesting_is_refused() {
        for (const std::uint8_t array : {0x81, 0x9f, 0xd8, 0xc0}) {
            const std::vector<std::uint8_t> bytes(1 << 20, array);
            QVERIFY(refusal_of(bytes) != QLatin1String("accepted"));
        }
        std::vector<std::uint8_t> allowed(32, 0x81);
        allowed.push_back(1);
        QCOMPARE(refusal_of(allowed), QStringLiteral("accepted"));
        allowed.insert(allowed.begin(), 0x81);
        QVERIFY(refusal_of(allowed).contains("nested deeper than 32"));
    }

    void too_many_values_are_refused() {
        const std::vector<std::uint8_t> bytes = Json::to_cbor(Json(std::vector<int>(100, 1)));
        QVERIFY_THROWS_EXCEPTION(ProtocolError, read_cbor(bytes, {.depth = 4, .values = 100}));
        QVERIFY(read_cbor(bytes, {.depth = 4, .values = 101}).size() == 100);
    }

    /// Random changes of a document are refused or read, and never crash.
    void damaged_documents_are_read_or_refused() {
        const std::vector<std::uint8_t> whole =
            Json::to_cbor({{"a", {1, 2.5, "text"}}, {"b", Json::binary({1, 2, 3})}, {"c", {{"d", nullptr}}}});
        std::mt19937 random(1);
        std::set<bool> are_accepted;
        for (int i = 0; i < 20'000; ++i) {
            std::vector<std::uint8_t> damaged = whole;
            for (int change = 0; change < 3; ++change)
                damaged[random() % damaged.size()] = static_cast<std::uint8_t>(random());
            damaged.resize(random() % 4 == 0 ? random() % damaged.size() : damaged.size());
            are_accepted.insert(refusal_of(damaged) == QLatin1String("accepted"));
        }
        QCOMPARE(are_accepted, (std::set{false, true}));
    }
};

QTEST_GUILESS_MAIN(TestCborReader)
#include "test_cbor_reader.moc"
