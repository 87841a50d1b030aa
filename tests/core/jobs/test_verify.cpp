#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>

#include "core/jobs/tools/verify.h"
#include "core/weights/formats/safetensors_writer.h"
#include "tests/support/golden.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

/// Runs golden cases from the request to the frames, like `kinescope-cli verify`.
class TestVerify : public QObject {
    Q_OBJECT

    /// Returns the names of the compared tensors.
    static std::set<std::string> tensors_of(const VerifyReport& report) {
        std::set<std::string> names;
        for (const VerifyRow& row : report.rows) names.insert(row.tensor);
        return names;
    }

    using Tensors = std::map<std::string, Tensor>;
    static constexpr const char* kExpected = "expected.safetensors";

    /// Copies the case wan_t2v and changes the tensors in one of its files.
    static std::filesystem::path changed_case(const QTemporaryDir& dir, const std::string& file,
                                              const std::function<void(Tensors& tensors)>& change) {
        const auto copy = std::filesystem::path(dir.path().toStdString()) / "case";
        std::filesystem::copy(test_data("wan_t2v"), copy, std::filesystem::copy_options::recursive);
        const auto original = open_checkpoint(test_data("wan_t2v") / file);
        Tensors tensors;
        for (const auto& entry : original->entries()) tensors[entry.name] = original->read(entry.name);
        change(tensors);
        write_safetensors(copy / file, tensors);
        return copy;
    }

    /// Writes a case of a tiny decoder whose tensors are changed.
    static std::filesystem::path tiny_decoder_case(const QTemporaryDir& dir,
                                                   const std::function<void(Tensors& tensors)>& change) {
        const auto expected = open_checkpoint(test_data("taehv/taew2_1_expected.safetensors"));
        const std::filesystem::path folder = dir.path().toStdString();
        std::filesystem::copy_file(test_data("taehv/taew2_1.pth"), folder / "tiny.pth");
        std::ofstream(folder / "request.json") << R"({"task": "tiny_autoencoder", "model": "tiny.pth"})";
        Tensors tensors{{"latents", expected->read("latents").transpose(1, 2).contiguous()},
                        {"frames", expected->read("frames")}};
        change(tensors);
        write_safetensors(folder / "expected.safetensors", tensors);
        return folder;
    }

private Q_SLOTS:
    void every_tensor_is_within_tolerance_data() {
        QTest::addColumn<QStringList>("among");
        QTest::newRow("wan_t2v") << QStringList{
            "out.sample",    "out.decode_f9", "out.last_hidden_state", "negative_input_ids", "noise_pred_004",
            "latents_final", "frames"};
        QTest::newRow("wan_variants/i2v") << QStringList{"image_embeds", "condition", "frames"};
        QTest::newRow("wan_variants/flf2v") << QStringList{"image_embeds", "condition", "frames"};
        QTest::newRow("wan_variants/a14b_t2v") << QStringList{"noise_pred_003", "frames"};
        QTest::newRow("wan_variants/a14b_i2v") << QStringList{"condition", "noise_pred_002", "frames"};
        QTest::newRow("wan_variants/ti2v_t2v") << QStringList{"latents_final", "frames"};
        QTest::newRow("wan_variants/ti2v_i2v") << QStringList{"condition", "first_frame_mask", "latents_final"};
        QTest::newRow("wan_shapes/one_frame") << QStringList{"noise_pred_001", "latents_final", "frames"};
        QTest::newRow("wan_shapes/odd_sizes") << QStringList{"noise_pred_001", "latents_final", "frames"};
        QTest::newRow("wan_shapes/long") << QStringList{"noise_pred_001", "latents_final", "frames"};
        QTest::newRow("wan_shapes/odd_image") << QStringList{"image_embeds", "condition", "latents_final", "frames"};
        QTest::newRow("wan_video/v2v") << QStringList{"video_pixels", "init_latents", "latents_start", "sigmas",
                                                      "frames"};
        QTest::newRow("cogvideox/v2v") << QStringList{"video_pixels", "init_latents", "latents_start", "frames"};
        QTest::newRow("wan_video/vace") << QStringList{"out.sample", "reference_pixels_000", "vace_context", "frames"};
        QTest::newRow("wan_video/inpaint") << QStringList{"video_pixels", "mask_pixels", "vace_mask", "frames"};
        QTest::newRow("wan_video/extend") << QStringList{"video_pixels", "mask_pixels", "vace_latents", "frames"};
        QTest::newRow("stepvideo_t2v") << QStringList{"out.sample", "out.llm", "out.clip", "prompt_embeds_2", "frames"};
        QTest::newRow("ltx/t2v") << QStringList{"out.sample", "out.decode_f2", "latents_decode", "frames"};
        QTest::newRow("ltx/i2v") << QStringList{"conditioning_mask", "decoder_noise_007", "latents_start", "frames"};
        QTest::newRow("ltx/condition") << QStringList{"video_coords", "image_noise_004", "decode_noise", "frames"};
        QTest::newRow("ltx/condition_clips")
            << QStringList{"condition_pixels_000", "posterior_mean_003", "latents_start", "conditioning_mask",
                           "video_coords",         "image_noise_003",    "frames"};
        QTest::newRow("ltx/condition_none") << QStringList{"latents_final", "decode_noise", "frames"};
        QTest::newRow("ltx/single_file") << QStringList{"latents_decode", "frames"};
        QTest::newRow("wan_t2v_euler") << QStringList{"timesteps", "sigmas", "latents_initial"};
    }
    void every_tensor_is_within_tolerance() {
        QFETCH(QStringList, among);
        const auto report = verify_case(test_data(QTest::currentDataTag()), {}, {});
        for (const VerifyRow& row : report.rows)
            QVERIFY2(row.passed,
                     (row.component + " " + row.tensor + ": " + std::to_string(row.relative_error)).c_str());
        QVERIFY(report.passed);
        for (const auto& name : among) QVERIFY2(tensors_of(report).contains(name.toStdString()), qPrintable(name));
    }

