#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <iterator>
#include <memory>

#include "core/cluster/import_result.h"
#include "tests/core/cluster/temporary_task.h"
#include "tests/support/file_bytes.h"

using namespace kinescope;
using namespace kinescope::cluster;
using testing::contents_of;
using testing::kFirst;
using testing::write_file;
namespace fs = std::filesystem;

namespace {

/// A PNG file, up to its pixels, that Kinescope has made.
std::string frame_of_kinescope() {
    using namespace std::string_literals;
    return "\x89PNG\r\n\x1a\n"s + "\0\0\0\x0dIHDR"s + std::string(17, '\0') +
           "\0\0\0\x16iTXtSoftware\0\0\0\0\0Kinescope"s + std::string(4, '\0');
}

}  // namespace

class TestImportResult : public QObject, private testing::OnTemporaryTask {
    Q_OBJECT

private Q_SLOTS:
    void init() { renew(); }

    void a_result_gets_its_final_names() {
        finish(kFirst, "video");
        folder().publish(kFirst);
        import_result(folder(), task());
        QCOMPARE(contents_of(dir() / "home" / "a.mp4"), std::string("video"));
        QCOMPARE(contents_of(dir() / "home" / "a.jsonl"), std::string("log of video"));
        QVERIFY(fs::exists(folder().path() / "imported.json") && folder().attempts().empty());
        const TaskResult result = read_result(folder(), task());
        QCOMPARE(result.seconds, 2.5);
        QCOMPARE(result.outcome["output"].get<std::string>(), (dir() / "home" / "a.mp4").string());
    }

    void an_existing_file_is_not_replaced() {
        finish(kFirst, "video");
        folder().publish(kFirst);
        write_file(dir() / "home" / "a.mp4", "mine");
        QVERIFY_THROWS_EXCEPTION(Error, import_result(folder(), task()));
        QCOMPARE(contents_of(dir() / "home" / "a.mp4"), std::string("mine"));
        QCOMPARE(contents_of(folder().result() / "video.mp4"), std::string("video"));
        VideoTask replacing = task();
        replacing.overwrite = OverwriteMode::overwrite;
        import_result(folder(), replacing);
        QCOMPARE(contents_of(dir() / "home" / "a.mp4"), std::string("video"));
    }

    /// The computer stopped between the copy of a file and the removal of its source.
    void an_interrupted_import_goes_on() {
        finish(kFirst, "video");
        folder().publish(kFirst);
        write_file(dir() / "home" / "a.jsonl", "log of video");
        import_result(folder(), task());
        QCOMPARE(contents_of(dir() / "home" / "a.mp4"), std::string("video"));
        QVERIFY(!fs::exists(folder().result() / "numeric.jsonl"));
    }

