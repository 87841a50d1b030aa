#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "core/api/error.h"
#include "core/models/tiny_vae/tiny_vae.h"
#include "core/weights/formats/safetensors_writer.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace fs = std::filesystem;

namespace {

double psnr(const Tensor& value, const Tensor& reference) {
    if (value.sizes() != reference.sizes()) return 0;
    const double error = (value - reference).to(at::kDouble).square().mean().item<double>();
    return error == 0 ? 200 : -10 * std::log10(error);
}

}  // namespace

/// Compares with the reference, and for smaller models with a decoder in Python (tests/data/taehv/make_cases.py), which
/// equals the reference on its golden cases.
class TestTinyVae : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;
    QTemporaryDir folder_;

    Tensor decode(tiny_vae::TinyVae& vae, const Tensor& latents, Probe& probe) const {
        std::vector<Tensor> frames;
        vae.decode(latents, {probe, token_}, [&](const Tensor& chunk) { frames.push_back(chunk); });
        return at::cat(frames);
    }

    static void names() {
        QTest::addColumn<QString>("file");
        QTest::newRow("Wan 2.1, pickle") << "taew2_1.pth";
        QTest::newRow("Wan 2.2 5B, safetensors") << "taew2_2.safetensors";
    }
    static fs::path data(const QString& file) { return test_data("taehv/" + file.toStdString()); }
    static auto expected(const QString& file) {
        return open_checkpoint(data(file.section('.', 0, 0) + "_expected.safetensors"));
    }

    /// A copy of taew2_1 in which `change` replaces tensors.
    template <class Change>
    fs::path changed(const char* name, Change change) const {
        const auto weights = open_checkpoint(test_data("taehv/taew2_1.pth"));
        std::map<std::string, Tensor> tensors;
        for (const TensorEntry& entry : weights->entries()) tensors[entry.name] = weights->read(entry.name).clone();
        change(tensors);
        const fs::path file = folder_.filePath(name).toStdString();
        write_safetensors(file, tensors, {});
        return file;
    }

