#include <QtTest>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "tests/support/file_bytes.h"
#include "tests/support/file_server.h"
#include "ui/models/access_token.h"
#include "ui/models/download_queue.h"

using namespace kinescope;
using namespace kinescope::ui;
using testing::FileServer;
using Request = FileServer::Request;

namespace {

constexpr qint64 kPlenty = qint64{1} << 40;
constexpr int kStallMs = 500;  ///< for tests of stalled downloads

/// Returns pseudo-random bytes that do not repeat, so that data at a wrong offset is detected.
QByteArray contentOf(int size) {
    QByteArray bytes(size, 0);
    std::uint32_t state = 1;
    for (char& byte : bytes) {
        state = state * 1664525 + 1013904223;
        byte = static_cast<char>(state >> 24);
    }
    return bytes;
}

QByteArray sha(const QByteArray& bytes) {
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
}

DownloaderOptions quick(int stallMs = 20'000) {
    return {.stallMs = stallMs,
            .retryMs = 1,
            .maxTries = 3,
            .freeBytes = [](const QString&) { return kPlenty; },
            .tokenFor = {}};
}

/// Downloads one file and records the signals.
struct Fetch {
    explicit Fetch(int size = 300'000) : server(contentOf(size)) {
        what = {server.url(), size, sha(server.content()), QStringLiteral("model.bin")};
        watch();
    }

    void watch() {
        QObject::connect(downloader.get(), &Downloader::finished, [this] { ++finished; });
        QObject::connect(downloader.get(), &Downloader::failed, [this](DownloadFault why, const QString& said) {
            fault = why;
            detail = said;
        });
    }
    void restart(int stallMs = 20'000) {
        downloader = std::make_unique<Downloader>(quick(stallMs));
        watch();
        fault = DownloadFault::none;
    }
    /// Gives the downloader a token for the server, as the rule of the window does for one host.
    void useToken(const QByteArray& token) {
        DownloaderOptions options = quick();
        options.tokenFor = [token, port = server.serverPort()](const QUrl& url) {
            return url.port() == port ? std::optional(token) : std::nullopt;
        };
        downloader = std::make_unique<Downloader>(options);
        watch();
    }
    bool run() {
        downloader->start(what, name());
        return QTest::qWaitFor([this] { return finished > 0 || fault != DownloadFault::none; }, 10'000);
    }
    QString name() const { return folder.filePath(QStringLiteral("models/model.bin")); }
    bool hasFinal() const { return QFile::exists(name()); }
    bool hasPart() const { return QFile::exists(Downloader::partOf(name())); }
    /// Returns true if the download finished with the right content and left no partial file.
    bool good() const { return finished == 1 && testing::bytes_of(name()) == server.content() && !hasPart(); }

    QTemporaryDir folder;
    FileServer server;
    DownloadFile what;
    std::unique_ptr<Downloader> downloader = std::make_unique<Downloader>(quick());
    int finished = 0;
    DownloadFault fault = DownloadFault::none;
    QString detail;
};

}  // namespace

class TestDownloader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void downloadsAFile() {
        Fetch fetch;
        QVERIFY(fetch.run());
        QVERIFY(fetch.good());
        QCOMPARE(fetch.server.requests.size(), 1);
    }

