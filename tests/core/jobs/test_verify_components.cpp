#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <functional>
#include <map>

#include "core/api/error.h"
#include "core/jobs/tools/verify_components.h"
#include "core/weights/formats/safetensors_writer.h"
#include "tests/support/golden.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace fs = std::filesystem;

class TestVerifyComponents : public QObject {
    Q_OBJECT

    QTemporaryDir dir_;

    /// Writes a component case with the tiny model's transformer and one sample without padding. `fault` is added to
    /// one expected tensor.
    fs::path write_case(const std::string& name, double fault) const {
        const fs::path folder = fs::path(dir_.path().toStdString()) / name;
        fs::create_directories(folder);
        const auto weights = open_checkpoint(test_data("stepvideo_t2v/model/transformer"));
        std::map<std::string, Tensor> tensors;
        for (const auto& entry : weights->entries()) tensors[entry.name] = weights->read(entry.name);
        std::ifstream config(test_data("stepvideo_t2v/model/transformer/config.json"));
        write_safetensors(folder / "transformer.safetensors", tensors,
                          {{"config", {std::istreambuf_iterator<char>(config), {}}}});
        const auto io = open_checkpoint(test_data("stepvideo_t2v/transformer_io.safetensors"));
        const auto llm = io->read("in.encoder_hidden_states"), clip = io->read("in.encoder_hidden_states_2");
        write_safetensors(folder / "transformer_io.safetensors",
                          {{"hidden_states", io->read("in.hidden_states").transpose(1, 2)},
                           {"timestep", io->read("in.timestep")},
                           {"encoder_hidden_states", llm},
                           {"encoder_hidden_states_2", clip},
                           {"encoder_attention_mask", at::ones({1, llm.size(1) + clip.size(1)})},
                           {"block.0", io->read("block.0")},
                           {"block.1", io->read("block.1") + fault},
                           {"output", io->read("out.sample").transpose(1, 2)}});
        return folder;
    }

    using Tensors = std::map<std::string, Tensor>;

    static void change_io(const fs::path& folder, const std::function<void(Tensors& tensors)>& change) {
        const fs::path file = folder / "transformer_io.safetensors";
        Tensors tensors;
        {
            const auto io = open_checkpoint(file);
            for (const auto& entry : io->entries()) tensors[entry.name] = io->read(entry.name).clone();
        }
        change(tensors);
        write_safetensors(file, tensors);
    }

private Q_SLOTS:
    void each_block_and_the_result_are_compared_with_the_reference() {
        const auto folder = write_case("right", 0);
        QVERIFY(is_component_case(folder));
        const auto report = verify_components(folder);
        QVERIFY(report.passed);
        QCOMPARE(report.rows.size(), std::size_t{3});
        QCOMPARE(report.rows[0].tensor, std::string("block.0"));
        QCOMPARE(report.rows[2].tensor, std::string("output"));
    }

    void a_block_that_differs_is_named() {
        const auto report = verify_components(write_case("wrong", 0.1));
        QVERIFY(!report.passed);
        QVERIFY(report.rows[0].passed && !report.rows[1].passed && report.rows[2].passed);
    }

    void a_component_without_a_reference_result_is_refused() {
        const fs::path folder = write_case("empty", 0);
        change_io(folder, [](Tensors& tensors) { tensors.erase("output"); });
        QCOMPARE(code_of([&] { verify_components(folder); }), ErrorCode::missing_keys);
    }

    void inputs_that_a_component_cannot_take_are_refused() {
        const fs::path folder = write_case("flat", 0);
        change_io(folder, [](Tensors& tensors) { tensors["hidden_states"] = tensors["hidden_states"].flatten(); });
        QCOMPARE(code_of([&] { verify_components(folder); }), ErrorCode::bad_config);
    }

    void a_cancelled_verification_stops() {
        CancellationToken stop;
        stop.request();
        QVERIFY_THROWS_EXCEPTION(Cancelled, verify_components(write_case("cancelled", 0), stop));
    }

    void a_pipeline_case_is_not_a_component_case() {
        QVERIFY(!is_component_case(test_data("stepvideo_t2v")));
        QVERIFY(!is_component_case(test_data("nowhere")));
    }

    void a_component_of_an_unknown_family_is_refused() {
        const fs::path folder = fs::path(dir_.path().toStdString()) / "strange";
        fs::create_directories(folder);
        write_safetensors(folder / "thing.safetensors", {{"weight", at::ones({2})}});
        write_safetensors(folder / "thing_io.safetensors", {{"output", at::ones({2})}});
        QCOMPARE(code_of([&] { verify_components(folder); }), ErrorCode::model_unknown);
    }
};

QTEST_GUILESS_MAIN(TestVerifyComponents)
#include "test_verify_components.moc"
