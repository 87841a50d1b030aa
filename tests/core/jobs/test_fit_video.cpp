#include <QTest>

#include "core/jobs/plan/fit_video.h"

using namespace kinescope;

namespace {

/// Returns the card of a model whose default is 832 x 480 with 81 = 4 * 20 + 1 frames.
ModelCard card(bool offers_tiling) {
    ModelCard card;
    card.default_size = {832, 480};
    card.offers_vae_tiling = offers_tiling;
    return card;
}

/// Returns the memory of a model that needs 1 byte per pixel and frame, or half of that with tiling.
std::int64_t peak(const VideoRequest& request) {
    const std::int64_t bytes =
        std::int64_t{request.width.value_or(832)} * request.height.value_or(480) * request.num_frames.value_or(81);
    return request.vae_tiling.value_or(false) ? bytes / 2 : bytes;
}

/// Fits a video whose largest size is the model's default.
std::optional<VideoRequest> fit(const VideoRequest& request, const ModelCard& card, std::int64_t usable_bytes) {
    return fit_video(request, card, card.default_size, usable_bytes, peak);
}

constexpr std::int64_t kDefault = std::int64_t{832} * 480 * 81;

struct Row {
    const char* name;
    double share;  ///< usable memory as a share of the memory that the default needs
    bool offers_tiling;
    std::optional<int> width;
    std::optional<int> frames;
    std::optional<bool> tiling;
    bool fits = true;
};

const std::vector<Row> kRows{
    {"everything fits", 1.0, true, {}, {}, {}},
    {"tiling is enough", 0.9, true, {}, {}, true},
    {"fewer frames", 0.9, false, {}, 69, {}},
    {"half the frames", 0.51, false, {}, 41, {}},
    {"tiling and fewer frames", 0.4, true, {}, 61, true},
    {"the next size", 0.5, false, 624, 69, {}},
    {"the next size, tiled", 0.2, true, 624, 53, true},
    {"the smallest size, tiled", 0.1, true, 416, 61, true},
    {"the smallest size with any length", 0.02, false, 416, 5, {}},
    {"nothing fits", 0.001, false, {}, {}, {}, false},
};

}  // namespace

class TestFitVideo : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void length_and_size_follow_the_memory_data() {
        QTest::addColumn<int>("row");
        for (int i = 0; i < static_cast<int>(kRows.size()); ++i) QTest::newRow(kRows[i].name) << i;
    }
    void length_and_size_follow_the_memory() {
        QFETCH(int, row);
        const Row& expected = kRows[row];
        const auto usable = static_cast<std::int64_t>(expected.share * kDefault);
        const auto found = fit({}, card(expected.offers_tiling), usable);
        QCOMPARE(found.has_value(), expected.fits);
        if (!found) return;
        QVERIFY(peak(*found) <= usable);
        QCOMPARE(found->width.value_or(0), expected.width.value_or(0));
        QCOMPARE(found->num_frames.value_or(0), expected.frames.value_or(0));
        QCOMPARE(found->vae_tiling.value_or(false), expected.tiling.value_or(false));
    }

    void a_smaller_size_has_the_shape_of_the_largest() {
        const auto found = fit_video({}, card(false), {480, 832}, kDefault / 2, peak);
        QVERIFY(found);
        QCOMPARE(found->width, std::optional(368));
        QCOMPARE(found->height, std::optional(624));
    }

    void what_the_request_sets_stays() {
        VideoRequest request;
        request.num_frames = 81;
        const auto smaller = fit(request, card(false), kDefault / 2);
        QCOMPARE(*smaller->num_frames, 81);
        QCOMPARE(*smaller->width, 416);
        request.width = 832;
        request.height = 480;
        QVERIFY(!fit(request, card(false), kDefault / 2));
    }

    void more_memory_never_gives_less() {
        double before = 0;
        for (int percent = 1; percent <= 100; ++percent) {
            const auto found = fit({}, card(true), kDefault * percent / 100);
            const double work = found ? static_cast<double>(found->num_frames.value_or(81)) : 0;
            const double pixels = found ? found->width.value_or(832) : 0;
            QVERIFY2(pixels + work / 1000 >= before, QByteArray::number(percent));
            before = pixels + work / 1000;
        }
    }
};

QTEST_GUILESS_MAIN(TestFitVideo)
#include "test_fit_video.moc"
