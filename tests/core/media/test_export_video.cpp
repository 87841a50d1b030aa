#include <QTest>
#include <climits>
#include <fstream>
#include <opencv2/imgcodecs.hpp>

#include "core/base/logging.h"
#include "core/media/clip_cursor.h"
#include "core/media/export_video.h"
#include "core/media/image_io.h"
#include "core/media/read_frames.h"
#include "core/media/video_reader.h"
#include "media_fixtures.h"

using namespace kinescope;
using namespace kinescope::test;

namespace {

bool go_on(std::int64_t, std::int64_t) {
    return true;
}

/// Returns the warnings that an action logs.
template <class Action>
std::string warnings_of(Action action) {
    std::string warnings;
    start_logging({.level = LogLevel::off, .listener = [&](LogLevel level, std::string_view text) {
                       if (level == LogLevel::warning) warnings += text;
                   }});
    action();
    start_logging({.level = LogLevel::off});
    return warnings;
}

std::string settings() {
    VideoRequest request;
    request.prompt = "a red ball \xF0\x9F\x8E\xAC";
    request.fps = kFps;
    request.seed = 7;
    return R"({"request":)" + to_json(request) + "}";
}

}  // namespace

class TestExportVideo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<Folder>();
        SinkOptions options = options_for(*folder_ / "clip.mp4");
        options.metadata = {{"comment", settings()}};
        video_ = write_video(options);
    }

    void every_format_keeps_frames_and_settings_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("codec");
        QTest::newRow("mkv") << "copy.mkv"
                             << "";
        QTest::newRow("h265") << "copy.mp4"
                              << "libx265";
        QTest::newRow("prores") << "copy.mov"
                                << "prores_ks";
        QTest::newRow("webm") << "copy.webm"
                              << "";
        QTest::newRow("gif") << "copy.gif"
                             << "";
        QTest::newRow("png") << "copy"
                             << "";
    }
    void every_format_keeps_frames_and_settings() {
        QFETCH(QString, name);
        QFETCH(QString, codec);
        ExportRequest request = to(name.toStdString());
        request.output.codec = codec.toStdString();
        const ExportResult result = export_video(reader_, request, go_on);
        QCOMPARE(result.file, request.output.file);
        QVERIFY(result.bytes > 0);
        const auto frames = read_frames(result.file, {});
        QCOMPARE(frames.size(), std::size_t{kNumFrames});
        const bool has_palette = name.endsWith(".gif");
        for (int i = 0; i < kNumFrames; ++i)
            QVERIFY(psnr(*frames[static_cast<std::size_t>(i)], moving_square(i)) > (has_palette ? 25 : 32));
        QCOMPARE(reader_.read_comment(result.file), settings());
        if (name.contains('.') && !has_palette) QCOMPARE(VideoReader(result.file).info().fps, double(kFps));
        QCOMPARE(folder_->names().size(), std::size_t{2});  // no temporary file is left
    }

    /// Interpolation changes the rate of the file, but not the one in its settings.
    void a_copy_is_as_long_as_the_video_data() {
        QTest::addColumn<int>("fps");
        QTest::addColumn<int>("divisor");
        QTest::addColumn<QString>("name");
        QTest::newRow("twice the rate of the settings") << 2 * kFps << 1 << "copy.webm";
        QTest::newRow("the same as GIF") << 2 * kFps << 1 << "copy.gif";
        QTest::newRow("slow motion") << 240 << 1 << "copy.mkv";
        QTest::newRow("one frame in two seconds") << 1 << 2 << "copy.mkv";
        QTest::newRow("half frames") << 25 << 2 << "copy.mkv";
        QTest::newRow("television") << 30000 << 1001 << "copy.mkv";
    }
    void a_copy_is_as_long_as_the_video() {
        QFETCH(int, fps);
        QFETCH(int, divisor);
        QFETCH(QString, name);
        SinkOptions options = options_for(*folder_ / "other.mp4");
        options.fps = fps;
        options.fps_divisor = divisor;
        options.metadata = {{"comment", settings()}};
        ExportRequest request = to(name.toStdString());
        request.video = write_video(options);
        const VideoInfo copy = VideoReader(export_video(reader_, request, go_on).file).info();
        QCOMPARE(copy.num_frames, kNumFrames);
        const double rate = static_cast<double>(fps) / divisor;
        QVERIFY2(std::abs(copy.rate.value() - rate) < 0.01 * rate, qPrintable(QString::number(copy.rate.value())));
    }

    void a_rate_that_gif_cannot_hold_is_refused() {
        SinkOptions options = options_for(*folder_ / "fast.mp4");
        options.fps = 60;
        ExportRequest request = to("fast.gif");
        request.video = write_video(options);
        const Error error = thrown_by([&] { export_video(reader_, request, go_on); });
        QCOMPARE(error.code(), ErrorCode::bad_request);
        QVERIFY(error.message().find("at most 50") != std::string::npos);
        QVERIFY(!std::filesystem::exists(request.output.file));
    }

    void a_folder_of_frames_has_the_rate_of_its_settings() {
        VideoRequest made;
        made.fps = 24;
        const auto rate_with = [&](const char* name) {
            SinkOptions options = options_for(*folder_ / name);
            options.metadata = {{"comment", R"({"request":)" + to_json(made) + "}"}};
            return reader_.read_facts(write_video(options)).video.rate.value();
        };
        QCOMPARE(rate_with("frames"), 24.0);
        QCOMPARE(reader_.read_part(*folder_ / "frames", 0).fps, 24.0);
        QCOMPARE(reader_.read_part(*folder_ / "frames/00000.png", 0).fps, 24.0);
        QCOMPARE(reader_.read_part(*folder_ / "frames/00001.png", 0).fps, 0.0);
        made.finish.interpolator = "rife.safetensors";
        QCOMPARE(rate_with("twice"), 48.0);
        made.finish.interpolation_fps = 60;
        QCOMPARE(rate_with("exact"), 60.0);
        made.finish.interpolation_fps.reset();
        made.fps = INT_MAX;
        QCOMPARE(rate_with("damaged"), 0.0);
        made.fps = -5;
        QCOMPARE(rate_with("negative"), 0.0);
    }

    /// Other programs number frames without leading zeros, and write no settings.
    void frames_are_exported_in_the_order_of_their_numbers() {
        const auto frames = *folder_ / "numbered";
        std::filesystem::create_directory(frames);
        constexpr int kCount = 12;
        for (int i = 0; i < kCount; ++i)
            write_png(frames / ("frame" + std::to_string(i + 1) + (i % 2 == 0 ? ".png" : ".PNG")),
                      plain_frame(kWidth, kHeight, 20 * i, 0, 0));
        ExportRequest request = to("numbered.mp4");
        request.video = frames;
        const auto copies = read_frames(export_video(reader_, request, go_on).file, {});
        QCOMPARE(copies.size(), std::size_t{kCount});
        for (int i = 0; i < kCount; ++i)
            QVERIFY(std::abs(copies[static_cast<std::size_t>(i)]->pixels.front() - 20 * i) < 10);
    }

    void the_same_format_is_a_copy() {
        const ExportResult result = export_video(reader_, to("copy.mp4"), go_on);
        QVERIFY(contents_of(result.file) == contents_of(video_));
        ExportRequest smaller = to("small.mp4");
        smaller.output.crf = 45;
        QVERIFY(export_video(reader_, smaller, go_on).bytes < result.bytes);
    }

    /// The frames of the first part are whole.
    void damage_at_the_end_of_a_copied_video_is_told() {
        constexpr int kSide = 1024;
        SinkOptions options = options_for(*folder_ / "large.mp4");
        options.width = options.height = kSide;
        ExportRequest request = to("copy.mp4");
        request.video = write_video(options);
        QVERIFY(reader_.read_part(request.video, 0).frames.size() < std::size_t{kNumFrames});
        std::fstream(request.video, std::ios::binary | std::ios::in | std::ios::out).seekp(-200, std::ios::end)
            << std::string(100, '\xFF');
        const std::string bytes = contents_of(request.video);
        QVERIFY(warnings_of([&] { export_video(reader_, request, go_on); }).find("large.mp4") != std::string::npos);
        QVERIFY(contents_of(request.output.file) == bytes);
        QCOMPARE(warnings_of([&] { export_video(reader_, to("whole.mp4"), go_on); }), std::string());
    }

    void a_video_without_a_readable_frame_is_refused() {
        cut_before_frames(video_);
        for (const char* name : {"copy.mp4", "copy.gif"}) {
            QCOMPARE(thrown_by([&] { export_video(reader_, to(name), go_on); }).code(), ErrorCode::file_unreadable);
            QVERIFY(!std::filesystem::exists(*folder_ / name));
        }
    }

    void a_picture_of_another_program_is_exported() {
        cv::imwrite(*folder_ / "picture.jpg", cv::Mat(kHeight, kWidth, CV_8UC3, cv::Scalar(0, 90, 250)));
        ExportRequest request = to("picture.mp4");
        request.video = *folder_ / "picture.jpg";
        QCOMPARE(read_frames(export_video(reader_, request, go_on).file, {}).size(), std::size_t{1});
    }

    void png_frames_take_no_encoder_and_no_quality() {
        ExportRequest with_encoder = to("frames"), with_quality = to("frames");
        with_encoder.output.codec = "libx264";
        with_quality.output.crf = 20;
        for (const ExportRequest& request : {with_encoder, with_quality})
            QCOMPARE(thrown_by([&] { export_video(reader_, request, go_on); }).code(), ErrorCode::bad_request);
        QVERIFY(!std::filesystem::exists(*folder_ / "frames"));
    }

    void a_picture_holds_no_video() {
        bool has_started = false;
        const ExportStep step = [&](std::int64_t, std::int64_t) { return has_started = true; };
        const Error error = thrown_by([&] { export_video(reader_, to("picture.png"), step); });
        QCOMPARE(error.code(), ErrorCode::bad_request);
        QVERIFY2(error.message().find("only one image") != std::string::npos, error.what());
        QVERIFY(!has_started);
        QVERIFY(!std::filesystem::exists(*folder_ / "picture.png"));
    }

    void settings_can_be_left_out() {
        ExportRequest request = to("copy.mp4");
        request.output.settings = SettingsInFile::left_out;
        const ExportResult result = export_video(reader_, request, go_on);
        QCOMPARE(thrown_by([&] { reader_.read_comment(result.file); }).code(), ErrorCode::no_settings);
    }

    void nothing_is_replaced_silently() {
        for (const char* name : {"other.mp4", "other.gif"}) {
            ExportRequest request = to(name);
            std::ofstream(request.output.file) << "precious";
            QCOMPARE(thrown_by([&] { export_video(reader_, request, go_on); }).code(), ErrorCode::output_exists);
            QCOMPARE(contents_of(request.output.file), std::string("precious"));
            request.output.overwrite = OverwriteMode::overwrite;
            export_video(reader_, request, go_on);
            QVERIFY(contents_of(request.output.file) != "precious");
        }
        ExportRequest itself = to("clip.mp4");
        itself.output.overwrite = OverwriteMode::overwrite;
        itself.output.crf = 40;
        QCOMPARE(thrown_by([&] { export_video(reader_, itself, go_on); }).code(), ErrorCode::bad_request);
    }

    void a_cancelled_export_leaves_nothing_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"copy.mp4", "copy.gif", "copy"}) QTest::newRow(name) << name;
    }
    void a_cancelled_export_leaves_nothing() {
        QFETCH(QString, name);
        int steps = 0;
        const auto two = [&](std::int64_t, std::int64_t) { return ++steps < 2; };
        const Error error = thrown_by([&] { export_video(reader_, to(name.toStdString()), two); });
        QCOMPARE(error.code(), ErrorCode::cancelled);
        QCOMPARE(folder_->names().size(), std::size_t{1});
    }

    void progress_counts_the_frames() {
        std::vector<std::int64_t> done;
        export_video(reader_, to("copy.webm"), [&](std::int64_t count, std::int64_t total) {
            done.push_back(count);
            return total == kNumFrames;
        });
        QCOMPARE(done.size(), std::size_t{kNumFrames + 1});
        QCOMPARE(done.back(), std::int64_t{kNumFrames});
    }

    void an_unreadable_video_is_named() {
        std::ofstream(*folder_ / "broken.mp4") << "no video";
        ExportRequest request = to("copy.gif");
        request.video = *folder_ / "broken.mp4";
        QCOMPARE(thrown_by([&] { export_video(reader_, request, go_on); }).code(), ErrorCode::file_unreadable);
        request.video = *folder_ / "none.mp4";
        QCOMPARE(thrown_by([&] { export_video(reader_, request, go_on); }).code(), ErrorCode::file_not_found);
        QCOMPARE(thrown_by([&] { estimate_export(reader_, request); }).code(), ErrorCode::file_not_found);
    }

    void a_short_clip_is_measured_exactly() {
        for (const char* name : {"copy.gif", "copy.webm", "copy.mp4"}) {
            const ExportEstimate estimate = estimate_export(reader_, to(name));
            QCOMPARE(estimate.num_tried, kNumFrames);
            QCOMPARE(estimate.bytes, export_video(reader_, to(name), go_on).bytes);
        }
    }

    void a_long_clip_is_extrapolated() {
        constexpr int kLong = 96;
        const auto sink = open_frame_sink(options_for(*folder_ / "long.mp4"));
        for (int i = 0; i < kLong; ++i) sink->write(moving_square(i % kNumFrames));
        sink->finish();
        for (const char* name : {"long.gif", "long.mkv"}) {
            ExportRequest request = to(name);
            request.video = *folder_ / "long.mp4";
            const ExportEstimate estimate = estimate_export(reader_, request);
            QCOMPARE(estimate.num_frames, kLong);
            QVERIFY(estimate.num_tried < kLong);
            const double share =
                double(estimate.bytes) / static_cast<double>(export_video(reader_, request, go_on).bytes);
            QVERIFY2(share > 0.5 && share < 2, qPrintable(QString("%1: %2").arg(name).arg(share)));
        }
    }

    void parts_are_read_in_any_order() {
        ClipCursor cursor;
        const auto all = read_frames(video_, {});
        for (const int first : {0, 5, 2, kNumFrames - 1, kNumFrames, 0}) {
            const ClipPart part = cursor.read(video_, first);
            QCOMPARE(part.num_total, kNumFrames);
            QCOMPARE(part.fps, double(kFps));
            QCOMPARE(part.frames.size(), static_cast<std::size_t>(kNumFrames - first));
            if (!part.frames.empty())
                QCOMPARE(part.frames.front()->pixels, all[static_cast<std::size_t>(first)]->pixels);
        }
    }

private:
    ExportRequest to(const std::string& name) const {
        ExportRequest request;
        request.video = video_;
        request.output.file = *folder_ / name;
        return request;
    }

    std::unique_ptr<Folder> folder_;
    std::filesystem::path video_;
    GuardedReader reader_{std::filesystem::path()};
};

QTEST_GUILESS_MAIN(TestExportVideo)
#include "test_export_video.moc"
