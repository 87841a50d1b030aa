#include <QtTest>
#include <optional>
#include <utility>

#include "ui/models/history_item.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

HistoryItem item(const QString& prompt, RunStatus status) {
    HistoryItem made;
    made.file = QStringLiteral("/videos/") + prompt + QStringLiteral(".mp4");
    made.status = status;
    made.made = QDateTime(QDate(2026, 11, 21), QTime(14, 2));
    made.request = VideoRequest{};
    made.request->prompt = prompt.toStdString();
    made.request->seed = 41822;
    return made;
}

}  // namespace

class TestHistoryItem : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The frames of the continued video are not counted in its request.
    void theLengthOfAContinuedVideoIsThatOfTheFile() {
        HistoryItem made = item(QStringLiteral("a ball"), {});
        made.request->num_frames = 16;
        made.request->fps = 8;
        QCOMPARE(clipSeconds(made), std::optional(2.0));
        made.request->continue_video = "/videos/old.mp4";
        QVERIFY(!clipSeconds(made));
        made.seconds = 7.5;
        QCOMPARE(clipSeconds(made), std::optional(7.5));
        made.request.reset();  // a video of another program
        QCOMPARE(clipSeconds(made), std::optional(7.5));
    }

    void warningsAreReadFromTheLog() {
        const QTemporaryDir folder;
        const auto write = [&](const char* name, const QByteArray& content) {
            QFile file(folder.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content);
        };
        write("a.mp4", "x");
        write("a.jsonl", R"({"record":"summary","status":"completed","warnings":["decode, vae.frames: flat"]})");
        const auto items = scanVideos(folder.path());
        QCOMPARE(items.size(), std::size_t{1});
        QCOMPARE(items[0].warnings, QStringList{"decode, vae.frames: flat"});
        QCOMPARE(badgeOf(items[0]), HistoryBadge::warned);
        QVERIFY(isShown(items[0], {.text = QStringLiteral("flat")}));
        QCOMPARE(badgeOf(item("a ball", RunStatus::completed)), HistoryBadge::completed);
    }

    void aStatusOfANewerVersionIsUnknown() {
        const QTemporaryDir folder;
        for (const auto& [name, content] : {std::pair("a.mp4", "x"), std::pair("a.jsonl", R"({"status":"mended"})")}) {
            QFile file(folder.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content);
        }
        const auto items = scanVideos(folder.path());
        QCOMPARE(items.size(), std::size_t{1});
        QVERIFY(!items[0].status);
        QCOMPARE(badgeOf(items[0]), HistoryBadge::none);
    }

    void aFolderOfFramesIsAVideo() {
        const QTemporaryDir folder;
        const QDir root(folder.path());
        const QDateTime now = QDateTime::currentDateTime();
        const auto write = [&](const char* name, int hoursAgo) {
            QFile file(root.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::ReadWrite));
            file.write("four");
            QVERIFY(file.flush());
            QVERIFY(file.setFileTime(now.addSecs(-3600 * hoursAgo), QFileDevice::FileModificationTime));
        };
        for (const char* name : {"frames", "pictures", ".frames.part"}) QVERIFY(root.mkdir(QLatin1String(name)));
        write("old.mp4", 3);
        write("frames/00000.png", 2);
        write("frames/00001.png", 2);
        write("new.mp4", 1);
        write("pictures/holiday.png", 1);
        write(".frames.part/00000.png", 1);  // a video that is being written
        write("frames.jsonl", 2);
        QFile log(root.filePath("frames.jsonl"));
        QVERIFY(log.open(QIODevice::WriteOnly));
        log.write(R"({"record":"summary","status":"healed"})");
        log.close();
        const auto items = scanVideos(folder.path());
        QCOMPARE(items.size(), std::size_t{3});
        QCOMPARE(items[0].file, root.filePath("new.mp4"));
        QCOMPARE(items[1].file, root.filePath("frames"));
        QCOMPARE(items[1].bytes, qint64{8});
        QCOMPARE(items[1].status, std::optional(RunStatus::healed));
        QCOMPARE(items[2].file, root.filePath("old.mp4"));
    }

    void historyIsSearched_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<bool>("shown");
        QTest::newRow("prompt") << "light HOUSE" << true;
        QTest::newRow("seed") << "41822" << true;
        QTest::newRow("date") << "2026-11-21" << true;
        QTest::newRow("status") << "healed" << true;
        QTest::newRow("all words") << "lighthouse desert" << false;
    }

    void historyIsSearched() {
        QFETCH(QString, words);
        QFETCH(bool, shown);
        QCOMPARE(isShown(item("a lighthouse", RunStatus::healed), {HistoryFilter::Kind::all, words, {}}), shown);
    }

    void tenThousandVideosAreSearchedQuickly() {
        std::vector<HistoryItem> items;
        for (int i = 0; i < 10'000; ++i)
            items.push_back(item(QStringLiteral("a ball number %1").arg(i), RunStatus::completed));
        int shown = 0;
        QElapsedTimer clock;
        clock.start();
        for (const HistoryItem& one : items) shown += isShown(one, {HistoryFilter::Kind::all, "ball 999", {}});
        qInfo("10,000 videos searched in %lld ms", static_cast<long long>(clock.elapsed()));
        QVERIFY(shown >= 1);
    }
};

QTEST_MAIN(TestHistoryItem)
#include "test_history_item.moc"
