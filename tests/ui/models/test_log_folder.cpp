#include <QtTest>

#include "ui/models/history_item.h"
#include "ui/models/log_folder.h"

using namespace kinescope::ui;

namespace {

constexpr qint64 kMegabyte = 1'000'000;

void write(const QString& path, const QByteArray& content) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

}  // namespace

/// Tests that numeric logs are in the data folder and do not grow without limit.
class TestLogFolder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", QFile::encodeName(folder_->filePath("data")));
    }
    void cleanupTestCase() { qunsetenv("XDG_DATA_HOME"); }

    void aLogIsFoundInBothPlaces() {
        const QString video = folder_->filePath("videos/a.mp4");
        write(video, "x");
        QCOMPARE(logOf(video), QString());
        const QString log = logFolder() + "/a.jsonl";
        QVERIFY(log.startsWith(folder_->filePath("data/")));
        write(log, R"({"record":"summary","status":"healed"})");
        QCOMPARE(logOf(video), log);
        QCOMPARE(scanVideos(folder_->filePath("videos")).at(0).status, std::optional(kinescope::RunStatus::healed));
        write(folder_->filePath("videos/a.jsonl"), "{}");  // written by an earlier version
        QCOMPARE(logOf(video), folder_->filePath("videos/a.jsonl"));
    }

    void oldAndManyLogsAreDeleted_data() {
        QTest::addColumn<int>("days");
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("deleted");
        QTest::newRow("no limits") << 0 << qint64{0} << "";
        QTest::newRow("age") << 30 << qint64{0} << "e d";
        QTest::newRow("size") << 0 << 25 * kMegabyte << "e d";
        QTest::newRow("both") << 5 << 15 * kMegabyte << "e d b";
        QTest::newRow("the newest stays") << 0 << qint64{1} << "e d b";
    }
    void oldAndManyLogsAreDeleted() {
        QFETCH(int, days);
        QFETCH(qint64, bytes);
        const QDateTime now = QDateTime::currentDateTime();
        const auto log = [&](const char* name, int age) {
            return LogFile{QLatin1String(name), now.addDays(-age), 10 * kMegabyte};
        };
        const QList<LogFile> logs{log("c", 90), log("a", 0), log("d", 40), log("b", 10), log("e", 50)};
        QTEST(logsToDelete(logs, {days, bytes}, now, {"c"}).join(' '), "deleted");
    }

    void onlyLogsAreDeleted() {
        for (const char* name : {"a.jsonl", "b.jsonl", "notes.txt"})
            write(logFolder() + '/' + name, QByteArray(100, 'x'));
        QFile old(logFolder() + "/a.jsonl");
        QVERIFY(old.open(QIODevice::ReadWrite));
        QVERIFY(old.setFileTime(QDateTime::currentDateTime().addDays(-9), QFileDevice::FileModificationTime));
        old.close();
        deleteOldLogs({.days = 7}, {});
        QTRY_VERIFY(!QFile::exists(logFolder() + "/a.jsonl"));
        QVERIFY(QFile::exists(logFolder() + "/b.jsonl"));
        QVERIFY(QFile::exists(logFolder() + "/notes.txt"));
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_GUILESS_MAIN(TestLogFolder)
#include "test_log_folder.moc"
