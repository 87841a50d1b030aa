#include <QCryptographicHash>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/file_identity.h"
#include "core/base/peak_memory.h"
#include "core/base/sha256.h"
#include "tests/support/sanitizers.h"

using namespace kinescope;

namespace {

std::string hash_in_parts(const QByteArray& text, std::size_t part) {
    Sha256 hash;
    auto rest = std::as_bytes(std::span(text.constData(), static_cast<std::size_t>(text.size())));
    while (!rest.empty()) {
        const auto now = rest.first(std::min(part, rest.size()));
        hash.add(now);
        rest = rest.subspan(now.size());
    }
    return hash.finish();
}

}  // namespace

class TestSha256 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void hashes_match_the_standard() {
        QCOMPARE(hash_in_parts("", 1), std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
        QCOMPARE(hash_in_parts("abc", 3),
                 std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    }

    void lengths_around_the_block_size_agree_with_qt() {
        for (const int length : {1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000}) {
            const QByteArray text(length, 'k');
            const auto expected = QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex().toStdString();
            for (const std::size_t part : {1, 7, 64, 1000}) QCOMPARE(hash_in_parts(text, part), expected);
        }
    }

    void a_file_has_the_hash_of_its_contents_data() {
        QTest::addColumn<int>("bytes");
        QTest::newRow("empty") << 0;
        QTest::newRow("short") << 3;
        QTest::newRow("a MiB, one part") << (1 << 20);
        QTest::newRow("more than two parts") << (2 << 20) + 5;
    }
    void a_file_has_the_hash_of_its_contents() {
        QFETCH(int, bytes);
        const QTemporaryDir folder;
        QByteArray contents;
        for (int i = 0; i < bytes; ++i) contents.append(static_cast<char>(i % 251));
        QFile file(folder.filePath("a"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(contents) == bytes && file.flush());
        const auto expected = QCryptographicHash::hash(contents, QCryptographicHash::Sha256).toHex().toStdString();
        QCOMPARE(sha256_of_file(file.fileName().toStdString()), expected);
    }

    void files_are_identified_by_header_not_by_values() {
        QTemporaryDir folder;
        const auto identity_of = [&](const char* name, const QByteArray& bytes) {
            QFile file(folder.filePath(name));
            if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("cannot write");
            file.close();
            return identify_file(folder.filePath(name).toStdString());
        };
        const auto sha = [](const QByteArray& bytes) {
            return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().toStdString();
        };
        const QByteArray header = QByteArray("\2\0\0\0\0\0\0\0", 8) + "{}";
        const FileIdentity identity = identity_of("a.safetensors", header + "values");
        QCOMPARE(identity.bytes, std::int64_t{16});
        QCOMPARE(identity.header_sha256, sha(header));
        QCOMPARE(identity_of("b.safetensors", header + "others").header_sha256, sha(header));
        QCOMPARE(identity_of("c.gguf", "GGUF").header_sha256, sha("GGUF"));
        const QByteArray lying("\377\377\377\377\377\377\377\377{}", 10);
        QCOMPARE(identity_of("d.safetensors", lying).header_sha256, sha(lying));
        QCOMPARE(identity_of("e.safetensors", "abc").header_sha256, sha("abc"));
    }

    void the_peak_includes_large_blocks_and_resets() {
        if (kinescope::testing::kAddressSanitizer) QSKIP("AddressSanitizer keeps freed blocks.");
        constexpr std::size_t kBytes = std::size_t{64} << 20;
        std::int64_t large = 0;
        {
            const PeakMemory peak;
            const std::vector<char> block(kBytes, 1);
            large = peak.bytes();
            QVERIFY(block.back() == 1 && large >= static_cast<std::int64_t>(kBytes));
        }
        QVERIFY(PeakMemory().bytes() < large - static_cast<std::int64_t>(kBytes / 2));
    }
};

QTEST_GUILESS_MAIN(TestSha256)
#include "test_sha256.moc"
