#include <QSize>
#include <QTest>
#include <algorithm>
#include <array>

#include "core/media/clip_traits.h"
#include "core/media/color_convert.h"
#include "core/media/frame_sink.h"
#include "core/media/guarded_reader.h"
#include "core/media/hdr_to_sdr.h"
#include "core/media/video_reader.h"
#include "media_fixtures.h"
#include "reading_fixtures.h"

using namespace kinescope;
using namespace kinescope::test;

namespace {

/// Returns a saturated PQ frame of 10 bits as SDR.
Frame frame_of_hdr(AVColorSpace matrix, AVColorPrimaries primaries) {
    constexpr int kSide = 16;
    const AvFramePtr picture = make_picture(kSide, kSide, AV_PIX_FMT_YUV420P10LE);
    picture->color_trc = AVCOL_TRC_SMPTE2084;
    picture->colorspace = matrix;
    picture->color_primaries = primaries;
    constexpr std::array<std::uint16_t, 3> kLevels = {420, 470, 560};
    for (std::size_t plane = 0; plane < kLevels.size(); ++plane) {
        auto* codes = reinterpret_cast<std::uint16_t*>(picture->data[plane]);
        const int rows = plane == 0 ? kSide : kSide / 2;
        std::fill_n(codes, rows * picture->linesize[plane] / 2, kLevels[plane]);
    }
    return PictureToFrame(kSide, kSide).convert(*picture);
}

/// Returns a green frame of 8 bits with this size and matrix as RGB.
Frame frame_of_green(QSize size, AVColorSpace matrix) {
    const AvFramePtr picture = make_picture(size.width(), size.height(), AV_PIX_FMT_YUV420P);
    picture->colorspace = matrix;
    constexpr std::array<std::uint8_t, 3> kLevels = {145, 54, 34};
    for (std::size_t plane = 0; plane < kLevels.size(); ++plane) {
        const int rows = plane == 0 ? size.height() : size.height() / 2;
        std::fill_n(picture->data[plane], rows * picture->linesize[plane], kLevels[plane]);
    }
    return PictureToFrame(size.width(), size.height()).convert(*picture);
}

}  // namespace

