#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <fstream>
#include <map>

#include "core/api/error.h"
#include "core/base/sha256.h"
#include "core/computers/file_store.h"
#include "core/computers/part_file.h"
#include "core/computers/part_size.h"
#include "core/computers/unused_inputs.h"
#include "tests/support/failing_calls.h"
#include "tests/support/file_bytes.h"
#include "tests/support/small_disk.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::computers;
using namespace kinescope::testing;

namespace {

namespace fs = std::filesystem;

const std::string kToken(32, 'c');

std::string sha256(const std::string& text) {
    Sha256 hash;
    hash.add(std::as_bytes(std::span(text.data(), text.size())));
    return hash.finish();
}

FilePart part(const std::string& text, std::int64_t total, std::int64_t offset) {
    return {.total = total, .offset = offset, .bytes = std::as_bytes(std::span(text.data(), text.size()))};
}

}  // namespace

class TestFileStore : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;
    fs::path root(const char* name) const { return folder_.filePath(name).toStdString(); }

private Q_SLOTS:
    void an_input_arrives_in_parts() {
        FileStore store(root("parts"));
        const std::string text = "a picture in two parts";
        const std::string name = "inputs/" + sha256(text) + ".png";
        const auto total = static_cast<std::int64_t>(text.size());
        QVERIFY(!store.arrived(name).is_whole);
        store.put(name, part(text.substr(0, 9), total, 0));
        QCOMPARE(store.arrived(name).bytes, std::int64_t{9});
        QVERIFY(!fs::exists(store.path_of(name)));
        store.put(name, part(text.substr(9), total, 9));
        store.finish(name, sha256(text));
        QVERIFY(store.arrived(name).is_whole);
        QCOMPARE(contents_of(store.path_of(name)), text);
        const std::string picture = "inputs/" + sha256("folder") + "/000000.png";
        store.put(picture, part(text, total, 0));
        store.finish(picture, sha256(text));
        QCOMPARE(contents_of(store.path_of(picture)), text);
    }

    /// Orders and events wait behind a part.
    void parts_are_soon_there() {
        PartSize size;
        const std::int64_t first = size.bytes();
        QVERIFY(first < static_cast<std::int64_t>(kLargestPart));
        size.note_seconds(0.3);
        QCOMPARE(size.bytes(), first);
        for (int i = 0; i < 20; ++i) size.note_seconds(0.01);
        QCOMPARE(size.bytes(), static_cast<std::int64_t>(kLargestPart));
        size.note_seconds(4);
        QCOMPARE(size.bytes(), static_cast<std::int64_t>(kLargestPart) / 2);
        for (int i = 0; i < 20; ++i) size.note_seconds(4);
        QVERIFY(size.bytes() > 0 && size.bytes() < first);
    }

    void two_computers_send_the_same_input() {
        FileStore store(root("twice"));
        const std::string text = "one picture from two computers";
        const std::string name = "inputs/" + sha256(text) + ".png";
        const auto total = static_cast<std::int64_t>(text.size());
        const auto put = [&](std::size_t offset, std::size_t count) {
            store.put(name, part(text.substr(offset, count), total, static_cast<std::int64_t>(offset)));
        };
        put(0, 10);
        put(10, 10);
        put(0, 10);  // the second computer starts before the first one has ended
        QCOMPARE(store.arrived(name).bytes, std::int64_t{20});
        put(8, 14);
        QCOMPARE(store.arrived(name).bytes, std::int64_t{22});
        QCOMPARE(code_of([&] { put(23, 2); }), ErrorCode::bad_request);
        put(20, 10);
        store.finish(name, sha256(text));
        put(20, 10);
        store.finish(name, sha256(text));
        QCOMPARE(contents_of(store.path_of(name)), text);
        QCOMPARE(store.arrived(name).bytes, std::int64_t{0});
    }

    void parts_of_a_longer_file_are_replaced() {
        FileStore store(root("longer"));
        const std::string text = "short";
        const std::string name = "inputs/" + sha256(text) + ".png";
        store.put(name, part("something else of another length", 40, 0));
        store.put(name, part(text, 5, 0));
        store.finish(name, sha256(text));
        QCOMPARE(contents_of(store.path_of(name)), text);
    }

    void hostile_parts_are_refused() {
        FileStore store(root("hostile"));
        const std::string text(100, 'x');
        const std::string name = "inputs/" + sha256(text) + ".png";
        const auto bad = ErrorCode::bad_request;
        for (const char* wrong : {"../x", "inputs/../../x", "/etc/passwd", "x.png", ""}) {
            QCOMPARE(code_of([&] { store.put(wrong, part(text, 100, 0)); }), bad);
            QCOMPARE(code_of([&] { store.arrived(wrong); }), bad);
            QCOMPARE(code_of([&] { store.finish(wrong, sha256(text)); }), bad);
            QCOMPARE(code_of([&] { store.get(wrong, 0, 1); }), bad);
            QCOMPARE(code_of([&] { store.results(wrong); }), bad);
            QCOMPARE(code_of([&] { store.remove_results(wrong); }), bad);
        }
        QCOMPARE(code_of([&] { store.put("results/" + kToken + "/video.mp4", part(text, 100, 0)); }), bad);
        QCOMPARE(code_of([&] { store.put(name, part(text, -1, 0)); }), bad);
        QCOMPARE(code_of([&] { store.put(name, part(text, kLargestFile + 1, 0)); }), bad);
        QCOMPARE(code_of([&] { store.put(name, part(text, 99, 0)); }), bad);
        QCOMPARE(code_of([&] { store.put(name, part(text, 200, 150)); }), bad);
        QCOMPARE(code_of([&] { store.put(name, part(text, 200, -1)); }), bad);
        QCOMPARE(code_of([&] { store.put(name, part(text, INT64_MAX, INT64_MAX)); }), bad);
        QCOMPARE(code_of([&] { store.put(name, part(std::string(kLargestPart + 1, 'x'), kLargestFile, 0)); }), bad);
        QCOMPARE(code_of([&] { store.put(name, part(text, kLargestFile, 0)); }).has_value(),
                 *store.free_bytes() < kLargestFile);
        QVERIFY(!fs::exists(root("x")));
    }

    void a_wrong_hash_deletes_what_arrived() {
        FileStore store(root("hash"));
        const std::string text = "what was announced";
        const std::string name = "inputs/" + sha256(text) + ".png";
        store.put(name, part("what really came..", 18, 0));
        QCOMPARE(code_of([&] { store.finish(name, sha256(text)); }), ErrorCode::bad_request);
        QCOMPARE(store.arrived(name).bytes, std::int64_t{0});
        QVERIFY(!fs::exists(store.path_of(name)));
        QCOMPARE(code_of([&] { store.finish(name, sha256("x")); }), ErrorCode::bad_request);
        QCOMPARE(code_of([&] { store.finish(name, "short"); }), ErrorCode::bad_request);
    }

    void results_are_listed_and_read() {
        FileStore store(root("results"));
        const fs::path results = store.folder() / "results" / kToken;
        fs::create_directories(results / "previews");
        std::ofstream(results / "video.mp4") << "video";
        std::ofstream(results / "previews/1.png") << "preview";
        std::ofstream(results / ".video.part-1.mp4") << "unfinished";
        fs::create_symlink("/etc/passwd", results / "link.txt");
        const auto files = store.results(kToken);
        QCOMPARE(files.size(), std::size_t{2});
        QCOMPARE(files[0].name, "results/" + kToken + "/previews/1.png");
        QCOMPARE(files[1].sha256, sha256("video"));
        QCOMPARE(files[1].bytes, std::int64_t{5});
        const auto bytes = store.get(files[1].name, 1, 3);
        QCOMPARE(std::string(bytes.begin(), bytes.end()), std::string("ide"));
        for (const auto& [offset, count] : {std::pair{0, 6}, {6, 0}, {-1, 2}, {2, -1}, {4, 2}})
            QCOMPARE(code_of([&, o = offset, c = count] { store.get(files[1].name, o, c); }), ErrorCode::bad_request);
        QCOMPARE(code_of([&] { store.get("results/" + kToken + "/link.txt", 0, 1); }), ErrorCode::file_not_found);
        QCOMPARE(code_of([&] { store.get("results/" + kToken + "/none.mp4", 0, 1); }), ErrorCode::file_not_found);
        store.remove_results(kToken);
        QVERIFY(store.results(kToken).empty());
        QVERIFY(fs::exists("/etc/passwd"));
    }

    /// A file system that does not tell its free space is not a full one.
    void unknown_free_space_is_not_a_full_disk() {
        FileStore store(root("unknown"));
        QVERIFY(store.free_bytes() && *store.free_bytes() > 0);
        fs::remove_all(store.folder());
        QVERIFY(!store.free_bytes());
        const std::string text = "text";
        const auto code = code_of([&] { store.put("inputs/" + sha256(text) + ".png", part(text, 4, 0)); });
        QVERIFY(code != ErrorCode::disk_full);
    }

    void a_full_disk_keeps_what_has_arrived() {
        FileStore store(root("full"));
        const std::string text(40'000, 'x');
        const std::string name = "inputs/" + sha256(text) + ".png";
        store.put(name, part(text.substr(0, 10'000), 40'000, 0));
        {
            const SmallDisk disk(20'000);
            QCOMPARE(code_of([&] { store.put(name, part(text.substr(10'000), 40'000, 10'000)); }),
                     ErrorCode::disk_full);
        }
        QCOMPARE(store.arrived(name).bytes, std::int64_t{10'000});
        store.put(name, part(text.substr(10'000), 40'000, 10'000));
        store.finish(name, sha256(text));
        QVERIFY(store.arrived(name).is_whole);
    }

    void a_used_up_quota_is_named() {
        const fs::path target = root("quota.mp4");
        std::optional<Error> found;
        const bool is_called = call_beyond_quota([&] {
            PartFile file(target);
            file.append(std::as_bytes(std::span("video", 5)));
            try {
                file.rename(IfTargetExists::refuse);
            } catch (const Error& error) {
                found = error;
            }
        });
        if (!is_called) QSKIP("system calls cannot be filtered here");
        QVERIFY(found && found->code() == ErrorCode::disk_full);
        QVERIFY2(found->message().starts_with("Your disk quota is used up"), found->what());
        QCOMPARE(found->arguments().at("cause"), std::string("quota"));
    }

    void the_full_storage_of_a_cluster_is_named() {
        FileStore store(root("shared"), StoragePlace::cluster);
        const std::string text(40'000, 'x');
        const SmallDisk disk(20'000);
        try {
            store.put("inputs/" + sha256(text) + ".png", part(text, 40'000, 0));
            QFAIL("it was stored");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::disk_full);
            QVERIFY2(error.message().starts_with("the shared storage"), error.what());
            QCOMPARE(error.arguments().at("storage"), std::string("shared"));
        }
    }

    void inputs_of_open_jobs_are_kept() {
        FileStore store(root("old"));
        const auto arrive = [&store](const std::string& name) {
            const std::string text = "a picture";
            store.put(name, part(text, static_cast<std::int64_t>(text.size()), 0));
            store.finish(name, sha256(text));
        };
        const std::string picture = "inputs/" + sha256("a picture") + ".png";
        arrive(picture);
        std::map<std::string, fs::path> folders;
        for (const char* use : {"waiting", "failed", "finished", "none", "again"}) {
            const std::string folder = "inputs/" + sha256(use);
            arrive(folder + "/000000.png");
            folders[use] = store.folder() / folder;
        }
        const auto old = fs::file_time_type::clock::now() - std::chrono::days(40);
        for (const auto& entry : fs::recursive_directory_iterator(store.folder() / "inputs"))
            fs::last_write_time(entry.path(), old);
        QVERIFY(store.arrived("inputs/" + sha256("again") + "/000000.png").is_whole);  // another job uses it
        std::vector<Job> jobs(3);
        jobs[0].state = JobState::waiting;
        jobs[0].request.image = store.path_of(picture);
        jobs[0].request.video = folders["waiting"];
        jobs[1].state = JobState::failed;
        jobs[1].request.video = folders["failed"];
        jobs[2].state = JobState::finished;
        jobs[2].request.video = folders["finished"];
        forget_unused_inputs(store, jobs, 30);
        QVERIFY(fs::exists(store.path_of(picture)));
        for (const char* used : {"waiting", "failed", "again"}) QVERIFY2(fs::exists(folders[used]), used);
        for (const char* unused : {"finished", "none"}) QVERIFY2(!fs::exists(folders[unused]), unused);
    }

    void a_folder_open_to_others_is_refused() {
        const fs::path open = root("open");
        fs::create_directory(open);
        fs::permissions(open, fs::perms::all);
        QCOMPARE(code_of([&] { FileStore store(open); }), ErrorCode::output_not_writable);
        fs::create_directory_symlink(root("parts"), root("link"));
        QCOMPARE(code_of([&] { FileStore store(root("link")); }), ErrorCode::output_not_writable);
    }

    void a_finished_file_never_replaces_another_one() {
        const fs::path target = root("video.mp4");
        std::ofstream(target) << "mine";
        PartFile file(target);
        const std::string text = "theirs";
        file.append(std::as_bytes(std::span(text.data(), text.size())));
        QCOMPARE(code_of([&] { file.rename(IfTargetExists::refuse); }), ErrorCode::output_exists);
        QCOMPARE(contents_of(target), std::string("mine"));
        file.rename(IfTargetExists::replace);
        QCOMPARE(contents_of(target), std::string("theirs"));
    }
};

QTEST_GUILESS_MAIN(TestFileStore)
#include "test_file_store.moc"
