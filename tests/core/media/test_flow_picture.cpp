#include "core/media/flow_picture.h"

#include <QTest>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <opencv2/core/utility.hpp>

#include "core/api/error.h"

using namespace kinescope;

namespace {

constexpr int kWidth = 160;
constexpr int kHeight = 96;
constexpr int kSide = 36;

/// A square with a pattern on a plain background; (x, y) is its top left corner.
Frame square_at(int x, int y) {
    Frame frame{.width = kWidth, .height = kHeight, .pixels = std::vector<std::uint8_t>(kWidth * kHeight * 3, 60)};
    for (int row = 0; row < kSide; ++row)
        for (int column = 0; column < kSide; ++column)
            for (int channel = 0; channel < 3; ++channel)
                frame.pixels[static_cast<std::size_t>(((y + row) * kWidth + x + column) * 3 + channel)] =
                    static_cast<std::uint8_t>(130 + 11 * ((row / 6 * row / 6 * 3 + column / 6 * 5) % 11));
    return frame;
}

using Color = std::array<int, 3>;

Color color_at(const Frame& frame, int x, int y) {
    Color color{};
    for (std::size_t i = 0; i < color.size(); ++i)
        color[i] = frame.pixels[static_cast<std::size_t>((y * frame.width + x) * 3) + i];
    return color;
}

int difference(const Color& a, const Color& b) {
    int largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

/// Sets the number of OpenCV's threads, and restores it at the end.
class OpenCvThreads {
public:
    explicit OpenCvThreads(int count) { cv::setNumThreads(count); }
    ~OpenCvThreads() { cv::setNumThreads(before_); }
    OpenCvThreads(const OpenCvThreads&) = delete;
    OpenCvThreads& operator=(const OpenCvThreads&) = delete;

private:
    int before_ = cv::getNumThreads();
};

}  // namespace

class TestFlowPicture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_hue_is_the_direction_data() {
        QTest::addColumn<int>("dx");
        QTest::addColumn<int>("dy");
        QTest::addColumn<int>("red");
        QTest::addColumn<int>("green");
        QTest::addColumn<int>("blue");
        // Values of flow_to_image of RAFT for a distance of 1.
        QTest::newRow("right") << 4 << 0 << 255 << 0 << 0;
        QTest::newRow("down") << 0 << 4 << 255 << 229 << 0;
        QTest::newRow("left") << -4 << 0 << 0 << 209 << 255;
        QTest::newRow("up") << 0 << -4 << 88 << 0 << 255;
    }
    void the_hue_is_the_direction() {
        QFETCH(int, dx);
        QFETCH(int, dy);
        QFETCH(int, red);
        QFETCH(int, green);
        QFETCH(int, blue);
        constexpr int kLeft = (kWidth - kSide) / 2;
        constexpr int kTop = (kHeight - kSide) / 2;
        const Frame picture = flow_picture(square_at(kLeft, kTop), square_at(kLeft + dx, kTop + dy));
        const Color color = color_at(picture, kWidth / 2, kHeight / 2);
        QVERIFY2(difference(color, {red, green, blue}) <= 40,
                 qPrintable(QStringLiteral("%1 %2 %3").arg(color[0]).arg(color[1]).arg(color[2])));
        QVERIFY(difference(color_at(picture, 2, 2), {255, 255, 255}) <= 40);  // the background stands still
    }

    void a_still_video_is_white_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::newRow("usual") << 96 << 64;
        QTest::newRow("smallest of VACE") << 16 << 16;
        QTest::newRow("narrow") << 16 << 480;
    }
    void a_still_video_is_white() {
        QFETCH(int, width);
        QFETCH(int, height);
        Frame frame{.width = width, .height = height, .pixels = {}};
        for (int i = 0; i < width * height * 3; ++i) frame.pixels.push_back(static_cast<std::uint8_t>(i * 37 % 251));
        const Frame picture = flow_picture(frame, frame);
        QCOMPARE(picture.width, width);
        QCOMPARE(picture.height, height);
        QVERIFY(std::ranges::all_of(picture.pixels, [](std::uint8_t value) { return value == 255; }));
    }

    void frames_of_two_sizes_are_refused() {
        QVERIFY_EXCEPTION_THROWN(flow_picture(square_at(30, 20), {.width = 1, .height = 1, .pixels = {0, 0, 0}}),
                                 Error);
    }

    /// Noise of a camera is less than half a pixel of motion.
    void noise_stays_pale() {
        Frame frame = square_at(30, 20);
        const Frame before = frame;
        for (std::size_t i = 0; i < frame.pixels.size(); i += 7) frame.pixels[i] ^= 1;
        const Frame picture = flow_picture(before, frame);
        QVERIFY(*std::ranges::min_element(picture.pixels) > 200);
    }

    void the_number_of_threads_changes_nothing() {
        const Frame from = square_at(30, 20);
        const Frame to = square_at(33, 22);
        const auto pixels = [&](int threads) {
            const OpenCvThreads scope(threads);
            return flow_picture(from, to).pixels;
        };
        QCOMPARE(pixels(1), pixels(3));
    }
};

QTEST_APPLESS_MAIN(TestFlowPicture)
#include "test_flow_picture.moc"