class TestVideoColors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void transparent_parts_of_a_video_show_the_background_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"transparent.mov", "transparent_vpx.webm", "transparent_vpx-vp9.webm"})
            QTest::newRow(name) << name;
    }
    void transparent_parts_of_a_video_show_the_background() {
        QFETCH(QString, name);
        const auto file = std::filesystem::path(KINESCOPE_TEST_DATA) / "finish" / name.toStdString();
        const ClipPart shown = GuardedReader("").read_part(file, 0);
        QVERIFY(shown.traits == std::vector{ClipTrait::transparent});
        QVERIFY(is_near(*shown.frames.front(), 4, 8, {0, 255, 0}));
        QVERIFY(is_near(*shown.frames.front(), 28, 8, {255, 255, 255}));
        const ClipPart mask = GuardedReader("").read_part(file, 0, Background::black);
        QVERIFY(is_near(*mask.frames.front(), 28, 8, {0, 0, 0}));
    }

    // Expected values: the formulas of BT.2100, BT.2390 and BT.2087, in a program of their own.
    void hdr_colors_become_sdr_data() {
        using Codes = std::vector<std::uint16_t>;
        using Levels = std::vector<std::uint8_t>;
        QTest::addColumn<HdrTransfer>("transfer");
        QTest::addColumn<HdrPrimaries>("primaries");
        QTest::addColumn<Codes>("codes");
        QTest::addColumn<Levels>("levels");
        const auto gray = [](const char* name, HdrTransfer transfer, std::uint16_t code, std::uint8_t level) {
            QTest::newRow(name) << transfer << HdrPrimaries::bt2020 << Codes{code, code, code}
                                << Levels{level, level, level};
        };
        const auto color = [](const char* name, HdrTransfer transfer, HdrPrimaries primaries, const Codes& codes,
                              const Levels& levels) {
            QTest::newRow(name) << transfer << primaries << codes << levels;
        };
        gray("PQ, black", HdrTransfer::pq, 0, 0);
        gray("PQ, 1 cd/m2", HdrTransfer::pq, 9827, 28);
        gray("PQ, 50 cd/m2", HdrTransfer::pq, 28854, 142);
        gray("PQ, white", HdrTransfer::pq, 38055, 230);
        gray("PQ, 400 cd/m2", HdrTransfer::pq, 42767, 250);
        gray("PQ, 1000 cd/m2", HdrTransfer::pq, 49271, 255);
        gray("PQ, 4000 cd/m2", HdrTransfer::pq, 59150, 255);
        const Codes skin = {33297, 31841, 29999};
        color("PQ, red of BT.2020", HdrTransfer::pq, HdrPrimaries::bt2020, {37953, 0, 0}, {246, 0, 0});
        color("PQ, skin", HdrTransfer::pq, HdrPrimaries::bt2020, skin, {199, 169, 149});
        color("PQ, skin, P3", HdrTransfer::pq, HdrPrimaries::p3, skin, {192, 171, 150});
        color("PQ, skin, BT.709", HdrTransfer::pq, HdrPrimaries::bt709, skin, {189, 173, 153});
        gray("HLG, 25 %", HdrTransfer::hlg, 16384, 72);
        gray("HLG, 50 %", HdrTransfer::hlg, 32768, 143);
        gray("HLG, white", HdrTransfer::hlg, 49151, 230);
        gray("HLG, 100 %", HdrTransfer::hlg, 65535, 255);
        const Codes orange = {40000, 30000, 20000};
        color("HLG, orange", HdrTransfer::hlg, HdrPrimaries::bt2020, orange, {196, 126, 86});
        color("HLG, orange, P3", HdrTransfer::hlg, HdrPrimaries::p3, orange, {182, 130, 88});
        color("HLG, orange, BT.709", HdrTransfer::hlg, HdrPrimaries::bt709, orange, {174, 133, 95});
    }
    void hdr_colors_become_sdr() {
        QFETCH(HdrTransfer, transfer);
        QFETCH(HdrPrimaries, primaries);
        QFETCH(std::vector<std::uint16_t>, codes);
        QFETCH(std::vector<std::uint8_t>, levels);
        std::vector<std::uint8_t> sdr(3);
        HdrToSdr({transfer, primaries}).convert(codes, sdr);
        for (std::size_t i = 0; i < 3; ++i) QVERIFY2(std::abs(sdr[i] - levels[i]) <= 1, std::to_string(sdr[i]).c_str());
    }

    void an_hdr_video_is_read_as_sdr() {
        VideoReader reader(std::filesystem::path(KINESCOPE_TEST_DATA) / "finish/hlg.mp4");
        const auto frame = reader.read();
        QVERIFY(frame);
        for (const std::uint8_t level : frame->pixels) QVERIFY(std::abs(level - 230) <= 1);
        QVERIFY(traits_of(reader.info()) == std::vector{ClipTrait::hdr});
    }

    void hdr_tags_select_matrix_and_primaries_data() {
        QTest::addColumn<AVColorSpace>("matrix");
        QTest::addColumn<AVColorPrimaries>("primaries");
        QTest::addColumn<AVColorSpace>("same_matrix");
        QTest::addColumn<AVColorPrimaries>("same_primaries");
        QTest::newRow("untagged") << AVCOL_SPC_UNSPECIFIED << AVCOL_PRI_UNSPECIFIED << AVCOL_SPC_BT2020_NCL
                                  << AVCOL_PRI_BT2020;
        QTest::newRow("theater P3") << AVCOL_SPC_BT709 << AVCOL_PRI_SMPTE431 << AVCOL_SPC_BT709 << AVCOL_PRI_SMPTE432;
        QTest::newRow("PAL") << AVCOL_SPC_BT709 << AVCOL_PRI_BT470BG << AVCOL_SPC_BT709 << AVCOL_PRI_BT709;
    }
    void hdr_tags_select_matrix_and_primaries() {
        QFETCH(AVColorSpace, matrix);
        QFETCH(AVColorPrimaries, primaries);
        QFETCH(AVColorSpace, same_matrix);
        QFETCH(AVColorPrimaries, same_primaries);
        const Frame frame = frame_of_hdr(matrix, primaries);
        QVERIFY(frame.pixels == frame_of_hdr(same_matrix, same_primaries).pixels);
        for (const AVColorPrimaries other : {AVCOL_PRI_BT2020, AVCOL_PRI_SMPTE432, AVCOL_PRI_BT709})
            QCOMPARE(frame_of_hdr(same_matrix, other).pixels == frame.pixels, other == same_primaries);
    }

    void an_untagged_video_follows_its_size_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<AVColorSpace>("matrix");
        QTest::newRow("small") << QSize(96, 64) << AVCOL_SPC_SMPTE170M;
        QTest::newRow("PAL") << QSize(720, 576) << AVCOL_SPC_SMPTE170M;
        QTest::newRow("wide PAL") << QSize(1024, 576) << AVCOL_SPC_SMPTE170M;
        QTest::newRow("720p") << QSize(1280, 720) << AVCOL_SPC_BT709;
        QTest::newRow("720p without black bars") << QSize(1280, 536) << AVCOL_SPC_BT709;
        QTest::newRow("upright") << QSize(608, 1080) << AVCOL_SPC_BT709;
    }
    void an_untagged_video_follows_its_size() {
        QFETCH(QSize, size);
        QFETCH(AVColorSpace, matrix);
        const Frame frame = frame_of_green(size, AVCOL_SPC_UNSPECIFIED);
        QVERIFY(frame.pixels == frame_of_green(size, matrix).pixels);
        const Frame tagged = frame_of_green(size, AVCOL_SPC_BT709);
        QCOMPARE(tagged.pixels == frame.pixels, matrix == AVCOL_SPC_BT709);
    }

    /// The matrix of VP8 and MJPEG is always that of BT.601.
    void written_videos_are_read_with_their_matrix_data() {
        QTest::addColumn<QString>("codec");
        QTest::addColumn<QString>("name");
        for (const char* codec : {"prores_ks", "mpeg4", "libx264", "mjpeg"})
            QTest::newRow(codec) << codec << "green.mov";
        for (const char* codec : {"libvpx", "libvpx-vp9"}) QTest::newRow(codec) << codec << "green.webm";
    }
    void written_videos_are_read_with_their_matrix() {
        QFETCH(QString, codec);
        QFETCH(QString, name);
        Folder folder;
        SinkOptions options = options_for(folder / name.toStdString());
        options.output.codec = codec.toStdString();
        const auto sink = open_frame_sink(options);
        for (int i = 0; i < 3; ++i) sink->write(plain_frame(kWidth, kHeight, 0, 200, 0));
        const auto frame = VideoReader(sink->finish()).read();
        QVERIFY(frame && is_near(*frame, 10, 10, {0, 200, 0}));
    }

    void unknown_color_spaces_are_refused() {
        for (const AVColorSpace matrix : {AVCOL_SPC_ICTCP, AVCOL_SPC_YCGCO}) {
            const Error error = thrown_by([matrix] { frame_of_hdr(matrix, AVCOL_PRI_BT2020); });
            QCOMPARE(error.code(), ErrorCode::unsupported);
            QVERIFY(error.message().find(av_color_space_name(matrix)) != std::string::npos);
        }
    }
};

QTEST_GUILESS_MAIN(TestVideoColors)
#include "test_video_colors.moc"