private Q_SLOTS:
    void frames_equal_the_reference_data() { names(); }
    void frames_equal_the_reference() {
        QFETCH(const QString, file);
        const auto vae = tiny_vae::load_tiny_vae(data(file), {});
        const Tensor frames = decode(*vae, expected(file)->read("latents"), silent_);
        qInfo("%.1f dB", psnr(frames, expected(file)->read("frames")));
        QVERIFY(psnr(frames, expected(file)->read("frames")) >= 100);
    }

    void previews_equal_the_reference_data() { names(); }
    void previews_equal_the_reference() {
        QFETCH(const QString, file);
        const auto vae = tiny_vae::load_tiny_vae(data(file), {});
        for (const int enlargements : {3, 2}) {
            const Tensor wanted = expected(file)->read("preview." + std::to_string(enlargements));
            const Tensor preview = vae->preview(expected(file)->read("latents"), enlargements, {silent_, token_});
            QVERIFY(psnr(preview, wanted) >= 100);
        }
    }

    void golden_cases_of_the_reference_data() { names(); }
    void golden_cases_of_the_reference() {
        QFETCH(const QString, file);
        const auto golden = expected("reference/" + file);
        const auto vae = tiny_vae::load_tiny_vae(data("reference/" + file), {});
        RecordingProbe probe;
        // The reference's order is [1, T, C, h, w].
        const Tensor frames = decode(*vae, golden->read("latents").transpose(1, 2), probe);
        qInfo("%.1f dB", psnr(frames, golden->read("frames")));
        QVERIFY(psnr(frames, golden->read("frames")) >= 100);
        for (const char* layer : {"decoder.3", "decoder.5", "decoder.8", "decoder.9", "decoder.11"}) {
            const Tensor seen = at::cat(probe.seen[layer]).permute({0, 3, 1, 2});
            QVERIFY2(relative_error(seen, golden->read("block." + std::string(layer))) <= 3e-5, layer);
        }
    }

    void the_first_frames_can_be_kept() {
        const auto vae = tiny_vae::load_tiny_vae(data("taew2_1.pth"), {});
        const Tensor latents = expected("taew2_1")->read("latents");
        const Tensor usual = decode(*vae, latents, silent_);
        QCOMPARE(usual.size(0), std::int64_t{9});
        vae->set_first_frames(tiny_vae::FirstFrames::kept);
        const Tensor all = decode(*vae, latents, silent_);
        QCOMPARE(all.size(0), std::int64_t{12});
        QVERIFY(at::equal(all.slice(0, 3), usual));
    }

    void other_files_are_refused_by_name_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const fs::path& file, const char* words) {
            QTest::newRow(name) << QString::fromStdString(file.string()) << words;
        };
        using Tensors = std::map<std::string, Tensor>;
        row("another model", test_data("wan_t2v/transformer_io.safetensors"), "has no tensor \"decoder.1.weight\"");
        row("not a convolution", changed("flat.safetensors", [](Tensors& t) { t["decoder.8.weight"] = at::ones({4}); }),
            "\"decoder.8.weight\" is not the weight of a convolution");
        row("no channels",
            changed("empty.safetensors",
                    [](Tensors& t) {
                        t["decoder.8.weight"] = at::ones({0, 8, 3, 3});
                    }),
            "\"decoder.8.weight\" is not the weight of a convolution");
        row("no pixels",
            changed("pixels.safetensors",
                    [](Tensors& t) {
                        t["decoder.22.weight"] = at::ones({5, 4, 3, 3});
                    }),
            "5 outputs, which are not pixels");
        row("time",
            changed("time.safetensors",
                    [](Tensors& t) {
                        t["decoder.13.conv.weight"] = at::ones({7, 6, 1, 1});
                    }),
            "\"decoder.13.conv.weight\" has 7 outputs");
        row("a missing tensor", changed("gap.safetensors", [](Tensors& t) { t.erase("decoder.9.conv.2.bias"); }),
            "decoder.9.conv.2.bias");
        row("a super decoder",
            changed("super.safetensors",
                    [](Tensors& t) {
                        t["decoder.0.weight"] = at::ones({1});
                        t["decoder.1.conv.0.weight"] = at::ones({1});
                    }),
            "super");
        row("NaN",
            changed("nan.safetensors",
                    [](Tensors& t) { t["decoder.3.conv.0.bias"].fill_(std::numeric_limits<double>::quiet_NaN()); }),
            "decoder.3.conv.0.bias");
    }
    void other_files_are_refused_by_name() {
        QFETCH(const QString, file);
        QFETCH(const QString, words);
        try {
            tiny_vae::load_tiny_vae(file.toStdString(), {});
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QVERIFY2(error.message().find(words.toStdString()) != std::string::npos, error.message().c_str());
            QVERIFY2(error.message().find(QFileInfo(file).fileName().toStdString()) != std::string::npos,
                     error.message().c_str());
        }
    }

    void a_decoder_of_another_model_does_not_fit() {
        const tiny_vae::Config config;
        const auto fault = [&](const tiny_vae::Video& video) -> std::string {
            try {
                tiny_vae::check_fit(config, "taew2_1.pth", video);
                return "";
            } catch (const Error& error) {
                return error.message();
            }
        };
        const tiny_vae::Video fitting{.latents_shape = {1, 16, 3, 4, 6}, .width = 48, .height = 32, .num_frames = 9};
        QCOMPARE(fault(fitting), std::string());
        auto other = fitting;
        other.latents_shape[1] = 48;
        QVERIFY(fault(other).find("16 channels, and the model has 48") != std::string::npos);
        other = fitting;
        other.width = 96;
        QVERIFY(fault(other).find("gives 48x32 and not 96x32") != std::string::npos);
        other = fitting;
        other.num_frames = 17;
        QVERIFY(fault(other).find("too few") != std::string::npos);
    }

    void previews_take_less_memory_than_a_draft() {
        const tiny_vae::Config config;
        const auto video_of = [](int width, int height) {
            return tiny_vae::Video{.latents_shape = {1, 16, 21, height / 8, width / 8},
                                   .width = width,
                                   .height = height,
                                   .num_frames = 81};
        };
        // The largest layer of a draft has 4 frames of 64 channels, that of a preview has 1, with half the side.
        const auto large = video_of(1280, 720);
        const auto weights = tiny_vae::draft_bytes(config, video_of(0, 0));
        const auto draft = tiny_vae::draft_bytes(config, large) - weights;
        QCOMPARE(draft, std::int64_t{3} * 4 * 4 * 64 * 1280 * 720);
        QCOMPARE(tiny_vae::preview_bytes(config, large) - weights, draft / 16);
        const auto small = video_of(640, 320);
        QCOMPARE(tiny_vae::preview_bytes(config, small) - weights,
                 (tiny_vae::draft_bytes(config, small) - weights) / 4);
    }

    void the_longest_side_of_previews_is_bounded() {
        const tiny_vae::Config config;
        QCOMPARE(tiny_vae::most_enlargements(config, 80), 3);
        QCOMPARE(tiny_vae::most_enlargements(config, 81), 2);
        QCOMPARE(tiny_vae::most_enlargements(config, 1000), 1);
        QCOMPARE(tiny_vae::most_enlargements({.patch_size = 2}, 80), 2);
    }

    void less_detail_costs_less() {
        const tiny_vae::Config config;
        const double full = tiny_vae::cost(config, 6240, {});
        const double slow = tiny_vae::cost(config, 6240, {.rate = tiny_vae::FrameRate::low});
        const double half = tiny_vae::cost(config, 6240, {.rate = tiny_vae::FrameRate::low, .enlargements = 2});
        QVERIFY(full > slow && slow > half && half > 0);
    }
};

QTEST_GUILESS_MAIN(TestTinyVae)
#include "test_tiny_vae.moc"
