#include <QtTest>

#include <QFile>
#include <QTemporaryDir>
#include <QThreadPool>

#include "core/api/error.h"
#include "tests/support/file_server.h"
#include "ui/models/download_queue.h"
#include "ui/models/download_words.h"

using namespace kinescope;
using namespace kinescope::ui;
using testing::FileServer;
using Request = FileServer::Request;

namespace {

DownloaderOptions quick() {
    return {.stallMs = 5000, .retryMs = 1, .maxTries = 2, .freeBytes = [](const QString&) { return qint64{1} << 40; }};
}

QByteArray sha(const QByteArray& bytes) {
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
}

DownloadFile file(const FileServer& server, const QString& target) {
    return {server.url('/' + target), server.content().size(), sha(server.content()), target};
}

DownloadOffer offer(const FileServer& server, const QString& id) {
    DownloadOffer offer;
    offer.id = id;
    offer.name = id;
    offer.files = {file(server, QString(id + "/a.bin")), file(server, QString(id + "/b.bin"))};
    return offer;
}

QByteArray manifest(const QByteArray& from, const QByteArray& to) {
    QFile shipped(QStringLiteral(KINESCOPE_SOURCE_DIR "/resources/downloads.json"));
    if (!shipped.open(QIODevice::ReadOnly)) return {};
    return shipped.readAll().replace(from, to);
}

bool makesVideos(const DownloadOffer& offer) {
    return std::ranges::any_of(offer.files, [](const DownloadFile& file) {
        return file.target.startsWith("diffusion_models/") || file.target.startsWith("checkpoints/");
    });
}

}  // namespace

class TestDownloadQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theShippedManifestIsValid() {
        const auto offers = readManifest(manifest("", ""));
        QVERIFY(!offers.isEmpty());
        QSet<QString> ids;
        for (const DownloadOffer& each : offers) {
            ids.insert(each.id);
            QCOMPARE(!each.tasks.empty(), makesVideos(each));
            QVERIFY(each.bytes() > 1'000'000);
        }
        QCOMPARE(ids.size(), offers.size());
    }

    void aFileOfSeveralOffersIsTheSameInAll() {
        QHash<QString, QByteArray> sha256;
        int numShared = 0;
        for (const DownloadOffer& offer : readManifest(manifest("", "")))
            for (const DownloadFile& file : offer.files) {
                if (sha256.contains(file.target)) ++numShared;
                QVERIFY2(sha256.value(file.target, file.sha256) == file.sha256, qPrintable(file.target));
                sha256.insert(file.target, file.sha256);
            }
        QVERIFY(numShared > 0);
    }

    void everyNoteIsMarkedForTranslation() {
        QFile words(QStringLiteral(KINESCOPE_SOURCE_DIR "/ui/models/download_words.cpp"));
        QVERIFY(words.open(QIODevice::ReadOnly));
        const QByteArray text = words.readAll().simplified();  // a long note is in a line of its own
        for (const DownloadOffer& offer : readManifest(manifest("", "")))
            QVERIFY2(text.contains("\"DownloadNotes\", \"" + offer.note.toUtf8() + '"'), qPrintable(offer.note));
    }

    void badManifestsAreRefused_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::newRow("not encrypted") << QByteArray("https://huggingface") << QByteArray("http://huggingface");
        QTest::newRow("path outside the folder") << QByteArray("\"vae/wan") << QByteArray("\"../wan");
        QTest::newRow("absolute") << QByteArray("\"vae/wan") << QByteArray("\"/etc/wan");
        QTest::newRow("zero size") << QByteArray("253815318") << QByteArray("0");
        QTest::newRow("incomplete hash") << QByteArray("2fc39d31") << QByteArray("");
        QTest::newRow("missing license") << QByteArray("\"license\"") << QByteArray("\"other\"");
        QTest::newRow("another version") << QByteArray("\"version\": 1") << QByteArray("\"version\": 2");
        QTest::newRow("invalid JSON") << QByteArray("{") << QByteArray("");
    }

    void badManifestsAreRefused() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QVERIFY_EXCEPTION_THROWN(readManifest(manifest(from, to)), Error);
    }

    void filesAreDownloadedOneAfterTheOther() {
        QTemporaryDir folder;
        FileServer server(QByteArray(50'000, 'k'));
        DownloadQueue queue({offer(server, "one"), offer(server, "two")}, folder.path(), quick());
        queue.start(0);
        queue.start(1);
        QCOMPARE(queue.rows()[1].state, DownloadState::waiting);
        QTRY_COMPARE(queue.rows()[1].state, DownloadState::done);
        QCOMPARE(queue.rows()[0].state, DownloadState::done);
        QCOMPARE(queue.rows()[0].received, 100'000);
        QStringList order;
        for (const Request& request : server.requests) order << request.path;
        QCOMPARE(order, (QStringList{"/one/a.bin", "/one/b.bin", "/two/a.bin", "/two/b.bin"}));
        for (const QString& name : order) QVERIFY(QFile::exists(folder.path() + name));
    }

    void aPausedDownloadResumesAfterARestart() {
        QTemporaryDir folder;
        FileServer server(QByteArray(50'000, 'k'));
        server.answer = [&](QTcpSocket& socket, const Request& request) {
            request.number == 2 ? server.stall(socket, request, 20'000) : server.serve(socket, request);
        };
        {
            DownloadQueue queue({offer(server, "one")}, folder.path(), quick());
            QCOMPARE(queue.rows()[0].state, DownloadState::offered);
            queue.start(0);
            QTRY_COMPARE(queue.rows()[0].received, 70'000);
            QCOMPARE(queue.rows()[0].state, DownloadState::receiving);
            queue.pause(0);
            QCOMPARE(queue.rows()[0].state, DownloadState::paused);
            QCOMPARE(queue.active(), -1);
        }
        DownloadQueue queue({offer(server, "one")}, folder.path(), quick());
        QTRY_COMPARE(queue.rows()[0].state, DownloadState::paused);
        QCOMPARE(queue.rows()[0].received, 70'000);
        queue.start(0);
        QTRY_COMPARE(queue.rows()[0].state, DownloadState::done);
        QCOMPARE(server.requests.last().from, 20'000);
        DownloadQueue later({offer(server, "one")}, folder.path(), quick());
        QTRY_COMPARE(later.rows()[0].state, DownloadState::done);
    }

    void onlyCheckedFilesAreCalledVerified() {
        QTemporaryDir folder;
        FileServer server(QByteArray(50'000, 'k'));
        const DownloadOffer one = offer(server, "one");
        QVERIFY(QDir(folder.path()).mkdir("one"));
        for (const DownloadFile& each : one.files) {
            QFile wrong(folder.filePath(each.target));
            QVERIFY(wrong.open(QIODevice::WriteOnly));
            wrong.write(QByteArray(50'000, 'x'));
        }
        DownloadQueue queue({one, offer(server, "two")}, folder.path(), quick());
        QTRY_COMPARE(queue.rows()[0].state, DownloadState::done);
        QVERIFY(!downloadText(queue.rows()[0]).contains("verified"));
        queue.start(1);
        QTRY_COMPARE(queue.rows()[1].state, DownloadState::done);
        QVERIFY(downloadText(queue.rows()[1]).contains("verified"));
    }

    void deletedFilesAreOfferedAgain() {
        QTemporaryDir folder;
        FileServer server(QByteArray(50'000, 'k'));
        DownloadQueue queue({offer(server, "one")}, folder.path(), quick());
        queue.start(0);
        QTRY_COMPARE(queue.rows()[0].state, DownloadState::done);
        queue.refresh();
        QVERIFY(QThreadPool::globalInstance()->waitForDone());
        QCoreApplication::processEvents();
        QCOMPARE(queue.rows()[0].state, DownloadState::done);
        QVERIFY(queue.rows()[0].verified);
        QVERIFY(QDir(folder.filePath("one")).removeRecursively());
        queue.refresh();
        QTRY_COMPARE(queue.rows()[0].state, DownloadState::offered);
        QCOMPARE(queue.rows()[0].received, 0);
        queue.start(0);
        QTRY_COMPARE(queue.rows()[0].state, DownloadState::done);
        QVERIFY(QFile::exists(folder.filePath("one/b.bin")));
    }

    void aFailedDownloadDoesNotBlockTheNext() {
        QTemporaryDir folder;
        FileServer server(QByteArray(50'000, 'k'));
        DownloadOffer bad = offer(server, "one");
        bad.files[0].sha256 = sha("other");
        DownloadQueue queue({bad, offer(server, "two")}, folder.path(), quick());
        queue.start(0);
        queue.start(1);
        QTRY_COMPARE(queue.rows()[1].state, DownloadState::done);
        QCOMPARE(queue.rows()[0].state, DownloadState::failed);
        QCOMPARE(queue.rows()[0].fault, DownloadFault::wrongHash);
        QCOMPARE(queue.rows()[0].file, QStringLiteral("a.bin"));
        QVERIFY(!QFile::exists(folder.filePath("one/a.bin")));
    }

    void cancelRemovesThePartialFile() {
        QTemporaryDir folder;
        FileServer server(QByteArray(50'000, 'k'));
        server.answer = [&](QTcpSocket& socket, const Request& request) { server.stall(socket, request, 20'000); };
        DownloadQueue queue({offer(server, "one")}, folder.path(), quick());
        queue.start(0);
        QTRY_COMPARE(queue.rows()[0].received, 20'000);
        queue.cancel(0);
        QCOMPARE(queue.rows()[0].state, DownloadState::offered);
        QTRY_VERIFY(!QFile::exists(folder.filePath("one/a.bin.part")));
        QCOMPARE(queue.rows()[0].received, 0);
    }
};

QTEST_GUILESS_MAIN(TestDownloadQueue)
#include "test_download_queue.moc"