    void resumesAfterABrokenConnection() {
        Fetch fetch;
        fetch.server.answer = [&](QTcpSocket& socket, const Request& request) {
            request.number < 3 ? fetch.server.cut(socket, request, 100'000) : fetch.server.serve(socket, request);
        };
        QVERIFY(fetch.run());
        QVERIFY(fetch.good());
        QCOMPARE(fetch.server.requests.size(), 3);
        QCOMPARE(fetch.server.requests[1].from, 100'000);
        QCOMPARE(fetch.server.requests[2].from, 200'000);
    }

    void resumesAfterARestart() {
        Fetch fetch;
        fetch.server.answer = [&](QTcpSocket& socket, const Request& request) {
            request.number == 1 ? fetch.server.stall(socket, request, 120'000) : fetch.server.serve(socket, request);
        };
        fetch.downloader->start(fetch.what, fetch.name());
        const QString part = Downloader::partOf(fetch.name());
        QVERIFY(QTest::qWaitFor([&] { return QFileInfo(part).size() == 120'000; }));
        fetch.restart();
        QVERIFY(!fetch.hasFinal());
        QVERIFY(fetch.run());
        QVERIFY(fetch.good());
        QCOMPARE(fetch.server.requests.last().from, 120'000);
    }

    void aDamagedPartialFileIsDetected() {
        Fetch fetch;
        QVERIFY(QDir(fetch.folder.path()).mkdir(QStringLiteral("models")));
        QFile part(Downloader::partOf(fetch.name()));
        QVERIFY(part.open(QIODevice::WriteOnly));
        part.write(QByteArray(1000, 'x'));
        part.close();
        QVERIFY(fetch.run());
        QCOMPARE(fetch.fault, DownloadFault::wrongHash);
        QVERIFY(!fetch.hasFinal() && !fetch.hasPart());
        fetch.restart();
        QVERIFY(fetch.run());
        QVERIFY(fetch.good());
    }

    void aPartialFileThatIsTooLongIsRestarted() {
        Fetch fetch(5'000);
        QVERIFY(QDir(fetch.folder.path()).mkdir(QStringLiteral("models")));
        QFile part(Downloader::partOf(fetch.name()));
        QVERIFY(part.open(QIODevice::WriteOnly));
        part.write(QByteArray(6000, 'x'));
        part.close();
        QVERIFY(fetch.run());
        QVERIFY(fetch.good());
        QCOMPARE(fetch.server.requests.first().from, 0);
    }

    void aStalledConnectionIsRetried() {
        Fetch fetch;
        fetch.restart(kStallMs);
        fetch.server.answer = [&](QTcpSocket& socket, const Request& request) {
            request.number == 1 ? fetch.server.stall(socket, request, 50'000) : fetch.server.serve(socket, request);
        };
        QVERIFY(fetch.run());
        QVERIFY(fetch.good());
        QCOMPARE(fetch.server.requests.last().from, 50'000);
    }

    void aConnectionThatAlwaysStallsFails() {
        Fetch fetch;
        fetch.restart(kStallMs);
        fetch.server.answer = [&](QTcpSocket& socket, const Request& request) {
            fetch.server.stall(socket, request, request.number == 1 ? 50'000 : 0);
        };
        QVERIFY(fetch.run());
        QCOMPARE(fetch.fault, DownloadFault::stalled);
        QVERIFY(!fetch.hasFinal() && fetch.hasPart());
        QCOMPARE(fetch.server.requests.size(), 3);
    }

    void withoutRangeSupportTheDownloadRestarts() {
        Fetch fetch;
        fetch.server.answer = [&](QTcpSocket& socket, Request request) {
            request.from = 0;
            request.number == 1 ? fetch.server.cut(socket, request, 100'000) : fetch.server.serve(socket, request);
        };
        QVERIFY(fetch.run());
        QVERIFY(fetch.good());
    }

    void withoutRangeSupportBrokenConnectionsFail() {
        Fetch fetch;
        fetch.server.answer = [&](QTcpSocket& socket, Request request) {
            request.from = 0;
            fetch.server.cut(socket, request, 100'000);
        };
        QVERIFY(fetch.run());
        QCOMPARE(fetch.fault, DownloadFault::unreachable);
        QVERIFY(!fetch.hasFinal());
    }

    void aWrongLengthIsDetected_data() {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<int>("body");
        QTest::newRow("announced length too small") << QByteArray("200 OK\r\nContent-Length: 1000") << 1000;
        QTest::newRow("announced length too large") << QByteArray("200 OK\r\nContent-Length: 900000") << 5'000;
        QTest::newRow("too many bytes") << QByteArray("200 OK") << 300'001;
    }

    void aWrongLengthIsDetected() {
        QFETCH(QByteArray, head);
        QFETCH(int, body);
        Fetch fetch;
        fetch.server.answer = [&](QTcpSocket& socket, const Request&) {
            FileServer::send(socket, head, (fetch.server.content() + "more").left(body));
        };
        QVERIFY(fetch.run());
        QCOMPARE(fetch.fault, DownloadFault::wrongLength);
        QVERIFY(!fetch.hasFinal());
    }

    void aWrongRangeIsRejected() {
        Fetch fetch;
        fetch.server.answer = [&](QTcpSocket& socket, const Request& request) {
            if (request.number == 1) return fetch.server.cut(socket, request, 100'000);
            if (request.from == 0) return fetch.server.serve(socket, request);
            FileServer::send(socket, "206 Partial Content\r\nContent-Range: bytes 5-299999/300000",
                             fetch.server.content().mid(5));
        };
        QVERIFY(fetch.run());
        QVERIFY(fetch.good());
        QCOMPARE(fetch.server.requests.last().from, 0);
    }

    void aFileWithAWrongHashIsDeleted() {
        Fetch fetch;
        fetch.server.answer = [&](QTcpSocket& socket, const Request& request) {
            QByteArray body = fetch.server.content();
            body[200'000] = static_cast<char>(body[200'000] ^ 1);
            FileServer::send(socket, fetch.server.head(request), body);
        };
        QVERIFY(fetch.run());
        QCOMPARE(fetch.fault, DownloadFault::wrongHash);
        QVERIFY(!fetch.hasFinal() && !fetch.hasPart());
    }

    void httpErrorsAreReported_data() {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<int>("requests");
        QTest::newRow("404") << QByteArray("404 Not Found") << 1;
        QTest::newRow("403") << QByteArray("403 Forbidden") << 1;
        QTest::newRow("503, retried") << QByteArray("503 Service Unavailable") << 3;
    }

    void httpErrorsAreReported() {
        QFETCH(QByteArray, head);
        QFETCH(int, requests);
        Fetch fetch;
        fetch.server.answer = [&](QTcpSocket& socket, const Request&) {
            FileServer::send(socket, head + "\r\nContent-Length: 5", "sorry");
        };
        QVERIFY(fetch.run());
        QCOMPARE(fetch.fault, DownloadFault::refused);
        QCOMPARE(fetch.server.requests.size(), requests);
        QVERIFY(!fetch.hasFinal());
    }

    void followsRedirects() {
        Fetch fetch;
        fetch.server.answer = [&](QTcpSocket& socket, const Request& request) {
            if (request.path == QLatin1String("/far")) return fetch.server.serve(socket, request);
            FileServer::send(
                socket,
                "302 Found\r\nContent-Length: 0\r\nLocation: " + fetch.server.url(QStringLiteral("/far")).toEncoded(),
                {});
        };
        QVERIFY(fetch.run());
        QVERIFY(fetch.good());
    }

    void circularRedirectsFail() {
        Fetch fetch;
        fetch.server.answer = [&](QTcpSocket& socket, const Request&) {
            FileServer::send(socket, "302 Found\r\nContent-Length: 0\r\nLocation: " + fetch.server.url().toEncoded(),
                             {});
        };
        QVERIFY(fetch.run());
        QCOMPARE(fetch.fault, DownloadFault::refused);
    }

    void aTokenIsNotSentAcrossARedirect() {
        Fetch fetch;
        FileServer storage(fetch.server.content());
        fetch.useToken("secret");
        fetch.server.answer = [&](QTcpSocket& socket, const Request&) {
            FileServer::send(socket, "302 Found\r\nContent-Length: 0\r\nLocation: " + storage.url().toEncoded(), {});
        };
        QVERIFY(fetch.run());
        QVERIFY(fetch.good());
        QCOMPARE(fetch.server.requests.first().authorization, QStringLiteral("Bearer secret"));
        QCOMPARE(storage.requests.size(), 1);
        QCOMPARE(storage.requests.first().authorization, QString());
    }

    void aRefusedTokenIsExplained_data() {
        QTest::addColumn<QByteArray>("token");
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<DownloadFault>("fault");
        QTest::newRow("no token") << QByteArray() << QByteArray("401 Unauthorized") << DownloadFault::tokenNeeded;
        QTest::newRow("none, 403") << QByteArray() << QByteArray("403 Forbidden") << DownloadFault::tokenNeeded;
        QTest::newRow("invalid") << QByteArray("secret") << QByteArray("401 Unauthorized")
                                 << DownloadFault::tokenRefused;
        QTest::newRow("no access") << QByteArray("secret") << QByteArray("403 Forbidden") << DownloadFault::noAccess;
        QTest::newRow("other error") << QByteArray("secret") << QByteArray("404 Not Found") << DownloadFault::refused;
    }

    void aRefusedTokenIsExplained() {
        QFETCH(QByteArray, token);
        QFETCH(QByteArray, head);
        QFETCH(DownloadFault, fault);
        Fetch fetch;
        fetch.useToken(token);
        fetch.server.answer = [&](QTcpSocket& socket, const Request&) {
            FileServer::send(socket, head + "\r\nContent-Length: 2", "no");
        };
        QVERIFY(fetch.run());
        QCOMPARE(fetch.fault, fault);
        QVERIFY(!fetch.detail.contains(QLatin1String("secret")));
        if (!token.isEmpty()) QCOMPARE(fetch.server.requests.first().authorization, QStringLiteral("Bearer secret"));
        QVERIFY(!fetch.hasFinal());
    }

    void tokensBelongToOneHost_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<bool>("sends");
        QTest::newRow("its host") << "https://huggingface.co/a/b" << true;
        QTest::newRow("other case") << "https://HuggingFace.co/a" << true;
        QTest::newRow("no encryption") << "http://huggingface.co/a" << false;
        QTest::newRow("storage") << "https://cdn-lfs.huggingface.co/a" << false;
        QTest::newRow("longer name") << "https://huggingface.co.example.org/a" << false;
        QTest::newRow("user") << "https://huggingface.co@example.org/a" << false;
        QTest::newRow("user on the host") << "https://me@huggingface.co/a" << false;
        QTest::newRow("port") << "https://huggingface.co:8443/a" << false;
    }

    void tokensBelongToOneHost() {
        QFETCH(QString, url);
        QFETCH(bool, sends);
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("config/token"));
        QCOMPARE(tokenFor(QUrl(url), file), sends ? std::optional(QByteArray()) : std::nullopt);
        QCOMPARE(saveToken(QStringLiteral("hf_abc"), file), QString());
        QCOMPARE(tokenFor(QUrl(url), file), sends ? std::optional(QByteArray("hf_abc")) : std::nullopt);
    }

    void onlyTheOwnerCanReadAToken() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("token"));
        QCOMPARE(saveToken(QStringLiteral("hf_abc"), file), QString());
        const auto others = QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ReadOther |
                            QFileDevice::WriteOther | QFileDevice::ExeOwner;
        QVERIFY(!(QFile::permissions(file) & others));
        QVERIFY(
            QFile::setPermissions(file, QFile::permissions(file) | QFileDevice::ReadGroup | QFileDevice::ReadOther));
        QCOMPARE(saveToken(QStringLiteral("hf_def"), file), QString());
        QVERIFY(!(QFile::permissions(file) & others));
        QVERIFY(hasToken(file));
        QCOMPARE(saveToken({}, file), QString());
        QVERIFY(!QFile::exists(file));
        for (const char* text : {"", "two words", "a\nX-Header: 1", "a\n", "\xc3\xa4"})
            QVERIFY2(!isToken(QString::fromUtf8(text)), text);
        QVERIFY(!isToken(QString(513, QLatin1Char('a'))));
    }

    void anUnreachableServerIsReported() {
        Fetch fetch;
        fetch.server.close();
        QVERIFY(fetch.run());
        QCOMPARE(fetch.fault, DownloadFault::unreachable);
    }

    void freeSpaceIsCheckedFirst() {
        Fetch fetch;
        DownloaderOptions options = quick();
        options.freeBytes = [](const QString&) { return qint64{1000}; };
        fetch.downloader = std::make_unique<Downloader>(options);
        fetch.watch();
        QVERIFY(fetch.run());
        QCOMPARE(fetch.fault, DownloadFault::diskFull);
        QVERIFY(fetch.server.requests.isEmpty());
        QVERIFY(!fetch.hasPart());
    }

    void anExistingFileIsNotReplaced() {
        Fetch fetch;
        QVERIFY(QDir(fetch.folder.path()).mkdir(QStringLiteral("models")));
        QFile other(fetch.name());
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write("the user's own");
        other.close();
        QVERIFY(fetch.run());
        QCOMPARE(fetch.fault, DownloadFault::notWritable);
        QCOMPARE(testing::bytes_of(fetch.name()), QByteArray("the user's own"));
    }

    void pausesAndCancels() {
        Fetch fetch;
        fetch.server.answer = [&](QTcpSocket& socket, const Request& request) {
            request.number < 3 ? fetch.server.stall(socket, request, 40'000) : fetch.server.serve(socket, request);
        };
        fetch.downloader->start(fetch.what, fetch.name());
        const QString part = Downloader::partOf(fetch.name());
        QVERIFY(QTest::qWaitFor([&] { return QFileInfo(part).size() == 40'000; }));
        fetch.downloader->pause();
        QTest::qWait(200);
        QCOMPARE(fetch.server.requests.size(), 1);
        QCOMPARE(fetch.fault, DownloadFault::none);
        QVERIFY(fetch.hasPart());
        fetch.downloader->start(fetch.what, fetch.name());
        QVERIFY(QTest::qWaitFor([&] { return QFileInfo(part).size() == 80'000; }));
        fetch.downloader->cancel();
        QVERIFY(!fetch.hasPart() && !fetch.hasFinal());
        QVERIFY(fetch.run());
        QVERIFY(fetch.good());
        QCOMPARE(fetch.server.requests.last().from, 0);
    }
};

QTEST_GUILESS_MAIN(TestDownloader)
#include "test_downloader.moc"
