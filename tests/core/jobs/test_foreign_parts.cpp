#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

#include "core/jobs/prepare.h"
#include "core/jobs/tools/describe.h"
#include "core/weights/formats/safetensors_writer.h"
#include "tests/core/jobs/tiny_wan_request.h"
#include "tests/support/devices.h"
#include "tests/support/golden.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace fs = std::filesystem;

namespace {

constexpr auto kVaeFile = "vae/diffusion_pytorch_model.safetensors";
constexpr auto kLora = "loras/peft.safetensors";

fs::path copy_of_tiny_wan(const QTemporaryDir& dir) {
    const fs::path copy = fs::path(dir.path().toStdString()) / "model";
    fs::copy(test_data("wan_t2v/model"), copy, fs::copy_options::recursive);
    return copy;
}

void put_file(const fs::path& from, const fs::path& to) {
    fs::copy_file(from, to, fs::copy_options::overwrite_existing);
}

void put_folder(const fs::path& from, const fs::path& to) {
    fs::remove_all(to);
    fs::copy(from, to, fs::copy_options::recursive);
}

VideoRequest request_for(const fs::path& model) {
    VideoRequest request = tiny_wan_request();
    request.model = model.string();
    return request;
}

PreparedRun prepared(const VideoRequest& request, Purpose purpose) {
    return prepare_job(request, {.resources_dir = {}, .devices = {cpu_device()}, .purpose = purpose});
}

Error refusal_of(const VideoRequest& request, Purpose purpose) {
    return thrown_by([&] { prepared(request, purpose); });
}

bool names(const Error& error, const std::string& text) {
    return error.message().find(text) != std::string::npos;
}

}  // namespace

