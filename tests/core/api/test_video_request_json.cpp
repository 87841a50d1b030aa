#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>

#include "core/api/bounded_json.h"
#include "core/api/normal_path.h"
#include "core/api/video_request_json.h"

using namespace kinescope;

namespace {

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.code() == ErrorCode::bad_request ? error.message() : "another code";
    }
    return {};
}

}  // namespace

class TestVideoRequestJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void round_trip_keeps_every_field() {
        VideoRequest request;
        request.model = "models/wan";
        request.components = {{"vae", "other/vae.safetensors"}, {"transformer", "dit.safetensors"}};
        request.prompt = "A “quoted” prompt\nwith 🐼";
        request.negative_prompt = "";
        request.image = "first.png";
        request.last_image = "last.png";
        request.width = 64;
        request.height = 32;
        request.num_frames = 9;
        request.fps = 24;
        request.num_inference_steps = 7;
        request.guidance_scale = 0.1;
        request.guidance_scale_2 = 3;
        request.guidance_start = 0.125;
        request.guidance_stop = 0.75;
        request.step_cache = 0.05;
        request.flow_shift = 2.5;
        request.scheduler = "unipc";
        request.seed = std::numeric_limits<std::uint64_t>::max();
        request.max_sequence_length = 48;
        request.variation_of = 9007199254740993;
        request.variation_strength = 0.25;
        request.guidance_method = GuidanceMethod::skip_layer;
        request.zero_init_steps = 2;
        request.apg_momentum = -0.25;
        request.apg_rescale = 15;
        request.apg_eta = 0.5;
        request.skip_layer_guidance_layers = {9, 10};
        request.skip_layer_guidance_scale = 3;
        request.skip_layer_guidance_start = 0.05;
        request.skip_layer_guidance_stop = 0.5;
        request.nag_scale = 7;
        request.nag_tau = 3.5;
        request.nag_alpha = 0.125;
        request.decode = DecodeMode::draft;
        request.previews = PreviewMode::latent;
        request.preview_decoder = "taew2_1.pth";
        request.min_guidance_scale = 1.5;
        request.max_guidance_scale = 2.5;
        request.motion_bucket_id = 180;
        request.noise_aug_strength = 0.1;
        request.decode_chunk_size = 7;
        request.decode_timestep = 0.05;
        request.decode_noise_scale = -1;
        request.image_cond_noise_scale = 0.15;
        request.conditions = {{"one.png"}, {"two.png", 16, 0.5}, {"three.mp4", 24, 1, 9}};
        request.finish = {
            .upscaler = "2x.pth",
            .upscale_factor = 2,
            .interpolator = "rife.pkl",
            .interpolation_factor = 4,
            .interpolation_fps = 60,
            .audio = {.file = "song.mp3", .start = 1.5, .fade_in = 0.5, .fade_out = 2, .length = AudioLength::loop}};
        request.device = "cuda:1";
        request.dtype = DtypeChoice::bf16;
        request.storage = DtypeChoice::fp16;
        request.text_encoder_dtype = DtypeChoice::fp32;
        request.vae_dtype = DtypeChoice::fp32;
        request.half_accumulation = HalfAccumulation::allowed;
        request.guard = GuardMode::observe;
        request.reproducible = 12;
        request.overrides = {{"transformer", "blocks.1.attn1.to_v", RaisedPrecision::scaled},
                             {"vae", "", RaisedPrecision::float32}};
        request.offload = OffloadMode::blocks;
        request.max_memory_bytes = 123456789012;
        request.threads = 2;
        request.output = {.file = "out.webm",
                          .overwrite = OverwriteMode::overwrite,
                          .codec = "libvpx-vp9",
                          .crf = 30,
                          .settings = SettingsInFile::left_out,
                          .numeric_log = "a.jsonl",
                          .numeric_csv = "a.csv",
                          .latents = "l.safetensors",
                          .frames = "f.safetensors",
                          .preview_dir = "previews"};
        request.originals = {{"/inputs/1.png", "/home/a/first.png"}, {"/inputs/2.png", "last.png"}};
        QCOMPARE(parse_request(to_json(request)), request);
        QCOMPARE(parse_request(to_json(request), "/elsewhere").originals, request.originals);
    }

    void defaults_round_trip() { QCOMPARE(parse_request(to_json(VideoRequest{})), VideoRequest{}); }

    void every_type_has_its_word() {
        for (const auto& [choice, word] : kDtypeChoiceNames) {
            VideoRequest request;
            request.storage = choice;
            QCOMPARE(parse_request(R"({"storage": ")" + std::string(word) + R"("})"), request);
            QCOMPARE(parse_request(to_json(request)), request);
        }
        QVERIFY(to_json(VideoRequest{})
                    .find(R"("dtype":"auto","storage":"auto","text_encoder_dtype":"auto","vae_dtype":"auto")") !=
                std::string::npos);
    }

    void unset_fields_are_not_written() {
        const std::string json = to_json(VideoRequest{});
        for (const char* key : {"width", "seed", "negative_prompt", "output", "overwrite"})
            QVERIFY2(json.find(key) == std::string::npos, key);
        QVERIFY(json.find('\n') == std::string::npos);
    }

    void broken_prompt_does_not_break_the_log() {
        VideoRequest request;
        request.prompt = "caf\xe9";
        QCOMPARE(parse_request(to_json(request)).prompt, std::string("caf\xef\xbf\xbd"));
    }

    void paths_are_relative_to_the_file() {
        const char* json = R"({"model": "model", "image": "in/a.png", "output": "/tmp/b.mp4", "vae": "../vae"})";
        const VideoRequest request = parse_request(json, "/cases/one");
        QCOMPARE(request.model, std::string("/cases/one/model"));
        QCOMPARE(*request.image, std::filesystem::path("/cases/one/in/a.png"));
        QCOMPARE(request.output.file, std::filesystem::path("/tmp/b.mp4"));
        QCOMPARE(request.components.at(0).second, std::filesystem::path("/cases/vae"));
        QCOMPARE(parse_request(R"({"model": "builtin"})", "/cases/one").model, std::string("builtin"));
        QCOMPARE(parse_request("{}", "/cases/one").model, std::string("builtin"));
    }

    void a_normal_path_names_the_same_file() {
        namespace fs = std::filesystem;
        const QTemporaryDir folder;
        const fs::path base = fs::canonical(folder.path().toStdString());
        fs::create_directories(base / "real" / "deep");
        fs::create_directory_symlink(base / "real" / "deep", base / "link");
        const std::pair<fs::path, fs::path> table[] = {
            {base / "real/../a.png", base / "a.png"},
            {base / "./real//a.png", base / "real/a.png"},
            {base / "nowhere/../a.png", base / "a.png"},
            {base / "real/deep/../../a.png", base / "a.png"},
            {base / "link/a.png", base / "link/a.png"},
            {base / "link/../a.png", base / "link/../a.png"},
            {base / "link/./../a.png", base / "link/../a.png"},
            {base / "link/../deep/../a.png", base / "link/../a.png"},
            {base / "real/../link/../a.png", base / "link/../a.png"},
            {base / "frames/", base / "frames/"},
            {base / "frames/.", base / "frames"},
            {"/../a.png", "/a.png"},
            {"../a.png", "../a.png"},
            {"nowhere/..", "."},
            {"", ""},
        };
        for (const auto& [path, normal] : table) QCOMPARE(normal_path(path).string(), normal.string());
        std::ofstream(base / "a.png") << "another picture";
        std::ofstream(base / "real" / "a.png") << "picture";
        const VideoRequest request = parse_request(R"({"model": "link/../m", "image": "link/../a.png"})", base);
        QVERIFY(fs::equivalent(*request.image, base / "real" / "a.png"));
        QCOMPARE(request.model, (base / "link/../m").string());
    }

    void names_without_a_file_stay_names() {
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        std::ofstream(base / "here.safetensors") << "weights";
        const VideoRequest request = parse_request(
            R"({"loras": [{"path": "ink.safetensors"}, {"path": "here.safetensors"}, {"path": "./ink.safetensors"}],
                "upscale": "2x.pth", "interpolate": "here.safetensors"})",
            base);
        QCOMPARE(request.loras.at(0).path, std::filesystem::path("ink.safetensors"));
        QCOMPARE(request.loras.at(1).path, base / "here.safetensors");
        QCOMPARE(request.loras.at(2).path, base / "ink.safetensors");
        QCOMPARE(request.finish.upscaler, std::filesystem::path("2x.pth"));
        QCOMPARE(request.finish.interpolator, base / "here.safetensors");
    }

    void reproducible_is_a_switch_or_a_number() {
        QCOMPARE(parse_request(R"({"reproducible": true})").reproducible, std::optional(0));
        QCOMPARE(parse_request(R"({"reproducible": 8})").reproducible, std::optional(8));
        QVERIFY(!parse_request(R"({"reproducible": false})").reproducible);
        VideoRequest request;
        request.reproducible = 0;
        QCOMPARE(parse_request(to_json(request)), request);
        for (const char* json : {R"({"reproducible": 0})", R"({"reproducible": -1})", R"({"reproducible": "yes"})"})
            QVERIFY_THROWS_EXCEPTION(Error, parse_request(json));
    }

    void incomplete_overrides_are_refused_data() {
        QTest::addColumn<QByteArray>("overrides");
        QTest::addColumn<bool>("fits");
        QTest::newRow("empty list") << QByteArray("[]") << true;
        QTest::newRow("null") << QByteArray("null") << true;
        QTest::newRow("one") << QByteArray(R"([{"component":"vae","site":"","precision":"scaled"}])") << true;
        QTest::newRow("not a list") << QByteArray(R"({"component":"vae"})") << false;
        QTest::newRow("entry is not an object") << QByteArray(R"(["vae"])") << false;
        QTest::newRow("empty component") << QByteArray(R"([{"component":"","site":"a","precision":"scaled"}])")
                                         << false;
        QTest::newRow("missing site") << QByteArray(R"([{"component":"vae","precision":"scaled"}])") << false;
        QTest::newRow("planned precision")
            << QByteArray(R"([{"component":"vae","site":"","precision":"planned"}])") << false;
    }
    void incomplete_overrides_are_refused() {
        QFETCH(QByteArray, overrides);
        QFETCH(bool, fits);
        const std::string json = "{\"overrides\":" + overrides.toStdString() + "}";
        if (fits)
            QCOMPARE(parse_request(json).overrides.has_value(), overrides != "null");
        else
            QVERIFY_THROWS_EXCEPTION(Error, parse_request(json));
    }

    void sizes_may_carry_a_unit() {
        QCOMPARE(*parse_request(R"({"max_memory": "1.5GiB"})").max_memory_bytes, std::int64_t{1610612736});
        QCOMPARE(*parse_request(R"({"max_memory": 4096})").max_memory_bytes, std::int64_t{4096});
    }

    void flags_override_a_request() {
        VideoRequest request;
        request.prompt = "before";
        request.width = 64;
        request.seed = 5;
        request.components = {{"vae", "a"}};
        const auto flags = parse_request_object(R"({"width": 32, "seed": null, "vae": "b", "height": "x"})");
        const auto faults = read_request(flags, {}, request);
        QCOMPARE(faults.size(), 1u);
        QCOMPARE(faults[0].field, std::string("height"));
        QCOMPARE(request.prompt, std::string("before"));
        QCOMPARE(*request.width, 32);
        QVERIFY(!request.seed);
        QCOMPARE(request.components.size(), 1u);
        QCOMPARE(request.components[0].second, std::filesystem::path("b"));
    }

    void every_fault_is_listed_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArrayList>("parts");
        using Parts = QByteArrayList;
        QTest::newRow("unknown keys") << QByteArray(R"({"widht": 3, "stepz": 4, "width": 16})")
                                      << Parts{"'widht' is not a known key", "'stepz' is not a known key"};
        QTest::newRow("names of options")
            << QByteArray(R"({"steps": 3, "num-inference-steps": 3, "--continue": "a.mp4", "lora": "b"})")
            << Parts{"'steps' is not a known key of a request; the key is num_inference_steps",
                     "'num-inference-steps' is not a known key of a request; the key is num_inference_steps",
                     "'--continue' is not a known key of a request; the key is continue_video",
                     "'lora' is not a known key of a request; the key is loras"};
        QTest::newRow("only dashes") << QByteArray(R"({"--": 3})") << Parts{"'--' is not a known key of a request"};
        QTest::newRow("word for a seed") << QByteArray(R"({"seed": "random"})")
                                         << Parts{"seed must be a whole number, or null for a random one"};
        QTest::newRow("wrong types") << QByteArray(
                                            R"({"width": "wide", "prompt": 3, "guidance_scale": true, "overwrite": 1})")
                                     << Parts{"width must be a whole number; it is \"wide\"",
                                              "prompt must be a string; it is 3", "guidance_scale must be a number",
                                              "overwrite must be true or false"};
        QTest::newRow("int range")
            << QByteArray(R"({"width": 4294967297, "variation_of": -1, "seed": -9223372036854775808, "fps": 1.5})")
            << Parts{"width must be", "seed must be 0 or more; it is -9223372036854775808",
                     "variation_of must be 0 or more", "fps must be"};
        QTest::newRow("unknown names") << QByteArray(R"({"guard": "maybe", "offload": "all", "max_memory": "lots"})")
                                       << Parts{"guard must be off or observe or heal", "offload must be",
                                                "max_memory must be a size"};
        QTest::newRow("unknown types")
            << QByteArray(R"({"dtype": "int3", "storage": "", "text_encoder_dtype": 8, "vae_dtype": "FP16"})")
            << Parts{R"(dtype must be auto or fp32 or bf16 or fp16 or fp8 or int8 or gguf; it is "int3")",
                     R"(storage must be auto or fp32 or bf16 or fp16 or fp8 or int8 or gguf; it is "")",
                     "text_encoder_dtype must be auto or", R"(it is "FP16")"};
        QTest::newRow("not an object") << QByteArray("[1]") << Parts{"not a JSON object"};
        QTest::newRow("truncated") << QByteArray("{\"prompt\": \"a") << Parts{"not valid JSON"};
        QTest::newRow("empty") << QByteArray() << Parts{"not valid JSON"};
        QTest::newRow("invalid UTF-8") << QByteArray("{\"prompt\": \"\xff\"}") << Parts{"not valid JSON"};
        QTest::newRow("duplicate key") << QByteArray(R"({"width": 16, "width": 32})")
                                       << Parts{"\"width\" occurs twice"};
        QTest::newRow("100,000 levels") << "{\"prompt\": " + QByteArray("[").repeated(100'000)
                                        << Parts{"nested deeper than 64 levels"};
        QTest::newRow("60 levels") << "{\"prompt\": " + QByteArray("[").repeated(60) + QByteArray("]").repeated(60) +
                                          "}"
                                   << Parts{"prompt must be a string; it is [[["};
        QTest::newRow("huge number") << QByteArray(R"({"guidance_scale": 1e999})") << Parts{"not valid JSON"};
    }

    void every_fault_is_listed() {
        QFETCH(QByteArray, json);
        QFETCH(QByteArrayList, parts);
        const std::string message = message_of([&] { parse_request(json.toStdString()); });
        for (const QByteArray& part : parts)
            QVERIFY2(message.find(part.toStdString()) != std::string::npos, message.c_str());
        QCOMPARE(std::count(message.begin(), message.end(), '\n') + 1, parts.size());
    }

    /// tests/data/finish contains requests of another kind.
    void requests_of_the_reference_cases_parse() {
        namespace fs = std::filesystem;
        int cases = 0;
        for (const auto& entry : fs::recursive_directory_iterator(KINESCOPE_TEST_DATA)) {
            const fs::path folder = entry.path().parent_path();
            if (entry.path().filename() != "request.json" || folder.parent_path().filename() == "finish") continue;
            std::ifstream stream(entry.path());
            const std::string text{std::istreambuf_iterator<char>(stream), {}};
            const VideoRequest request = parse_request(text, folder);
            QVERIFY2(request.seed && request.num_frames, folder.c_str());
            QVERIFY2(fs::exists(request.model), request.model.c_str());
            for (const auto& input : {request.image, request.last_image, request.video, request.mask})
                QVERIFY2(!input || fs::exists(*input), folder.c_str());
            for (const fs::path& image : request.reference_images) QVERIFY2(fs::exists(image), image.c_str());
            ++cases;
        }
        QVERIFY2(cases >= 26, std::to_string(cases).c_str());
    }
};

QTEST_GUILESS_MAIN(TestVideoRequestJson)
#include "test_video_request_json.moc"