    void the_first_different_block_of_vace_is_named_data() {
        QTest::addColumn<QString>("site");
        QTest::newRow("block.2") << "blocks.2";
        QTest::newRow("control.1") << "vace_blocks.1";
        QTest::newRow("hint.1") << "vace_blocks.1.proj_out";
        QTest::newRow("in.timestep") << "";  // no output: nothing differs
    }
    void the_first_different_block_of_vace_is_named() {
        QFETCH(QString, site);
        namespace fs = std::filesystem;
        const QTemporaryDir dir;
        const fs::path root = dir.path().toStdString(), copy = root / "wan_video/vace";
        fs::create_directories(copy.parent_path());
        fs::copy(test_data("wan_video/vace"), copy, fs::copy_options::recursive);
        fs::create_directories(root / "wan_t2v/model");
        fs::copy(test_data("wan_t2v/model/tokenizer"), root / "wan_t2v/model/tokenizer", fs::copy_options::recursive);
        const auto io = open_checkpoint(test_data("wan_video/vace/transformer_io.safetensors"));
        std::map<std::string, Tensor> tensors;
        for (const auto& entry : io->entries()) tensors[entry.name] = io->read(entry.name);
        if (Tensor& changed = tensors.at(QTest::currentDataTag()); changed.is_floating_point()) changed = changed + 1;
        write_safetensors(copy / "transformer_io.safetensors", tensors);
        const auto report = verify_case(copy, {}, {});
        const auto row = std::ranges::find(report.rows, "transformer", &VerifyRow::component);
        QVERIFY(row != report.rows.end());
        QCOMPARE(QString::fromStdString(row->first_different_block), site);
    }

    void networks_run_without_a_model_family_data() {
        QTest::addColumn<double>("fault");
        QTest::newRow("right") << 0.0;
        QTest::newRow("wrong") << 0.01;
        QTest::newRow("not a number") << std::nan("");
    }
    void networks_run_without_a_model_family() {
        QFETCH(double, fault);
        const QTemporaryDir dir;
        const auto report = verify_case(
            tiny_decoder_case(dir, [fault](Tensors& tensors) { tensors["frames"] = tensors["frames"] + fault; }), {},
            {});
        QCOMPARE(tensors_of(report), std::set<std::string>{"frames"});
        QCOMPARE(report.passed, fault == 0.0);
    }