/// Components of other models in the place of those that a model needs.
class TestForeignParts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A run loads the VAE after the last step, and the second expert in the middle.
    void foreign_weights_are_refused_before_the_first_step_data() {
        QTest::addColumn<QString>("part");
        QTest::newRow("VAE") << "vae";
        QTest::newRow("second expert") << "transformer_2";
        QTest::newRow("denoiser") << "transformer";
        QTest::newRow("text encoder") << "text_encoder";
    }
    void foreign_weights_are_refused_before_the_first_step() {
        QFETCH(QString, part);
        const QTemporaryDir dir;
        const fs::path model = copy_of_tiny_wan(dir);
        const fs::path folder = model / part.toStdString();
        if (part == "transformer_2") put_folder(model / "transformer", folder);
        const std::string file = part == "text_encoder" ? "model.safetensors" : "diffusion_pytorch_model.safetensors";
        put_file(test_data(kLora), folder / file);
        VideoRequest request = request_for(model);
        if (part == "transformer_2") request.components = {{"transformer_2", folder}};
        for (const Purpose purpose : {Purpose::plan, Purpose::run}) {
            const Error error = refusal_of(request, purpose);
            QCOMPARE(error.code(), ErrorCode::missing_keys);
            QVERIFY2(names(error, (folder / file).string() + " lacks "), error.what());
        }
    }

    void foreign_files_given_for_a_part_are_refused() {
        VideoRequest request = request_for(test_data("wan_t2v/model"));
        request.components = {{"vae", test_data(kLora)}};
        QCOMPARE(refusal_of(request, Purpose::plan).code(), ErrorCode::missing_keys);
    }

    void foreign_weights_are_listed_as_missing() {
        const QTemporaryDir dir;
        const fs::path model = copy_of_tiny_wan(dir);
        QVERIFY(describe(model, {}).missing.empty());
        put_file(test_data(kLora), model / kVaeFile);
        const CheckpointDescription description = describe(model, {});
        QCOMPARE(description.card.family, std::string("wan"));
        QCOMPARE(description.missing.size(), std::size_t{1});
        QCOMPARE(description.missing[0].values.at("component"), std::string("vae"));
        QCOMPARE(description.missing[0].values.at("error"), std::string("missing_keys"));
        QVERIFY(std::ranges::find(description.components, "vae", &ComponentDescription::name) ==
                description.components.end());
    }

    /// A checkpoint of another model contains a denoiser, too.
    void the_part_of_the_same_kind_is_named() {
        const std::string checkpoint = "ltx/single_file/model/ltx-video-tiny-v0.9.1.safetensors";
        VideoRequest request = request_for(test_data("wan_t2v/model"));
        request.components = {{"vae", test_data(checkpoint)}};
        const Error error = refusal_of(request, Purpose::plan);
        QCOMPARE(error.code(), ErrorCode::model_unknown);
        QCOMPARE(error.argument("given"), std::string("AutoencoderKLLTXVideo"));
        QCOMPARE(error.argument("needed"), std::string("AutoencoderKLWan"));
    }

    /// T5 and UMT5 encoders of the same width have tensors of the same names.
    void folders_of_another_model_are_refused_data() {
        QTest::addColumn<QString>("part");
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("given");
        QTest::newRow("T5 instead of UMT5") << "text_encoder"
                                            << "cogvideox/t2v"
                                            << "T5EncoderModel";
        QTest::newRow("VAE of CogVideoX") << "vae"
                                          << "cogvideox/t2v"
                                          << "AutoencoderKLCogVideoX";
        QTest::newRow("VAE of LTX-Video") << "vae"
                                          << "ltx/t2v"
                                          << "AutoencoderKLLTXVideo";
    }
    void folders_of_another_model_are_refused() {
        QFETCH(QString, part);
        QFETCH(QString, from);
        QFETCH(QString, given);
        const std::string name = part.toStdString();
        const fs::path folder = test_data(from.toStdString()) / "model" / name;
        const QTemporaryDir dir;
        const fs::path model = copy_of_tiny_wan(dir);
        put_folder(folder, model / name);
        VideoRequest replaced = request_for(test_data("wan_t2v/model"));
        replaced.components = {{name, folder}};
        for (const VideoRequest& request : {request_for(model), replaced}) {
            const Error error = refusal_of(request, Purpose::plan);
            QCOMPARE(error.code(), ErrorCode::bad_config);
            QVERIFY2(names(error, "is for " + given.toStdString() + ", not for "), error.what());
            QCOMPARE(error.argument("component"), name);
        }
    }

    /// Other defaults make another video.
    void missing_settings_of_the_scheduler_are_noted_data() {
        QTest::addColumn<QString>("removed");
        QTest::addColumn<bool>("is_noted");
        QTest::newRow("complete") << "" << false;
        QTest::newRow("no file") << "scheduler/scheduler_config.json" << true;
        QTest::newRow("no folder") << "scheduler" << true;
    }
    void missing_settings_of_the_scheduler_are_noted() {
        QFETCH(QString, removed);
        QFETCH(bool, is_noted);
        const QTemporaryDir dir;
        const fs::path model = copy_of_tiny_wan(dir);
        if (!removed.isEmpty()) fs::remove_all(model / removed.toStdString());
        for (const Purpose purpose : {Purpose::plan, Purpose::run}) {
            const PreparedRun run = prepared(request_for(model), purpose);
            const std::string file = (model / "scheduler/scheduler_config.json").string();
            QCOMPARE(std::ranges::any_of(run.notes,
                                         [&](const std::string& note) {
                                             return note.starts_with(file + " is missing") &&
                                                    note.find("scheduler unipc and flow_shift") != note.npos;
                                         }),
                     is_noted);
        }
    }

    /// The embedding of a T5 encoder has two names; some files contain only the second one.
    void the_second_name_of_an_embedding_is_accepted() {
        const QTemporaryDir dir;
        const fs::path model = copy_of_tiny_wan(dir);
        const auto reader = open_checkpoint(test_data("wan_t2v/model/text_encoder"));
        std::map<std::string, Tensor> tensors;
        for (const TensorEntry& entry : reader->entries())
            tensors[entry.name == "shared.weight" ? "encoder.embed_tokens.weight" : entry.name] =
                reader->read(entry.name);
        write_safetensors(model / "text_encoder/model.safetensors", tensors);
        for (const Purpose purpose : {Purpose::plan, Purpose::run})
            QVERIFY(prepared(request_for(model), purpose).planned_memory_bytes > 0);
    }
};

QTEST_GUILESS_MAIN(TestForeignParts)
#include "test_foreign_parts.moc"
