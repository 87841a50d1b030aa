#include <QtTest>

#include "core/api/error.h"
#include "core/models/image_processor.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

class TestImageProcessor : public QObject {
    Q_OBJECT

    std::shared_ptr<const CheckpointReader> clip_ = open_checkpoint(test_data("images/clip_vision.safetensors"));

    static ClipImageConfig config(const char* json) {
        return read_clip_image_config(Json::parse(json), "preprocessor_config.json");
    }

private Q_SLOTS:
    void resizing_equals_pillow_bit_for_bit() {
        const auto golden = open_checkpoint(test_data("images/pil_resize.safetensors"));
        const auto image = golden->read("image");
        int compared = 0;
        for (const auto& entry : golden->entries()) {
            if (entry.name == "image") continue;
            const auto filter = entry.name.starts_with("lanczos") ? PilFilter::lanczos : PilFilter::bicubic;
            const auto result = pil_resize(image, entry.shape[0], entry.shape[1], filter);
            QVERIFY2(result.equal(golden->read(entry.name)), entry.name.c_str());
            ++compared;
        }
        QCOMPARE(compared, 16);
    }

    void clip_pixels_equal_the_processor() {
        const auto small = config(R"({"size": {"shortest_edge": 32}, "crop_size": {"height": 32, "width": 32}})");
        for (const std::string name : {"wide", "tall"}) {
            const auto pixels = clip_pixels(clip_->read(name + ".image"), small);
            QVERIFY(relative_error(pixels, clip_->read(name + ".pixel_values")) <= 1e-6);
        }
    }

    void vae_pixels_have_the_size_of_the_video() {
        const auto pixels = vae_pixels(at::full({5, 9, 3}, 255, at::kByte), 16, 32);
        QCOMPARE(pixels.sizes(), at::IntArrayRef({1, 3, 16, 32}));
        QVERIFY(pixels.eq(1.0f).all().item<bool>());
        QVERIFY(vae_pixels(at::zeros({5, 9, 3}, at::kByte), 16, 32).eq(-1.0f).all().item<bool>());
    }

    void old_and_new_configs_are_read() {
        QCOMPARE(read_clip_image_config({}, "none").crop_size, std::int64_t{224});
        const auto old = config(R"({"size": 336, "crop_size": 320, "resample": 1, "image_std": [1, 2, 3]})");
        QCOMPARE(old.shortest_edge, std::int64_t{336});
        QCOMPARE(old.crop_size, std::int64_t{320});
        QVERIFY(old.filter == PilFilter::lanczos && old.std[2] == 3.0);
    }

    void hostile_configs_and_pictures_are_refused() {
        for (const auto* text : {R"({"size": 100})", R"({"size": {"shortest_edge": 0}})", R"({"resample": 0})",
                                 R"({"image_mean": [1]})", R"({"image_std": [0, 1, 1]})", R"({"size": {"height": 4}})",
                                 R"({"do_center_crop": false})", R"({"crop_size": "big"})"})
            QVERIFY_EXCEPTION_THROWN(config(text), Error);
        // The longer edge of the resized image would have 22 million pixels.
        QVERIFY_EXCEPTION_THROWN(clip_pixels(at::zeros({1, 100'000, 3}, at::kByte), {}), Error);
    }
};

QTEST_GUILESS_MAIN(TestImageProcessor)
#include "test_image_processor.moc"
