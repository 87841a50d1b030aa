#include <sys/stat.h>

#include <QTest>
#include <cerrno>
#include <fstream>

#include "core/base/platform_rename.h"
#include "core/media/image_io.h"
#include "core/media/output_path.h"
#include "media_fixtures.h"
#include "tests/support/as_nobody.h"
#include "tests/support/failing_calls.h"
#include "tests/support/small_disk.h"

using namespace kinescope;
using namespace kinescope::test;

namespace {

void put(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file) << text;
}

#ifdef SYS_link
constexpr std::uint32_t kLinkCall = SYS_link;
#else
constexpr std::uint32_t kLinkCall = SYS_linkat;
#endif

/// Calls a function in a thread for which the file system has no hard links and no rename that spares existing files,
/// such as a shared folder of VirtualBox. Returns false if the kernel does not allow that.
template <typename Function>
bool call_without_links(Function function) {
    bool is_called = false;
    const bool is_filtered = testing::call_with_error(
        SYS_renameat2, EINVAL, [&] { is_called = testing::call_with_error(kLinkCall, EPERM, function); });
    return is_filtered && is_called;
}

/// Returns a frame that no encoder can compress.
Frame noise(int index, int width, int height) {
    Frame frame{width, height, {}};
    std::uint32_t state = 1u + static_cast<std::uint32_t>(index);
    for (int i = 0; i < 3 * width * height; ++i)
        frame.pixels.push_back(static_cast<std::uint8_t>((state = state * 1664525u + 1013904223u) >> 24));
    return frame;
}

void every_kind() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"clip.mp4", "clip.mov", "clip.mkv", "clip.webm", "clip.gif", "frames", "frames/"})
        QTest::newRow(name) << name;
}

}  // namespace

