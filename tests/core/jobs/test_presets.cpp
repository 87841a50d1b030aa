#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>
#include <sstream>

#include "core/jobs/plan/presets.h"
#include "tests/support/devices.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

PresetList shipped() {
    return read_presets(KINESCOPE_SOURCE_DIR "/resources/presets", {});
}

DeviceCapability with_memory(DeviceCapability device, double gib) {
    device.memory_total_bytes = static_cast<std::int64_t>(gib * kGiB);
    return device;
}

ModelCard card() {
    ModelCard card;
    card.family = "wan";
    card.tasks = {Task::text_to_video};
    card.schedulers = {"unipc"};
    return card;
}

VideoRequest request_with(const std::optional<std::string>& preset) {
    VideoRequest request;
    request.prompt = "a red ball";
    request.preset = preset;
    return request;
}

/// Returns the settings of a model that needs 1 GiB for every 4 frames.
Json fields(const VideoRequest&, const DeviceCapability& device) {
    const auto frames = 4 * device.memory_free_bytes / kGiB + 1;
    return frames < 81 ? Json{{"num_frames", frames}} : Json::object();
}

void write(const QString& file, const char* text) {
    std::ofstream(file.toStdString()) << text;
}

}  // namespace

class TestPresets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void each_machine_gets_the_best_preset_data() {
        QTest::addColumn<QString>("device");
        QTest::addColumn<double>("gib");
        QTest::addColumn<QString>("preset");
        QTest::newRow("RTX 2080") << "cuda" << 7.8 << "gpu-8gb";
        QTest::newRow("RTX 3060") << "cuda" << 11.8 << "gpu-12gb";
        QTest::newRow("RTX 4080") << "cuda" << 15.7 << "gpu-16gb";
        QTest::newRow("RTX 4090") << "cuda" << 23.6 << "gpu-24gb";
        QTest::newRow("RTX 5090") << "cuda" << 31.4 << "gpu-32gb";
        QTest::newRow("A6000") << "cuda" << 47.5 << "gpu-80gb";
        QTest::newRow("H100") << "cuda" << 79.0 << "gpu-80gb";
        QTest::newRow("a small card") << "cuda" << 4.0 << "";
        QTest::newRow("CPU") << "cpu" << 32.0 << "cpu";
        QTest::newRow("CPU with AVX512_BF16") << "cpu bf16" << 32.0 << "cpu-bf16";
        QTest::newRow("Mac") << "mps" << 32.0 << "";
    }
    void each_machine_gets_the_best_preset() {
        QFETCH(QString, device);
        QFETCH(double, gib);
        QFETCH(QString, preset);
        const DeviceCapability machine = with_memory(device == "cuda"       ? cuda_device(8, 6)
                                                     : device == "mps"      ? mps_device(14)
                                                     : device == "cpu bf16" ? cpu_device({.avx512_bf16 = true})
                                                                            : cpu_device(),
                                                     gib);
        const auto list = shipped();
        const Preset* best = best_preset(list.presets, machine, card());
        QCOMPARE(best == nullptr ? QString() : QString::fromStdString(best->name), preset);
    }

    void values_of_the_request_take_precedence() {
        VideoRequest request = request_with("gpu-8gb");
        request.num_frames = 81;
        const auto choice = apply_preset(request, shipped(), with_memory(cuda_device(8, 6), 80), card(), fields);
        QCOMPARE(*choice.request.num_frames, 81);
        QVERIFY(!choice.request.preset);
        QCOMPARE(choice.notes.size(), std::size_t{3});  // the third note: the preset is for GPUs with less memory
        QVERIFY(choice.notes[0].find("as requested") != std::string::npos);
        QVERIFY(choice.notes[0].find("num_frames") == std::string::npos);
    }

    void auto_names_the_chosen_preset_and_the_reason() {
        const auto choice =
            apply_preset(request_with("auto"), shipped(), with_memory(cuda_device(8, 6), 12), card(), fields);
        QCOMPARE(*choice.request.num_frames, 49);
        QVERIFY(choice.notes[0].starts_with("preset gpu-12gb, because it matches cuda:0"));
    }

    void without_a_preset_nothing_changes_and_one_is_suggested() {
        const VideoRequest request = request_with({});
        const DeviceCapability device = with_memory(cuda_device(8, 6), 12);
        const auto choice = apply_preset(request, shipped(), device, card(), fields);
        QVERIFY(choice.request == request && choice.notes.empty());
        const std::string words = suggest_preset(request, shipped().presets, device, card(), fields);
        QVERIFY(words.find("--preset gpu-12gb") != std::string::npos);
        QVERIFY(words.ends_with("num_frames 49 (the model's default: 81)"));
        QVERIFY(suggest_preset(request_with("auto"), shipped().presets, device, card(), fields).empty());
    }

    void a_shipped_preset_never_exceeds_the_models_defaults() {
        ModelCard small = card();
        small.default_num_frames = 17;
        small.default_num_inference_steps = 12;
        const auto choice =
            apply_preset(request_with("gpu-8gb"), shipped(), with_memory(cuda_device(8, 6), 8), small, fields);
        QVERIFY(!choice.request.num_frames && !choice.request.num_inference_steps);
        QVERIFY(suggest_preset(request_with({}), shipped().presets, with_memory(cuda_device(8, 6), 12), small, fields)
                    .empty());
    }

    /// The built-in model was trained for one length, and runs in a second.
    void presets_of_a_cpu_do_not_shorten_the_clip_of_the_built_in_model() {
        const std::ifstream file(KINESCOPE_SOURCE_DIR "/resources/demo_model/kinescope.json");
        std::stringstream hints;
        hints << file.rdbuf();
        ModelCard demo = card();
        demo.default_num_frames = Json::parse(hints.str())["defaults"]["num_frames"];
        for (const char* preset : {"cpu", "cpu-bf16", "cpu-fast"}) {
            const auto choice = apply_preset(request_with(preset), shipped(), cpu_device(), demo, fields);
            QCOMPARE(choice.request.num_frames.value_or(demo.default_num_frames), demo.default_num_frames);
        }
    }

    void a_user_preset_may_exceed_the_models_defaults_with_a_note() {
        QTemporaryDir folder;
        write(folder.filePath("mine.json"), R"({"name": "mine", "request": {"num_inference_steps": 80}})");
        const auto presets = read_presets({}, folder.path().toStdString());
        const auto choice = apply_preset(request_with("mine"), presets, cpu_device(), card(), fields);
        QCOMPARE(*choice.request.num_inference_steps, 80);
        QVERIFY(choice.notes[0].ends_with("num_inference_steps 80 (the model's default: 50)"));
    }

    void only_settings_in_a_preset_are_used() {
        QTemporaryDir folder;
        write(folder.filePath("mine.json"),
              R"({"name": "mine", "request": {"num_frames": 5, "prompt": "theirs", "latents": "/a", "numeric_log": "/b",
                  "overwrite": true, "seed": 4, "model": "/m", "vae": "/v", "continue_video": "/a.mp4", "audio": "/a.wav",
                  "conditions": [{"image": "/a.png", "frame_index": 0}], "reference_images": ["/a.png"]}})");
        const auto presets = read_presets({}, folder.path().toStdString());
        VideoRequest expected = request_with({});
        expected.num_frames = 5;
        QVERIFY(apply_preset(request_with("mine"), presets, cpu_device(), card(), fields).request == expected);
    }

    void an_unsupported_value_becomes_the_nearest_supported_one() {
        ModelCard model = card();
        model.max_num_frames = 25;
        const auto choice =
            apply_preset(request_with("gpu-12gb"), shipped(), with_memory(cuda_device(8, 6), 12), model, fields);
        QCOMPARE(*choice.request.num_frames, 25);
    }

    void presets_are_described_with_applicable_values() {
        ModelCard small = card();
        small.num_frames_multiple = 4;
        small.num_frames_offset = 1;
        small.max_num_frames = 17;
        const auto rows =
            describe_presets(request_with({}), shipped().presets, with_memory(cuda_device(8, 6), 11.8), small, fields);
        const auto all = shipped().presets;
        const auto num_fitting = std::ranges::count_if(all, [&small](const Preset& preset) {
            return preset.match.family.empty() || preset.match.family == small.family;
        });
        QCOMPARE(rows.size(), static_cast<std::size_t>(num_fitting));
        int num_limited = 0;
        for (const PresetInfo& row : rows) {
            QCOMPARE(row.best, row.name == "gpu-12gb");
            QVERIFY(!row.own);
            QVERIFY(std::filesystem::exists(row.file));
            const Json set = Json::parse(row.fields);
            if (!set.contains("num_frames")) continue;
            QVERIFY(set["num_frames"] <= 17);
            ++num_limited;
        }
        QVERIFY(num_limited > 0);
    }

    void graphics_cards_are_in_the_order_of_their_memory() {
        QStringList names;
        const PresetList list = shipped();
        for (const Preset& preset : list.presets)
            if (preset.name.starts_with("gpu-")) names << QString::fromStdString(preset.name);
        QCOMPARE(names, QStringList({"gpu-8gb", "gpu-12gb", "gpu-16gb", "gpu-24gb", "gpu-32gb", "gpu-80gb"}));
    }

    void an_unknown_name_is_an_error_that_lists_the_presets() {
        try {
            apply_preset(request_with("huge"), shipped(), cpu_device(), card(), fields);
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::bad_request);
            QVERIFY(error.message().find("gpu-24gb") != std::string::npos);
        }
    }

    void distilled_models_get_few_steps_by_a_preset_of_their_family() {
        ModelCard ltx = card();
        ltx.family = "ltx";
        const auto choice = apply_preset(request_with("ltx-few-steps"), shipped(), cpu_device(), ltx, fields);
        QCOMPARE(*choice.request.num_inference_steps, 8);
        QCOMPARE(*choice.request.guidance_scale, 1.0);
        QVERIFY_EXCEPTION_THROWN(apply_preset(request_with("ltx-few-steps"), shipped(), cpu_device(), card(), fields),
                                 Error);
    }

    void presets_of_another_family_are_not_offered() {
        ModelCard other = card();
        other.family = "svd";
        const auto offers = [](const ModelCard& model) {
            const auto rows = describe_presets(request_with({}), shipped().presets, cpu_device(), model, fields);
            return std::ranges::find(rows, "wan-few-steps", &PresetInfo::name) != rows.end();
        };
        QVERIFY(offers(card()));
        QVERIFY(!offers(other));
        const auto choice = apply_preset(request_with("wan-few-steps"), shipped(), cpu_device(), card(), fields);
        QCOMPARE(*choice.request.num_inference_steps, 4);
        QCOMPARE(*choice.request.guidance_scale, 1.0);
        QVERIFY(!choice.request.guidance_scale_2);
        ModelCard experts = card();
        experts.default_guidance_scale_2 = 3.0;
        const auto of_both = apply_preset(request_with("wan-few-steps"), shipped(), cpu_device(), experts, fields);
        QCOMPARE(*of_both.request.guidance_scale_2, 1.0);
        try {
            apply_preset(request_with("wan-few-steps"), shipped(), cpu_device(), other, fields);
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::bad_request);
            QVERIFY(error.message().find("family wan; this is svd") != std::string::npos);
        }
    }

    void the_loss_of_quality_is_noted() {
        const auto choice = apply_preset(request_with("less-work"), shipped(), cpu_device(), card(), fields);
        QCOMPARE(choice.notes.size(), std::size_t{2});
        QVERIFY2(choice.notes[1].starts_with("preset less-work: ") && choice.notes[1].find(" dB") != std::string::npos,
                 choice.notes[1].c_str());
    }

    void a_missing_lora_is_noted() {
        const auto warns = [](const VideoRequest& request) {
            const auto choice = apply_preset(request, shipped(), cpu_device(), card(), fields);
            return choice.notes.back().find("none is given, so the frames will be unfinished") != std::string::npos;
        };
        VideoRequest request = request_with("wan-few-steps");
        QVERIFY(warns(request));
        request.loras = {{.path = "lightx2v.safetensors"}};
        QVERIFY(!warns(request));
        QVERIFY(!warns(request_with("less-work")));
    }

    void loras_of_a_preset_are_used_only_with_their_model() {
        QTemporaryDir folder;
        write(folder.filePath("ink.json"),
              R"({"lora_model": {"family": "wan", "variant": "Wan 2.1 1.3B"},
                  "request": {"num_frames": 5, "loras": [{"path": "/ink.safetensors", "scale": 0.5}]}})");
        const auto presets = read_presets({}, folder.path().toStdString());
        ModelCard small = card();
        small.variant = "Wan 2.1 1.3B";
        const auto choice = apply_preset(request_with("ink"), presets, cpu_device(), small, fields);
        QCOMPARE(choice.request.loras.size(), std::size_t{1});
        QCOMPARE(choice.request.loras[0].path, std::filesystem::path("/ink.safetensors"));
        QCOMPARE(choice.request.loras[0].scale, 0.5);
        ModelCard large = card();
        large.variant = "Wan 2.1 14B";
        const auto other = apply_preset(request_with("ink"), presets, cpu_device(), large, fields);
        QVERIFY(other.request.loras.empty());
        QCOMPARE(*other.request.num_frames, 5);
        QCOMPARE(other.notes.back(), std::string("preset ink: its LoRAs are left out, because they are for Wan 2.1 "
                                                 "1.3B; this is Wan 2.1 14B"));
        const auto rows = describe_presets(request_with({}), presets.presets, cpu_device(), large, fields);
        QVERIFY(!Json::parse(rows[0].fields).contains("loras"));
        QVERIFY(Json::parse(rows[0].written).contains("loras"));
    }

    void a_preset_for_another_machine_is_noted() {
        const auto last_note = [](const char* preset, const DeviceCapability& device) {
            return apply_preset(request_with(preset), shipped(), device, card(), fields).notes.back();
        };
        const auto gpu = with_memory(cuda_device(8, 6), 24);
        QVERIFY(last_note("cpu-fast", gpu).find("is made for cpu; this is cuda:0") != std::string::npos);
        QVERIFY(last_note("gpu-8gb", gpu).find("made for cuda, 5.0 GiB to 10.0 GiB; this") != std::string::npos);
        QVERIFY(last_note("gpu-24gb", cpu_device()).find("made for cuda, 20.0 GiB to 28.0 GiB") != std::string::npos);
        QVERIFY(last_note("cpu-bf16", cpu_device()).find("cpu, native bfloat16") != std::string::npos);
        QVERIFY(last_note("cpu-fast", cpu_device()).find("made for") == std::string::npos);
    }

    void presets_are_described_with_their_requirements() {
        const auto rows = describe_presets(request_with({}), shipped().presets, cpu_device(), card(), fields);
        const auto row = [&](const char* name) { return *std::ranges::find(rows, name, &PresetInfo::name); };
        QCOMPARE(row("cpu-fast").machine, std::string("cpu"));
        QCOMPARE(row("less-work").machine, std::string());
        QCOMPARE(row("wan-few-steps").family, std::string("wan"));
        QVERIFY(row("wan-few-steps").needs == PresetNeeds::lora && row("cpu").needs == PresetNeeds::nothing);
        QVERIFY(row("cpu").fits && row("less-work").fits && !row("gpu-8gb").fits);
        QCOMPARE(Json::parse(row("gpu-12gb").written), Json::object());
        QCOMPARE(Json::parse(row("gpu-12gb").fields), Json({{"num_frames", 49}}));  // for a typical GPU of this size
    }

    void presets_that_cost_quality_are_never_chosen_automatically() {
        QTemporaryDir folder;
        write(folder.filePath("mine.json"), R"({"match": {"automatic": false}, "request": {"num_frames": 5}})");
        const auto presets = read_presets({}, folder.path().toStdString());
        QVERIFY(best_preset(presets.presets, cpu_device(), card()) == nullptr);
        QCOMPARE(*apply_preset(request_with("mine"), presets, cpu_device(), card(), fields).request.num_frames, 5);
    }

    void user_presets_replace_shipped_ones() {
        QTemporaryDir folder;
        write(folder.filePath("mine.json"),
              R"({"name": "gpu-12gb", "match": {"device": "cuda"}, "request": {"num_frames": 5}})");
        const auto presets = read_presets(KINESCOPE_SOURCE_DIR "/resources/presets", folder.path().toStdString());
        QCOMPARE(presets.presets.size(), shipped().presets.size());
        const auto choice =
            apply_preset(request_with("auto"), presets, with_memory(cuda_device(8, 6), 80), card(), fields);
        QCOMPARE(*choice.request.num_frames, 5);
    }

    void a_broken_preset_names_its_file_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("invalid JSON") << "{";
        QTest::newRow("a list") << "[]";
        QTest::newRow("unknown key") << R"({"request": {"frames": 5}})";
        QTest::newRow("wrong type") << R"({"request": {"num_frames": "many"}})";
        QTest::newRow("wrong match") << R"({"match": "x"})";
        QTest::newRow("wrong size") << R"({"match": {"memory_from": "lots"}})";
        QTest::newRow("wrong choice") << R"({"match": {"automatic": "no"}})";
        QTest::newRow("wrong family") << R"({"match": {"family": "Wan"}})";
        QTest::newRow("wrong model of LoRAs") << R"({"lora_model": {"variant": 5}})";
        QTest::newRow("wrong device") << R"({"match": {"device": "tpu"}})";
    }
    void a_broken_preset_names_its_file() {
        QFETCH(QString, text);
        QTemporaryDir folder;
        write(folder.filePath("mine.json"), text.toUtf8().constData());
        try {
            read_presets(folder.path().toStdString(), {});
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::bad_config);
            QVERIFY(error.message().find("mine.json") != std::string::npos);
        }
    }

    void a_broken_preset_of_the_user_is_left_out() {
        QTemporaryDir folder;
        write(folder.filePath("broken.json"), R"({"match": "x"})");
        write(folder.filePath("mine.json"), R"({"request": {"num_frames": 5}})");
        const auto list = read_presets(KINESCOPE_SOURCE_DIR "/resources/presets", folder.path().toStdString());
        QCOMPARE(list.presets.size(), shipped().presets.size() + 1);
        QCOMPARE(list.faults.size(), std::size_t{1});
        QVERIFY(list.faults.front().find("broken.json") != std::string::npos);
        QCOMPARE(apply_preset(request_with("mine"), list, cpu_device(), card(), fields).notes.front(),
                 list.faults.front());
        try {
            apply_preset(request_with("broken"), list, cpu_device(), card(), fields);
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QVERIFY(error.message().find(list.faults.front()) != std::string::npos);
        }
    }
};

QTEST_GUILESS_MAIN(TestPresets)
#include "test_presets.moc"