    void a_cancelled_verification_stops_data() {
        QTest::addColumn<QString>("folder");
        QTest::newRow("model") << "wan_t2v";
        QTest::newRow("network") << "";
    }
    void a_cancelled_verification_stops() {
        QFETCH(QString, folder);
        const QTemporaryDir dir;
        const auto network = tiny_decoder_case(dir, [](Tensors&) {});
        CancellationToken stop;
        const WeightCheck cancel = [&](const std::filesystem::path&) { stop.request(); };
        QVERIFY_THROWS_EXCEPTION(
            Cancelled, verify_case(folder.isEmpty() ? network : test_data(folder.toStdString()), {}, {}, cancel, stop));
    }

    void latents_that_a_network_cannot_take_are_refused() {
        const QTemporaryDir dir;
        const auto changed =
            tiny_decoder_case(dir, [](Tensors& tensors) { tensors["latents"] = tensors["latents"].flatten(); });
        QCOMPARE(code_of([&] { verify_case(changed, {}, {}); }), ErrorCode::bad_config);
    }

    void an_unknown_dtype_is_refused() {
        VerifyOptions options;
        options.dtype = "int3";
        try {
            verify_case(test_data("wan_t2v"), {}, options);
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::bad_request);
            QVERIFY2(error.message().find("int3") != std::string::npos, error.message().c_str());
        }
    }

    void a_tensor_that_the_run_never_produces_is_a_failure() {
        const QTemporaryDir dir;
        const auto changed = changed_case(dir, kExpected, [](Tensors& tensors) {
            tensors["image_embeds"] = at::ones({1, 2, 3});
        });
        const auto report = verify_case(changed, {}, {});
        QVERIFY(!report.passed);
        for (const VerifyRow& row : report.rows) QCOMPARE(row.passed, row.tensor != "image_embeds");
    }

    void a_file_without_references_is_refused_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("beginning");
        QTest::newRow("run") << kExpected << "";
        QTest::newRow("component") << "vae_io.safetensors"
                                   << "out.";
    }
    void a_file_without_references_is_refused() {
        QFETCH(QString, file);
        QFETCH(QString, beginning);
        const QTemporaryDir dir;
        const auto changed = changed_case(dir, file.toStdString(), [&](Tensors& tensors) {
            std::erase_if(tensors,
                          [&](const auto& tensor) { return tensor.first.starts_with(beginning.toStdString()); });
        });
        const Error error = thrown_by([&] { verify_case(changed, {}, {}); });
        QCOMPARE(error.code(), ErrorCode::missing_keys);
        QVERIFY2(error.message().find(file.toStdString()) != std::string::npos, error.message().c_str());
    }

    void inputs_that_the_model_cannot_take_are_refused_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("input");
        QTest::newRow("vae") << "vae_io.safetensors"
                             << "in.decode_f9";
        QTest::newRow("transformer") << "transformer_io.safetensors"
                                     << "in.hidden_states";
    }
    void inputs_that_the_model_cannot_take_are_refused() {
        QFETCH(QString, file);
        QFETCH(QString, input);
        const QTemporaryDir dir;
        const auto changed = changed_case(dir, file.toStdString(), [&](Tensors& tensors) {
            Tensor& changed_input = tensors.at(input.toStdString());
            changed_input = changed_input.flatten();
        });
        const Error error = thrown_by([&] { verify_case(changed, {}, {}); });
        QCOMPARE(error.code(), ErrorCode::bad_config);
        QVERIFY2(error.message().find(file.toStdString()) != std::string::npos, error.message().c_str());
        QVERIFY2(error.message().find("frame #") == std::string::npos, error.message().c_str());
    }

    void a_frame_that_is_not_a_number_is_a_failure() {
        const QTemporaryDir dir;
        const auto changed = changed_case(dir, kExpected, [](Tensors& tensors) {
            tensors["frames"] = tensors["frames"].clone();
            tensors["frames"].flatten()[5] = std::nan("");
        });
        const auto report = verify_case(changed, {}, {});
        QVERIFY(!report.passed);
        for (const VerifyRow& row : report.rows) QCOMPARE(row.passed, row.tensor != "frames");
    }
};

QTEST_GUILESS_MAIN(TestVerify)
#include "test_verify.moc"