class TestOutputSafety : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void dropped_sink_leaves_nothing_data() { every_kind(); }
    void dropped_sink_leaves_nothing() {
        QFETCH(QString, name);
        const Folder folder;
        {
            const auto sink = open_frame_sink(options_for(folder / ("made/here/" + name.toStdString())));
            for (int i = 0; i < 3; ++i) sink->write(moving_square(i));
            QCOMPARE(folder.names(), std::vector<std::string>{"made"});
        }
        QVERIFY(folder.names().empty());
    }

    void missing_folders_are_made() {
        const Folder folder;
        QVERIFY(std::filesystem::exists(write_video(options_for(folder / "made/here/clip.mp4"))));
    }

    void missing_folders_are_listed() {
        const Folder folder;
        const ResolvedOutput output{.file = folder / "made/here/frames/",
                                    .numeric_log = folder / "log.jsonl",
                                    .numeric_csv = folder / "made/here/log.csv",
                                    .latents = folder / "other/latents.safetensors"};
        QCOMPARE(missing_folders(output), (std::vector{folder / "made/here", folder / "other"}));
        QVERIFY(missing_folders({.file = "here.mp4"}).empty());
        QVERIFY(missing_folders({}).empty());
    }

    void the_size_of_an_output() {
        const Folder folder;
        put(folder / "a", "abc");
        put(folder / "b", "de");
        std::filesystem::create_directory(folder / "empty");
        QCOMPARE(output_size(folder / "a"), 3);
        QCOMPARE(output_size(folder.path()), 5);
        QCOMPARE(output_size(folder / "empty"), 0);
        QCOMPARE(output_size(folder / "none"), 0);
    }

    void refuses_what_exists_data() { every_kind(); }
    void refuses_what_exists() {
        QFETCH(QString, name);
        const Folder folder;
        SinkOptions options = options_for(folder / name.toStdString());
        const auto made = write_video(options);
        QCOMPARE(thrown_by([&] { open_frame_sink(options); }).code(), ErrorCode::output_exists);
        options.output.overwrite = OverwriteMode::overwrite;
        QCOMPARE(write_video(options, 2), made);
        QCOMPARE(folder.names().size(), std::size_t{1});
    }

    void a_pipe_is_never_replaced() {
        const Folder folder;
        const auto pipe = folder / "clip.mp4";
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        SinkOptions options = options_for(pipe);
        options.output.overwrite = OverwriteMode::overwrite;
        QCOMPARE(thrown_by([&] { write_video(options); }).code(), ErrorCode::output_not_writable);
        QVERIFY(std::filesystem::is_fifo(pipe));
    }

    void an_overwritten_file_stays_until_the_new_one_is_complete() {
        const Folder folder;
        SinkOptions options = options_for(folder / "clip.mp4");
        options.output.overwrite = OverwriteMode::overwrite;
        put(options.output.file, "old");
        {
            const auto sink = open_frame_sink(options);
            sink->write(moving_square(0));
            QCOMPARE(contents_of(options.output.file), std::string("old"));
        }
        QCOMPARE(contents_of(options.output.file), std::string("old"));
    }

    void a_file_created_during_the_run_is_kept() {
        const Folder folder;
        const auto sink = open_frame_sink(options_for(folder / "clip.mp4"));
        sink->write(moving_square(0));
        put(folder / "clip.mp4", "mine");
        const Error error = thrown_by([&] { sink->finish(); });
        QCOMPARE(error.code(), ErrorCode::output_exists);
        QCOMPARE(contents_of(folder / "clip.mp4"), std::string("mine"));
        QCOMPARE(error.arguments().at("kept"), (folder / "clip-1.mp4").string());
        QVERIFY(std::filesystem::file_size(folder / "clip-1.mp4") > 100);
    }

    void a_folder_created_during_the_run_is_kept() {
        const Folder folder;
        const auto sink = open_frame_sink(options_for(folder / "frames"));
        sink->write(moving_square(0));
        std::filesystem::create_directory(folder / "frames");
        put(folder / "frames/mine", "mine");
        QCOMPARE(thrown_by([&] { sink->finish(); }).arguments().at("kept"), (folder / "frames-1").string());
        QCOMPARE(contents_of(folder / "frames/mine"), std::string("mine"));
        QVERIFY(std::filesystem::exists(folder / "frames-1/00000.png"));
    }

    void a_file_system_without_hard_links_data() { every_kind(); }
    void a_file_system_without_hard_links() {
        QFETCH(QString, name);
        const Folder folder;
        const SinkOptions options = options_for(folder / name.toStdString());
        std::string failure;
        const bool is_called = call_without_links([&] {
            try {
                write_video(options, 2);
            } catch (const Error& error) {
                failure = error.what();
            }
        });
        if (!is_called) QSKIP("system calls cannot be filtered here");
        QCOMPARE(failure, std::string());
        QCOMPARE(folder.names().size(), std::size_t{1});
        QVERIFY(output_size(options.output.file) > 100);
    }

    void nothing_is_replaced_without_hard_links_data() {
        QTest::addColumn<QString>("to");
        QTest::addColumn<int>("error");
        QTest::newRow("free name") << "free" << 0;
        QTest::newRow("file") << "file" << EEXIST;
        QTest::newRow("folder") << "folder" << EEXIST;
        QTest::newRow("missing folder") << "none/free" << ENOENT;
    }
    void nothing_is_replaced_without_hard_links() {
        QFETCH(QString, to);
        QFETCH(int, error);
        const Folder folder;
        put(folder / "new", "new");
        put(folder / "file", "mine");
        for (const char* name : {"folder", "frames"}) std::filesystem::create_directory(folder / name);
        int result = -1, result_of_folder = -1;
        const bool is_called = call_without_links([&] {
            result = rename_without_replacing(folder / "new", folder / to.toStdString());
            result_of_folder = rename_without_replacing(folder / "frames", folder / (to.toStdString() + "er"));
        });
        if (!is_called) QSKIP("system calls cannot be filtered here");
        QCOMPARE(result, error);
        QCOMPARE(contents_of(folder / (error == 0 ? "free" : "new")), std::string("new"));
        QCOMPARE(contents_of(folder / "file"), std::string("mine"));
        QCOMPARE(result_of_folder, error == ENOENT ? ENOENT : 0);
    }

    void a_folder_with_other_files_is_never_replaced() {
        const Folder folder;
        SinkOptions options = options_for(folder / "papers");
        options.output.overwrite = OverwriteMode::overwrite;
        std::filesystem::create_directory(options.output.file);
        put(options.output.file / "thesis.txt", "years of work");
        QCOMPARE(thrown_by([&] { write_video(options); }).code(), ErrorCode::output_exists);
        QCOMPARE(contents_of(options.output.file / "thesis.txt"), std::string("years of work"));
    }

    void unwritable_folder() {
        const Folder folder;
        put(folder / "file", "x");
        QCOMPARE(thrown_by([&] { open_frame_sink(options_for(folder / "file/clip.mp4")); }).code(),
                 ErrorCode::output_not_writable);
        std::filesystem::create_directory(folder / "locked");
        std::filesystem::permissions(folder / "locked", std::filesystem::perms(0555));
        std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
        const testing::AsNobody nobody;
        for (const char* name : {"locked/clip.mp4", "locked/frames", "locked/deeper/clip.gif"})
            QCOMPARE(thrown_by([&] { open_frame_sink(options_for(folder / name)); }).code(),
                     ErrorCode::output_not_writable);
    }

    void full_disk_data() { every_kind(); }
    void full_disk() {
        QFETCH(QString, name);
        const Folder folder;
        const Error error = thrown_by([&] {
            const testing::SmallDisk disk(8192);
            const auto sink = open_frame_sink(options_for(folder / name.toStdString()));
            for (int i = 0; i < 40; ++i) sink->write(noise(i, kWidth, kHeight));
            sink->finish();
        });
        QCOMPARE(error.code(), ErrorCode::disk_full);
        QCOMPARE(error.arguments().at("limit_bytes"), std::string("8192"));
        QVERIFY(folder.names().empty());
    }

    void a_used_up_quota_is_named() {
        const Error error = write_error(EDQUOT, "/somewhere/a.mp4", 12);
        QCOMPARE(error.code(), ErrorCode::disk_full);
        QVERIFY2(error.message().starts_with("Your disk quota is used up"), error.what());
        QVERIFY2(error.hint().find("larger quota") != std::string::npos, error.what());
        QCOMPARE(error.arguments().at("cause"), std::string("quota"));
    }

    /// Copies have no seed, and a saved job goes on without generating again.
    void the_hint_of_a_full_disk_fits_every_command() {
        QCOMPARE(write_error(ENOSPC, "/somewhere/a.mp4", 12).hint(),
                 std::string("Free some space or choose another folder."));
    }

    void streams_are_refused() {
        for (const char* name : {"-", "https://a.example/b.mp4", "rtmp://a.example/live"}) {
            const Error error = thrown_by([name] { open_frame_sink(options_for(name)); });
            QCOMPARE(error.code(), ErrorCode::bad_request);
            QVERIFY2(error.message().starts_with("cannot write a video to "), error.what());
            QVERIFY(!std::filesystem::exists(name));
        }
    }

    /// The error names the missing folder. For a faststart MP4, which libav opens by name a second time, it must not be
    /// the encoder's own message.
    void a_removed_folder_is_reported_data() { every_kind(); }
    void a_removed_folder_is_reported() {
        QFETCH(QString, name);
        const Folder folder;
        const auto sink = open_frame_sink(options_for(folder / ("videos/" + name.toStdString())));
        sink->write(moving_square(0));
        std::filesystem::rename(folder / "videos", folder / "elsewhere");
        const Error error = thrown_by([&] {
            sink->write(moving_square(1));
            sink->finish();
        });
        QCOMPARE(error.code(), ErrorCode::encode_failed);
        QVERIFY2(error.message().find("videos was removed or renamed") != std::string::npos, error.what());
        QVERIFY(!error.arguments().contains("codec"));
        QVERIFY(!std::filesystem::exists(folder / "videos"));
    }

    void an_output_never_replaces_its_source_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("output");
        QTest::addColumn<bool>("is_refused");
        const auto row = [](const char* name, const char* source, const char* output, bool is_refused) {
            QTest::newRow(name) << source << output << is_refused;
        };
        row("one folder", "frames", "frames/", true);
        row("a frame and its folder", "frames/00001.png", "frames", true);
        row("a frame and its folder with a slash", "frames/00001.png", "frames/", true);
        row("a link to a frame, and the folder", "link.png", "frames", true);
        row("a folder and its frame", "frames/", "frames/00001.png", true);
        row("a folder and a new picture", "frames", "frames/new.png", false);
        row("a folder and a video in it", "frames", "frames/clip.mkv", false);
        row("two frames", "frames/00001.png", "frames/00002.png", false);
        row("two folders", "frames", "other", false);
        row("a frame and another folder", "frames/00001.png", "other", false);
    }
    void an_output_never_replaces_its_source() {
        QFETCH(QString, source);
        QFETCH(QString, output);
        QFETCH(bool, is_refused);
        const Folder folder;
        write_video(options_for(folder / "frames"), 3);
        put(folder / "frames/clip.mkv", "old");
        std::filesystem::create_directory(folder / "other");
        std::filesystem::create_symlink("frames/00000.png", folder / "link.png");
        const auto code = testing::code_of(
            [&] { refuse_to_replace({folder / source.toStdString()}, folder / output.toStdString()); });
        QCOMPARE(code, is_refused ? std::optional(ErrorCode::bad_request) : std::nullopt);
    }

    void other_images_are_not_replaced() {
        const Folder folder;
        SinkOptions options = options_for(folder / "frames");
        options.output.overwrite = OverwriteMode::overwrite;
        const auto made = write_video(options, 3);
        write_png(made / "00002.png", moving_square(0));  // a file created by the user
        const Error error = thrown_by([&] { open_frame_sink(options); });
        QCOMPARE(error.code(), ErrorCode::output_exists);
        QCOMPARE(std::distance(std::filesystem::directory_iterator(made), {}), 3);
    }

    void frames_changed_during_the_run_are_kept() {
        const Folder folder;
        SinkOptions options = options_for(folder / "frames");
        options.output.overwrite = OverwriteMode::overwrite;
        const auto made = write_video(options, 3);
        const auto sink = open_frame_sink(options);
        sink->write(moving_square(0));
        put(made / "notes.txt", "precious");
        const Error error = thrown_by([&] { sink->finish(); });
        QCOMPARE(error.code(), ErrorCode::output_exists);
        QVERIFY(std::filesystem::exists(std::filesystem::path(error.arguments().at("kept")) / "00000.png"));
        QCOMPARE(contents_of(made / "notes.txt"), std::string("precious"));
    }

    void bad_requests_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("fps");
        QTest::addColumn<QString>("codec");
        QTest::addColumn<ErrorCode>("code");
        const auto row = [](const char* title, const char* name, int width, int fps, const char* codec,
                            ErrorCode code) { QTest::newRow(title) << name << width << fps << codec << code; };
        row("unknown extension", "clip.avi", 96, 16, "", ErrorCode::bad_request);
        row("odd width", "clip.mp4", 95, 16, "", ErrorCode::bad_request);
        row("zero width", "clip.mp4", 0, 16, "", ErrorCode::bad_request);
        row("huge width", "frames", 1'000'000, 16, "", ErrorCode::bad_request);
        row("zero fps", "clip.mp4", 96, 0, "", ErrorCode::bad_request);
        row("unknown codec", "clip.mp4", 96, 16, "libnothing", ErrorCode::codec_missing);
        row("audio codec", "clip.mp4", 96, 16, "aac", ErrorCode::codec_missing);
        row("codec does not fit the container", "clip.webm", 96, 16, "libx264", ErrorCode::codec_missing);
    }
    void bad_requests() {
        QFETCH(QString, name);
        QFETCH(int, width);
        QFETCH(int, fps);
        QFETCH(QString, codec);
        QFETCH(ErrorCode, code);
        const Folder folder;
        SinkOptions options = options_for(folder / name.toStdString());
        options.width = width;
        options.fps = fps;
        options.output.codec = codec.toStdString();
        QCOMPARE(thrown_by([&] { open_frame_sink(options); }).code(), code);
        QVERIFY(folder.names().empty());
    }

    void a_missing_codec_lists_the_available_ones() {
        const Folder folder;
        SinkOptions options = options_for(folder / "clip.webm");
        options.output.codec = "libx264";
        QVERIFY(thrown_by([&] { open_frame_sink(options); }).hint().find("libvpx-vp9") != std::string::npos);
    }

    void crf_needs_an_encoder_with_that_setting_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("codec");
        QTest::addColumn<int>("crf");
        QTest::addColumn<bool>("is_refused");
        const auto row = [](const char* title, const char* name, const char* codec, int crf, bool is_refused) {
            QTest::newRow(title) << name << codec << crf << is_refused;
        };
        row("ProRes has none", "clip.mov", "prores_ks", 20, true);
        row("H.264", "clip.mp4", "", 51, false);
        row("too high for H.264", "clip.mp4", "", 52, true);
        row("H.265", "clip.mp4", "libx265", 51, false);
        row("too high for H.265", "clip.mp4", "libx265", 52, true);
        row("VP9", "clip.webm", "", 63, false);
    }
    void crf_needs_an_encoder_with_that_setting() {
        QFETCH(QString, name);
        QFETCH(QString, codec);
        QFETCH(int, crf);
        QFETCH(bool, is_refused);
        const Folder folder;
        SinkOptions options = options_for(folder / name.toStdString());
        options.output.codec = codec.toStdString();
        options.output.crf = crf;
        const auto code = testing::code_of([&] { open_frame_sink(options); });
        QCOMPARE(code, is_refused ? std::optional(ErrorCode::bad_request) : std::nullopt);
    }

    void png_and_gif_support_odd_sizes() {
        const Folder folder;
        for (const char* name : {"frames", "clip.gif"}) {
            SinkOptions options = options_for(folder / name);
            options.width = 33;
            options.height = 21;
            QVERIFY(std::filesystem::exists(write_video(options, 2)));
        }
    }

    void frames_of_another_size() {
        const Folder folder;
        const auto sink = open_frame_sink(options_for(folder / "clip.mp4"));
        QCOMPARE(thrown_by([&] { sink->write(moving_square(0, 64, 64)); }).code(), ErrorCode::encode_failed);
        QCOMPARE(thrown_by([&] { sink->finish(); }).code(), ErrorCode::encode_failed);
    }

    void long_names() {
        const Folder folder;
        const auto file = folder / (std::string(240, 'n') + ".mp4");
        QCOMPARE(write_video(options_for(file), 2), file);
    }
};

QTEST_GUILESS_MAIN(TestOutputSafety)
#include "test_output_safety.moc"
