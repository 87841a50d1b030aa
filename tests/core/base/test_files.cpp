#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <thread>

#include "core/api/error.h"
#include "core/api/output_files.h"
#include "core/base/atomic_file.h"
#include "core/base/existing_outputs.h"
#include "core/base/file_presence.h"
#include "core/base/folder_entries.h"
#include "core/base/frame_files.h"
#include "core/base/full_disk.h"
#include "core/base/json.h"
#include "core/base/local_socket.h"
#include "core/base/logging.h"
#include "core/base/mapped_file.h"
#include "core/base/printable.h"
#include "core/base/regular_file.h"
#include "tests/support/failing_calls.h"
#include "tests/support/failing_readdir.h"
#include "tests/support/file_bytes.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;
namespace fs = std::filesystem;

namespace {

std::size_t count_files(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

}  // namespace

class TestFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        temporary_ = std::make_unique<QTemporaryDir>();
        folder_ = temporary_->path().toStdString();
    }

    void a_pipe_is_not_replaced() {
        const fs::path pipe = folder_ / "pipe";
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        QCOMPARE(thrown_by([&] { write_file_atomically(pipe, "text"); }).code(), ErrorCode::output_not_writable);
        QVERIFY(fs::is_fifo(pipe));
        QCOMPARE(count_files(folder_), std::size_t{1});
    }

    void a_mapped_file_outlives_its_name() {
        write_file_atomically(folder_ / "a", "twelve bytes");
        const auto file = MappedFile::open(folder_ / "a");
        fs::remove(folder_ / "a");
        QCOMPARE(file->bytes().size(), std::size_t{12});
        QCOMPARE(static_cast<char>(file->bytes()[11]), 's');
    }

    /// Without the SIGBUS handler, reading the file would end the process.
    void a_truncated_mapped_file_reads_as_zeros_and_is_named() {
        const fs::path file = folder_ / "weights";
        constexpr std::size_t kPage = 4096;
        write_file_atomically(file, std::string(3 * kPage, 'w'));
        const FileWatch watch({file});
        {
            const auto mapped = MappedFile::open(file);
            watch.check();
            fs::resize_file(file, kPage);
            QCOMPARE(static_cast<char>(mapped->bytes()[0]), 'w');
            QCOMPARE(static_cast<char>(mapped->bytes()[2 * kPage]), '\0');
        }
        try {
            watch.check();
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::file_changed);
            QVERIFY2(error.message().find(file.string()) != std::string::npos, error.what());
            QVERIFY2(error.message().find("could not be read") != std::string::npos, error.what());
        }
        write_file_atomically(file, std::string(3 * kPage, 'w'));
        FileWatch({file}).check();  // a new watch does not know about the earlier fault
    }

    void a_changed_file_is_named_data() {
        QTest::addColumn<QString>("change");
        for (const char* change : {"rewritten", "replaced", "longer", "touched", "removed"})
            QTest::newRow(change) << QString(change);
    }
    void a_changed_file_is_named() {
        QFETCH(QString, change);
        const fs::path file = folder_ / "weights";
        write_file_atomically(file, "before");
        fs::last_write_time(file, fs::last_write_time(file) - std::chrono::hours(1));
        const FileWatch watch({file, folder_ / "none"});
        watch.check();
        if (change == "rewritten") std::ofstream(file) << "behind";
        if (change == "replaced") {
            const auto time = fs::last_write_time(file);
            write_file_atomically(file, "before");
            fs::last_write_time(file, time);
        }
        if (change == "longer") std::ofstream(file, std::ios::app) << "!";
        if (change == "touched") fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(1));
        if (change == "removed") fs::remove(file);
        QVERIFY(code_of([&] { watch.check(); }) == ErrorCode::file_changed);
    }

    void unmappable_files_are_refused() {
        write_file_atomically(folder_ / "empty", "");
        QVERIFY(MappedFile::open(folder_ / "empty")->bytes().empty());
        QVERIFY(code_of([&] { MappedFile::open(folder_ / "none"); }) == ErrorCode::file_not_found);
        QVERIFY(code_of([&] { MappedFile::open(folder_ / "empty/below"); }) == ErrorCode::file_not_found);
        QVERIFY(code_of([&] { MappedFile::open(folder_); }) == ErrorCode::file_unreadable);
        QVERIFY(code_of([&] { MappedFile::open("/dev/zero"); }) == ErrorCode::file_unreadable);
    }

    void an_atomic_file_appears_whole_or_not_at_all() {
        const fs::path target = folder_ / "video.mp4";
        {
            AtomicFile file(target);
            file.write("half");
            QVERIFY(!fs::exists(target));
            QCOMPARE(file.temporary().parent_path(), folder_);
        }
        QCOMPARE(count_files(folder_), std::size_t{0});
        write_file_atomically(target, "whole");
        QCOMPARE(contents_of(target), std::string("whole"));
        QCOMPARE(count_files(folder_), std::size_t{1});
    }

    void an_uncommitted_file_keeps_the_old_one() {
        const fs::path target = folder_ / "a";
        write_file_atomically(target, "old");
        { AtomicFile(target).write("new"); }
        QCOMPARE(contents_of(target), std::string("old"));
        write_file_atomically(target, "new");
        QCOMPARE(contents_of(target), std::string("new"));
    }

    void concurrent_writers_use_separate_temporary_files() {
        AtomicFile first(folder_ / "a"), second(folder_ / "a");
        first.write("1");
        second.write("2");
        second.commit();
        first.commit();
        QCOMPARE(contents_of(folder_ / "a"), std::string("1"));
        QCOMPARE(count_files(folder_), std::size_t{1});
    }

    void a_file_can_be_readable_by_its_owner_only() {
        write_file_atomically(folder_ / "a", "prompt", FileAccess::owner_only);
        QCOMPARE(fs::status(folder_ / "a").permissions() & fs::perms::all,
                 fs::perms::owner_read | fs::perms::owner_write);
    }

    void unwritable_files_are_refused() {
        QVERIFY(code_of([&] { AtomicFile(folder_ / "none/a"); }) == ErrorCode::output_not_writable);
        QVERIFY(code_of([&] { AtomicFile{folder_}; }) == ErrorCode::output_not_writable);
        QVERIFY(code_of([&] { AtomicFile("/proc/a"); }) == ErrorCode::output_not_writable);
    }

    void a_used_up_quota_is_named() {
        std::optional<Error> found;
        const bool is_called = call_beyond_quota([&] {
            try {
                write_file_atomically(folder_ / "a", "b");
            } catch (const Error& error) {
                found = error;
            }
        });
        if (!is_called) QSKIP("system calls cannot be filtered here");
        QVERIFY(found && found->code() == ErrorCode::disk_full);
        QVERIFY2(found->message().find("quota") != std::string::npos, found->what());
        QVERIFY2(found->hint().find("larger quota") != std::string::npos, found->what());
        QCOMPARE(count_files(folder_), std::size_t{0});
    }

    void shortages_have_a_table() {
        for (const auto& [error, shortage] : {std::pair{ENOSPC, Shortage::space},
                                              {EDQUOT, Shortage::quota},
                                              {EFBIG, Shortage::file_size},
                                              {EIO, Shortage::none},
                                              {0, Shortage::none}})
            QVERIFY2(shortage_of(error) == shortage, std::to_string(error).c_str());
        struct Row {
            FailedWrite write;
            Shortage shortage;
            const char* message;
            const char* hint;
        };
        const std::string file = (folder_ / "a.mp4").string();
        const Row table[] = {
            {{file}, Shortage::quota, "Your disk quota is used up: cannot write ", "or choose another folder."},
            {{file, 12, "Again."}, Shortage::quota, " after 12 bytes", "or choose another folder. Again."},
            {{file}, Shortage::space, "The disk is full: cannot write ", "choose another folder."},
            {{file, 12, "Again."}, Shortage::space, " after 12 bytes; ", "choose another folder. Again."},
            {{file}, Shortage::file_size, " is too large", "make a shorter or smaller video."}};
        for (const Row& row : table) {
            const Error error = full_disk(row.shortage, row.write);
            QVERIFY(error.code() == ErrorCode::disk_full);
            QVERIFY2(error.message().find(row.message) != std::string::npos, error.what());
            QVERIFY2(error.hint().ends_with(row.hint), error.hint().c_str());
            QCOMPARE(error.argument("path"), file);
            QCOMPARE(error.argument("cause"), std::string(row.shortage == Shortage::quota ? "quota" : ""));
            QCOMPARE(error.argument("written_bytes"), std::string(row.write.written_bytes ? "12" : ""));
        }
    }

    /// A folder that names itself stands for storage that does not answer.
    void a_file_that_the_system_cannot_find_now_is_not_missing() {
        write_file_atomically(folder_ / "a", "b");
        fs::create_symlink("nowhere", folder_ / "link");
        fs::create_symlink("loop", folder_ / "loop");
        for (const char* name : {"a", "link", "loop"}) QVERIFY(has_entry(folder_ / name));
        for (const char* name : {"b", "b/c", "a/b", "link/a"}) {
            QVERIFY2(presence_of(folder_ / name) == Presence::missing, name);
            QVERIFY2(!has_entry(folder_ / name), name);
        }
        QVERIFY(presence_of(folder_ / "loop" / "a") == Presence::unknown);
        QVERIFY(code_of([&] { has_entry(folder_ / "loop" / "a"); }) == ErrorCode::file_unreadable);
    }

    void a_folder_that_cannot_be_read_to_its_end_is_an_error() {
        for (const char* name : {"1.png", "2.png", "3.png"}) write_file_atomically(folder_ / name, "frame");
        std::error_code error;
        QCOMPARE(entries_of(folder_, error).size(), std::size_t{3});
        QVERIFY(!error);
        QVERIFY(entries_of(folder_ / "nowhere", error).empty());
        QVERIFY(error == std::errc::no_such_file_or_directory);
        constexpr int kCalls = 2;
        std::size_t found = 0;
        {
            const FailingReaddir failing(kCalls);
            found = entries_of(folder_, error).size();
        }
        if (!error) QSKIP("readdir() cannot be replaced here");
        QVERIFY(found <= std::size_t{kCalls});
        QVERIFY(error == std::errc::io_error);
        const FailingReaddir failing(kCalls);
        QVERIFY(code_of([&] { frames_in(folder_); }) == ErrorCode::file_unreadable);
    }

    /// What cannot be read from a mapping is zeros.
    void json_that_cannot_be_read_is_not_called_damaged() {
        write_file_atomically(folder_ / "a.json", "{}");
        QVERIFY(read_json(folder_ / "a.json").is_object());
        std::optional<ErrorCode> code;
        const bool is_called =
            call_with_error(SYS_pread64, EIO, [&] { code = code_of([&] { read_json(folder_ / "a.json"); }); });
        if (!is_called) QSKIP("system calls cannot be filtered here");
        QVERIFY(code == ErrorCode::file_unreadable);
    }

    void a_locked_file_is_refused() {
        const FileLock lock(folder_ / "lock", 0);
        QVERIFY(code_of([&] { FileLock(folder_ / "lock", 0.1); }) == ErrorCode::engine_lost);
    }

    void a_file_system_without_locks_is_used_without_them_data() {
        QTest::addColumn<int>("error");
        QTest::newRow("NFS without its lock service") << ENOLCK;
        QTest::newRow("Lustre mounted without flock") << ENOSYS;
        QTest::newRow("other file systems") << EOPNOTSUPP;
    }
    void a_file_system_without_locks_is_used_without_them() {
        QFETCH(int, error);
        std::optional<ErrorCode> code;
        const bool is_called = call_with_error(SYS_flock, static_cast<std::uint32_t>(error),
                                               [&] { code = code_of([&] { FileLock(folder_ / "lock", 0.1); }); });
        if (!is_called) QSKIP("system calls cannot be filtered here");
        QVERIFY(!code);
        QVERIFY(fs::exists(folder_ / "lock"));
    }

    void frames_are_ordered_by_the_numbers_in_their_names() {
        for (const char* name :
             {"frame10.png", "frame2.png", "frame09.png", "frame1.jpg", "notes.txt", "._frame2.png", ".hidden.PNG"})
            std::ofstream(folder_ / name) << "x";
        fs::create_directory(folder_ / "frame3.png");
        std::vector<std::string> names;
        for (const fs::path& frame : frames_in(folder_)) names.push_back(frame.filename().string());
        QCOMPARE(names, (std::vector<std::string>{"frame2.png", "frame09.png", "frame10.png"}));
        QCOMPARE(code_of([&] { frames_in(folder_ / "frame3.png"); }), ErrorCode::file_unreadable);
    }

    void json_is_read_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("reason");
        QTest::newRow("object") << QByteArray(R"({"a": [1, 2.5, null, "é"]})") << "";
        QTest::newRow("64 levels") << QByteArray("[").repeated(64) + QByteArray("]").repeated(64) << "";
        QTest::newRow("same key in two objects") << QByteArray(R"({"a":{"a":1},"b":{"a":1}})") << "";
        QTest::newRow("empty") << QByteArray("") << "parse error";
        QTest::newRow("two documents") << QByteArray("{}{}") << "parse error";
        QTest::newRow("comment") << QByteArray("{} // no") << "parse error";
        QTest::newRow("NaN") << QByteArray("[NaN]") << "parse error";
        QTest::newRow("Latin-1") << QByteArray("[\"\xe9\"]") << "UTF-8";
        QTest::newRow("duplicate key") << QByteArray(R"({"a":1,"a":2})") << "\"a\" occurs twice";
        QTest::newRow("duplicate key in a nested object")
            << QByteArray(R"([{"b":[]},{"a":1,"b":{"a":1},"a":2}])") << "\"a\" occurs twice";
        QTest::newRow("100,000 levels") << QByteArray("[").repeated(100'000) << "nested deeper than 64";
        QTest::newRow("many values") << "[" + QByteArray("0,").repeated(4'000'001) + "0]"
                                     << "more than 4000000 values";
        QTest::newRow("a long token") << "[\"" + QByteArray("a").repeated(1'000'000) << "parse error";
        QTest::newRow("70 levels") << QByteArray("{\"a\":").repeated(70) + "1" + QByteArray("}").repeated(70)
                                   << "nested deeper than 64";
    }
    void json_is_read() {
        QFETCH(QByteArray, text);
        QFETCH(QString, reason);
        write_file_atomically(folder_ / "a.json", text.toStdString());
        try {
            const Json json = read_json(folder_ / "a.json");
            QVERIFY2(reason.isEmpty(), "must throw");
            QVERIFY(json.is_structured());
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::bad_config);
            QVERIFY2(!reason.isEmpty() && QString(error.what()).contains(reason), error.what());
            QVERIFY2(QString(error.what()).contains("a.json"), error.what());
            QVERIFY(QString(error.what()).size() < 500);
        }
    }

    /// Would take minutes with a reader that scans the whole object for each member.
    void nested_objects_are_read_in_linear_time() {
        std::string text = "{";
        for (int i = 0; i < 300'000; ++i) text += "\"" + std::to_string(i) + "\":{\"a\":[1]},";
        text.back() = '}';
        QCOMPARE(parse_json(text).size(), std::size_t{300'000});
    }

    void pipes_and_devices_are_refused() {
        const fs::path pipe = folder_ / "pipe";
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        for (const fs::path& file : {pipe, fs::path("/dev/zero"), folder_}) {
            QVERIFY(code_of([&] { MappedFile::open(file); }) == ErrorCode::file_unreadable);
            QVERIFY(code_of([&] { read_regular_file(file, 100); }) == ErrorCode::file_unreadable);
        }
        QVERIFY(code_of([&] { read_regular_file(folder_ / "none", 100); }) == ErrorCode::file_not_found);
        { std::ofstream(folder_ / "text") << "12345"; }
        QCOMPARE(read_regular_file(folder_ / "text", 5), std::string("12345"));
        QVERIFY(code_of([&] { read_regular_file(folder_ / "text", 4); }) == ErrorCode::file_unreadable);
    }

    void terminal_control_sequences_are_replaced_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("shown");
        QTest::addColumn<QByteArray>("json");
        const QByteArray mark = "\xEF\xBF\xBD";
        QTest::newRow("plain") << QByteArray("a\tb\nc é 日本 \xF0\x9F\x8E\xAC")
                               << QByteArray("a\tb\nc é 日本 \xF0\x9F\x8E\xAC")
                               << QByteArray("a\tb\nc é 日本 \xF0\x9F\x8E\xAC");
        QTest::newRow("escape") << QByteArray("\x1b[2Ja") << mark + "[2Ja" << QByteArray("\\u001b[2Ja");
        QTest::newRow("bell, delete, return")
            << QByteArray("\a\x7f\r") << mark + mark + mark << QByteArray("\\u0007\\u007f\\u000d");
        QTest::newRow("8-bit control") << QByteArray(
                                              "\xC2\x9B"
                                              "2J")
                                       << mark + "2J" << QByteArray("\\u009b2J");
        QTest::newRow("right to left") << QByteArray("\xE2\x80\xAEgnp") << mark + "gnp" << QByteArray("\\u202egnp");
        QTest::newRow("not UTF-8") << QByteArray("a\x9b\xe3z") << "a" + mark + mark + "z"
                                   << "a" + mark + mark + "z";
    }
    void terminal_control_sequences_are_replaced() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, shown);
        QFETCH(QByteArray, json);
        QCOMPARE(QByteArray::fromStdString(printable(text.toStdString())), shown);
        QCOMPARE(QByteArray::fromStdString(printable_json(text.toStdString())), json);
    }

    void a_json_file_over_64_mib_is_refused() {
        fs::create_directory(folder_ / "x");
        { std::ofstream(folder_ / "big.json") << "[]"; }
        fs::resize_file(folder_ / "big.json", (std::uintmax_t{64} << 20) + 1);
        QVERIFY(code_of([&] { read_json(folder_ / "big.json"); }) == ErrorCode::bad_config);
    }

    void existing_outputs_are_found_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("name");  // of a file below the output; ".": the output is a file
        QTest::addColumn<bool>("overwrite");
        QTest::addColumn<bool>("is_found");
        for (const char* field : {"output", "numeric_log", "numeric_csv", "latents", "frames", "preview_dir"})
            QTest::newRow(field) << field << "." << false << true;
        QTest::newRow("replaced video") << "output"
                                        << "." << true << false;
        QTest::newRow("frames of a video") << "output"
                                           << "00000.png" << false << true;
        QTest::newRow("empty folder for frames") << "output"
                                                 << "" << false << false;
        for (const char* preview : {"step0001_frame0000.png", "decoded_frame0012.png"})
            QTest::newRow(preview) << "preview_dir" << preview << false << true;
        QTest::newRow("replaced preview") << "preview_dir"
                                          << "step0001_frame0000.png" << true << false;
        QTest::newRow("other file beside previews") << "preview_dir"
                                                    << "notes.txt" << false << false;
    }
    void existing_outputs_are_found() {
        QFETCH(QString, field);
        QFETCH(QString, name);
        QFETCH(bool, overwrite);
        QFETCH(bool, is_found);
        OutputRequest output;
        if (overwrite) output.overwrite = OverwriteMode::overwrite;
        for (const auto& [known, member] : kOutputFiles) output.*member = folder_ / known;
        const fs::path place = folder_ / field.toStdString();
        const fs::path file = name == QStringLiteral(".") ? place : place / name.toStdString();
        if (file != place) fs::create_directory(place);
        if (!name.isEmpty()) std::ofstream(file) << "mine";
        const auto existing = existing_outputs(output);
        QCOMPARE(existing.size(), std::size_t{is_found});
        if (!is_found) return;
        QCOMPARE(QString(existing[0].field), field);
        QCOMPARE(existing[0].file, field == QStringLiteral("output") ? place : file);
    }

    void log_lines_reach_the_file_and_the_listener() {
        std::vector<std::pair<LogLevel, std::string>> lines;
        start_logging({.level = LogLevel::off,
                       .file = folder_ / "k.log",
                       .listener = [&](LogLevel level, std::string_view line) { lines.emplace_back(level, line); }});
        spdlog::debug("fine print");
        spdlog::info("step {} of {}", 3, 5);
        spdlog::error("no luck");
        start_logging({.level = LogLevel::off});
        spdlog::info("unheard");
        QCOMPARE(lines.size(), std::size_t{2});
        QCOMPARE(lines[0].second, std::string("step 3 of 5"));
        QVERIFY(lines[1].first == LogLevel::error);
        const std::string text = contents_of(folder_ / "k.log");
        QVERIFY(text.find("fine print") != std::string::npos && text.find("no luck") != std::string::npos);
        QVERIFY(text.find("unheard") == std::string::npos);
        QVERIFY(code_of([&] { start_logging({.file = folder_ / "k.log/below"}); }) == ErrorCode::output_not_writable);
    }

    void a_log_file_is_not_written_through_a_symbolic_link() {
        std::ofstream(folder_ / "victim") << "precious";
        fs::create_symlink(folder_ / "victim", folder_ / "link.log");
        QVERIFY(code_of([&] { start_logging({.file = folder_ / "link.log"}); }) == ErrorCode::output_not_writable);
        QCOMPARE(contents_of(folder_ / "victim"), std::string("precious"));
        start_logging({.level = LogLevel::off, .file = "/dev/stderr"});
        start_logging({.level = LogLevel::off});
    }

    void concurrent_log_lines_stay_whole() {
        constexpr int kPrograms = 8;
        constexpr int kLines = 500;
        const std::string words(100, 'x');
        for (int program = 0; program < kPrograms; ++program) {
            if (::fork() != 0) continue;
            start_logging({.level = LogLevel::off, .file = folder_ / "shared.log"});
            for (int line = 0; line < kLines; ++line) spdlog::info("begin {} end", words);
            spdlog::shutdown();
            ::_exit(0);
        }
        while (::wait(nullptr) > 0) {
        }
        std::istringstream lines(contents_of(folder_ / "shared.log"));
        int count = 0;
        for (std::string line; std::getline(lines, line); ++count)
            QVERIFY2(line.starts_with("[") && line.ends_with("begin " + words + " end"), line.c_str());
        QCOMPARE(count, kPrograms * kLines);
    }

    void log_levels_are_parsed_from_words() {
        QVERIFY(parse_log_level("warning") == LogLevel::warning);
        QVERIFY(parse_log_level("off") == LogLevel::off);
        QVERIFY(code_of([] { parse_log_level("loud"); }) == ErrorCode::bad_usage);
    }

private:
    std::unique_ptr<QTemporaryDir> temporary_;
    fs::path folder_;
};

QTEST_GUILESS_MAIN(TestFiles)
#include "test_files.moc"
