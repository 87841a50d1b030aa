#include <QtTest>

#include "core/api/structural_similarity.h"

using namespace kinescope;

namespace {

/// Returns a gray gradient with a checkerboard pattern of amplitude `depth`.
Frame pattern(int width, int height, int depth) {
    Frame frame{width, height, {}};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const int value = 60 + 2 * x + ((x + y) % 2 ? depth : 0);
            for (int channel = 0; channel < 3; ++channel) frame.pixels.push_back(static_cast<std::uint8_t>(value));
        }
    }
    return frame;
}

}  // namespace

class TestStructuralSimilarity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalFramesHaveSimilarityOne() {
        QCOMPARE(structural_similarity(pattern(40, 24, 20), pattern(40, 24, 20)), 1.0);
    }

    void lostStructureCountsMoreThanBrightness() {
        const Frame whole = pattern(40, 24, 20);
        Frame brighter = whole;
        for (auto& value : brighter.pixels) value = static_cast<std::uint8_t>(value + 10);
        const double bright = structural_similarity(whole, brighter);
        const double flat = structural_similarity(whole, pattern(40, 24, 0));
        QVERIFY2(bright > 0.97 && bright < 1, qPrintable(QString::number(bright)));
        QVERIFY2(flat < 0.7, qPrintable(QString::number(flat)));
        QCOMPARE(structural_similarity(brighter, whole), bright);
    }

    /// The expected result is calculated by hand for one window with means 0.5 and 0.25 and no variance.
    void flatFramesMatchTheFormula() {
        const Frame a{4, 4, std::vector<std::uint8_t>(48, 128)};
        const Frame b{4, 4, std::vector<std::uint8_t>(48, 64)};
        const double x = 128 / 255.0;
        const double y = 64 / 255.0;
        const double expected = (2 * x * y + 1e-4) / (x * x + y * y + 1e-4);
        QVERIFY(std::abs(structural_similarity(a, b) - expected) < 1e-6);
    }
};

QTEST_GUILESS_MAIN(TestStructuralSimilarity)
#include "test_structural_similarity.moc"