    void a_damaged_result_is_not_imported_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");  // null: the file is missing
        QTest::newRow("video of the same size") << "video.mp4"
                                                << "VIDEO";
        QTest::newRow("video cut off") << "video.mp4"
                                       << "";
        QTest::newRow("video missing") << "video.mp4" << QString();
        QTest::newRow("description empty") << kResultFile << "";
        QTest::newRow("description cut off") << kResultFile << "{\"format\": 1, \"fil";
        QTest::newRow("description without files") << kResultFile << "{}";
        QTest::newRow("description without the video") << kResultFile << "{\"files\": {\"video.mp4\": 3}}";
    }
    void a_damaged_result_is_not_imported() {
        QFETCH(QString, name);
        QFETCH(QString, text);
        finish(kFirst, "video");
        folder().publish(kFirst);
        const fs::path file = folder().result() / name.toStdString();
        text.isNull() ? static_cast<void>(fs::remove(file)) : write_file(file, text.toStdString());
        try {
            import_result(folder(), task());
            QFAIL("no error");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::file_changed);
            QVERIFY(error.message().find(file.string()) != std::string::npos);
            QVERIFY(error.hint().find("cluster resume makes the video again") != std::string::npos);
        }
        QVERIFY(!fs::exists(dir() / "home"));
        QVERIFY(!fs::exists(folder().path() / "imported.json"));
    }

    void a_damaged_log_does_not_discard_the_video_data() {
        QTest::addColumn<QString>("text");  // null: the file is missing
        QTest::newRow("damaged") << "log of other";
        QTest::newRow("missing") << QString();
    }
    void a_damaged_log_does_not_discard_the_video() {
        QFETCH(QString, text);
        finish(kFirst, "video");
        folder().publish(kFirst);
        const fs::path log = folder().result() / "numeric.jsonl";
        text.isNull() ? static_cast<void>(fs::remove(log)) : write_file(log, text.toStdString());
        const auto warnings = import_result(folder(), task());
        QCOMPARE(warnings.size(), std::size_t{1});
        QVERIFY2(warnings[0].find((dir() / "home" / "a.jsonl").string()) != std::string::npos, warnings[0].c_str());
        QCOMPARE(contents_of(dir() / "home" / "a.mp4"), std::string("video"));
        QVERIFY(!fs::exists(dir() / "home" / "a.jsonl") && fs::exists(folder().path() / "imported.json"));
    }

    void nothing_is_placed_while_a_name_is_taken() {
        finish(kFirst, "video");
        folder().publish(kFirst);
        const fs::path home = dir() / "home";
        write_file(home / "a.mp4", "mine");
        QVERIFY_THROWS_EXCEPTION(Error, import_result(folder(), task()));
        QVERIFY(!fs::exists(home / "a.jsonl") && fs::exists(folder().result() / "numeric.jsonl"));
        fs::rename(home / "a.mp4", home / "mine.mp4");
        QVERIFY(import_result(folder(), task()).empty());
        QCOMPARE(contents_of(home / "a.mp4"), std::string("video"));
        QCOMPARE(contents_of(home / "a.jsonl"), std::string("log of video"));
    }

    /// The user moves what an import has placed before it failed.
    void a_placed_file_may_be_moved_on() {
        finish(kFirst, "video");
        folder().publish(kFirst);
        VideoTask wanted = task();
        write_file(dir() / "home" / "videos", "a file");
        wanted.files[0].target = dir() / "home" / "videos" / "a.mp4";
        QVERIFY_THROWS_EXCEPTION(Error, import_result(folder(), wanted));
        const fs::path log = wanted.files[1].target;
        QCOMPARE(contents_of(log), std::string("log of video"));
        fs::rename(log, dir() / "log of the video");
        fs::remove(dir() / "home" / "videos");
        QVERIFY(import_result(folder(), wanted).empty());
        QCOMPARE(contents_of(wanted.files[0].target), std::string("video"));
        QVERIFY(!fs::exists(log) && !fs::exists(folder().placed()));
    }

    /// The import was killed after it had placed the video.
    void a_placed_video_may_be_moved_on() {
        finish(kFirst, "video");
        folder().publish(kFirst);
        for (const char* name : {"video.mp4", "numeric.jsonl"}) fs::remove(folder().result() / name);
        write_file(folder().placed(), R"(["numeric.jsonl", "video.mp4"])");
        QVERIFY(import_result(folder(), task()).empty());
        QVERIFY(fs::exists(folder().path() / "imported.json"));
    }

    /// /dev/shm is another file system than the temporary folder on most systems; the test is true in both cases.
    void a_file_is_moved_to_another_file_system() {
        QTemporaryDir other("/dev/shm/kinescope-test-XXXXXX");
        if (!other.isValid()) QSKIP("there is no /dev/shm");
        finish(kFirst, std::string(3'000'000, 'v'));
        folder().publish(kFirst);
        VideoTask there = task();
        there.files = {{"video.mp4", fs::path(other.path().toStdString()) / "deep" / "a.mp4"}};
        import_result(folder(), there);
        QCOMPARE(contents_of(there.files[0].target).size(), std::size_t{3'000'000});
        QVERIFY(!fs::exists(folder().result() / "video.mp4"));
    }

    void frames_of_a_folder_are_moved_one_by_one() {
        folder().claim(kFirst);
        for (const char* name : {"00000.png", "00001.png"}) write_file(folder().outputs(kFirst) / "video" / name, name);
        const std::string text = describe_outputs(folder().outputs(kFirst), Json::object()).dump();
        write_file(folder().outputs(kFirst) / kResultFile, text);
        folder().publish(kFirst);
        const VideoTask frames{.request = {}, .files = {{"video", dir() / "frames"}}};
        fs::rename(folder().result() / "video" / "00001.png", dir() / "kept");
        QVERIFY_THROWS_EXCEPTION(Error, import_result(folder(), frames));
        fs::rename(dir() / "kept", folder().result() / "video" / "00001.png");
        import_result(folder(), frames);
        QCOMPARE(contents_of(dir() / "frames" / "00001.png"), std::string("00001.png"));
    }

    void a_folder_of_frames_gets_its_name_as_a_whole_data() {
        QTest::addColumn<QStringList>("there");  // "own": frames of Kinescope; "other": another file
        QTest::addColumn<bool>("overwrite");
        QTest::addColumn<bool>("is_imported");
        QTest::newRow("empty folder") << QStringList{} << false << true;
        QTest::newRow("frames") << QStringList{"own"} << false << false;
        QTest::newRow("frames, overwrite") << QStringList{"own"} << true << true;
        QTest::newRow("another file") << QStringList{"other"} << false << false;
        QTest::newRow("another file, overwrite") << QStringList{"own", "other"} << true << false;
    }
    /// On the file system of the result, and on another one if there is one.
    void a_folder_of_frames_gets_its_name_as_a_whole() {
        QFETCH(QStringList, there);
        QFETCH(bool, overwrite);
        QFETCH(bool, is_imported);
        const QTemporaryDir other("/dev/shm/kinescope-test-XXXXXX");
        for (const fs::path& home : {dir() / "home", fs::path(other.path().toStdString())}) {
            if (!other.isValid() && home != dir() / "home") continue;
            const fs::path target = home / "frames";
            fs::create_directories(target);
            if (there.contains("own"))
                for (const char* name : {"00000.png", "00001.png", "00002.png"})
                    write_file(target / name, frame_of_kinescope());
            if (there.contains("other")) write_file(target / "mine.txt", "mine");
            const TaskFolder task(dir() / home.filename() / "task");
            task.claim(kFirst);
            for (const char* name : {"00000.png", "00001.png"}) write_file(task.outputs(kFirst) / "video" / name, name);
            write_file(task.outputs(kFirst) / kResultFile,
                       describe_outputs(task.outputs(kFirst), Json::object()).dump());
            task.publish(kFirst);
            VideoTask wanted{.request = {}, .files = {{"video", target}}};
            if (overwrite) wanted.overwrite = OverwriteMode::overwrite;
            if (!is_imported) {
                QVERIFY_THROWS_EXCEPTION(Error, import_result(task, wanted));
                QVERIFY(!fs::exists(target / "00000.png") || contents_of(target / "00000.png") == frame_of_kinescope());
                QCOMPARE(fs::exists(target / "mine.txt"), there.contains("other"));
                QVERIFY(fs::exists(task.result() / "video" / "00000.png"));
                continue;
            }
            import_result(task, wanted);
            QCOMPARE(std::distance(fs::directory_iterator(target), fs::directory_iterator()), std::ptrdiff_t{2});
            QCOMPARE(contents_of(target / "00001.png"), std::string("00001.png"));
            QVERIFY(!fs::exists(task.result() / "video"));
            const QDir folder(QString::fromStdString(home.string()));
            QVERIFY(folder.entryList({"*.part"}, QDir::Files | QDir::Dirs | QDir::Hidden).isEmpty());
        }
    }

    /// The computer stopped between the copy of the folder and the removal of its source.
    void an_interrupted_import_of_frames_goes_on() {
        folder().claim(kFirst);
        write_file(folder().outputs(kFirst) / "video" / "00000.png", "frame");
        write_file(folder().outputs(kFirst) / kResultFile,
                   describe_outputs(folder().outputs(kFirst), Json::object()).dump());
        folder().publish(kFirst);
        write_file(dir() / "frames" / "00000.png", "frame");
        import_result(folder(), {.request = {}, .files = {{"video", dir() / "frames"}}});
        QVERIFY(!fs::exists(folder().result() / "video") && fs::exists(folder().path() / "imported.json"));
    }

    void a_live_log_follows_an_attempt() {
        LiveLog log;
        const fs::path target = dir() / "copy";
        const auto copy = [&] { return contents_of(target); };
        log.update(dir() / "missing", target);
        QCOMPARE(copy(), std::string());
        write_file(dir() / "one", "1\n");
        log.update(dir() / "one", target);
        std::ofstream(dir() / "one", std::ios::app) << "2\n";
        log.update(dir() / "one", target);
        log.update(dir() / "one", target);
        QCOMPARE(copy(), std::string("1\n2\n"));
        write_file(dir() / "two", "1\n");
        log.update(dir() / "two", target);
        QCOMPARE(copy(), std::string("1\n"));
    }
};

QTEST_GUILESS_MAIN(TestImportResult)
#include "test_import_result.moc"
