#include <QTest>
#include <functional>
#include <optional>

#include "core/api/byte_size.h"
#include "core/api/error.h"
#include "core/device/device_fault.h"
#include "core/pipeline/memory_relief.h"

using namespace kinescope;

namespace {

struct Case {
    const char* name;
    Phase phase = Phase::denoise;
    PhaseSetup setup = {};
    ModelCard card = {};
    std::optional<GuardAction> action = {};  ///< expected action
    std::vector<std::string> components = {};
};

PhaseSetup setup_on(const char* device) {
    PhaseSetup setup;
    for (const char* name : {"text_encoder", "transformer", "vae"})
        setup.policy.components[name].precision.device = Device(device);
    setup.request.content.num_frames = 25;
    return setup;
}

PhaseSetup with(PhaseSetup setup, const std::function<void(PhaseSetup&)>& change) {
    change(setup);
    return setup;
}

std::vector<Case> cases() {
    ModelCard tiled, chunked;
    tiled.offers_vae_tiling = true;
    chunked.extra_fields = {{"decode_chunk_size", 8, 1, 1024}};
    const PhaseSetup cuda = setup_on("cuda:0");
    const auto none = [](PhaseSetup& setup) { setup.request.compute.offload = OffloadMode::none; };
    const auto streamed = [](PhaseSetup& setup) {
        setup.policy.components.at("transformer").precision.resident_blocks = 0;
    };
    const auto reproducible = [](PhaseSetup& setup) { setup.request.compute.reproducible = Reproducibility::on; };
    const auto in_tiles = [](PhaseSetup& setup) { setup.request.compute.vae_tiling = true; };
    const auto observed = [](PhaseSetup& setup) { setup.request.compute.guard = GuardMode::observe; };
    const auto of_picture = [](PhaseSetup& setup) { setup.request.content.image = "start.png"; };
    const auto encoder_streamed = [](PhaseSetup& setup) {
        setup.policy.components.at("text_encoder").precision.resident_blocks = 0;
    };
    const auto draft = [](PhaseSetup& setup) { setup.request.compute.decode = DecodeMode::draft; };
    const PhaseSetup picture = with(cuda, of_picture);
    const auto by_frame = [](PhaseSetup& setup) { setup.request.compute.decode_chunk_size = 1; };
    using enum GuardAction;
    return {
        {"a denoiser", Phase::denoise, cuda, {}, stream_blocks, {"transformer"}},
        {"an encoder", Phase::encode, cuda, {}, stream_blocks, {"text_encoder"}},
        {"an encoder before the VAE", Phase::encode, picture, {}, stream_blocks, {"text_encoder"}},
        {"a VAE that encodes", Phase::encode, with(picture, encoder_streamed), {}, move_to_cpu, {"vae"}},
        {"a VAE that encodes, without streaming", Phase::encode, with(picture, none), {}, move_to_cpu, {"vae"}},
        {"a VAE that does not encode", Phase::encode, with(cuda, encoder_streamed), {}, std::nullopt},
        {"a guard that observes while encoding",
         Phase::encode,
         with(with(picture, encoder_streamed), observed),
         {},
         std::nullopt},
        {"a reproducible run encodes on its device",
         Phase::encode,
         with(with(picture, encoder_streamed), reproducible),
         {},
         std::nullopt},
        {"a draft has no parts", Phase::decode, with(cuda, draft), tiled, move_to_cpu, {"vae"}},
        {"streaming is excluded", Phase::denoise, with(cuda, none), {}, std::nullopt},
        {"all blocks are streamed", Phase::denoise, with(cuda, streamed), {}, std::nullopt},
        {"a reproducible run streams", Phase::denoise, with(cuda, reproducible), {}, stream_blocks, {"transformer"}},
        {"on the CPU", Phase::denoise, setup_on("cpu"), {}, std::nullopt},
        {"a VAE with tiles", Phase::decode, cuda, tiled, decode_in_parts, {"vae"}},
        {"a VAE with chunks", Phase::decode, cuda, chunked, decode_in_parts, {"vae"}},
        {"a VAE without either", Phase::decode, cuda, {}, move_to_cpu, {"vae"}},
        {"a VAE in tiles", Phase::decode, with(cuda, in_tiles), tiled, move_to_cpu, {"vae"}},
        {"a VAE frame by frame", Phase::decode, with(cuda, by_frame), chunked, move_to_cpu, {"vae"}},
        {"a VAE on the CPU", Phase::decode, with(setup_on("cpu"), in_tiles), tiled, std::nullopt},
        {"a guard that observes", Phase::decode, with(with(cuda, in_tiles), observed), tiled, std::nullopt},
        {"a reproducible run keeps its pixels", Phase::decode, with(cuda, reproducible), tiled, std::nullopt}};
}

}  // namespace

class TestMemoryRelief : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_phase_needs_less_memory_the_second_time_data() {
        QTest::addColumn<int>("row");
        const auto rows = cases();
        for (int i = 0; i < static_cast<int>(rows.size()); ++i) QTest::newRow(rows[i].name) << i;
    }
    void a_phase_needs_less_memory_the_second_time() {
        QFETCH(int, row);
        const Case tried = cases().at(row);
        const auto relief = relieve_memory(tried.phase, tried.setup, tried.card, {"text_encoder", "transformer"});
        QCOMPARE(relief.has_value(), tried.action.has_value());
        if (!relief) return;
        QCOMPARE(relief->action, *tried.action);
        QCOMPARE(relief->components, tried.components);
        for (const auto& [name, choice] : relief->setup.policy.components) {
            const bool is_changed = *tried.action == GuardAction::stream_blocks && name == tried.components.front();
            const int planned = tried.setup.policy.at(name).resident_blocks;
            QCOMPARE(choice.precision.resident_blocks, is_changed ? 0 : planned);
        }
        const bool is_moved = *tried.action == GuardAction::move_to_cpu;
        QCOMPARE(relief->setup.policy.at("vae").device.is_cpu(), is_moved);
        if (is_moved) return;
        const ResolvedCompute& compute = relief->setup.request.compute;
        QCOMPARE(compute.vae_tiling, tried.card.offers_vae_tiling);
        QCOMPARE(compute.decode_chunk_size, tried.card.extra_fields.empty() ? 0 : 12);
    }

    void the_error_names_the_least_memory() {
        const PhaseSetup setup = setup_on("cuda:1");
        const Error error = memory_error({.phase = Phase::denoise,
                                          .setup = setup,
                                          .component = "transformer",
                                          .least_bytes = std::int64_t{3} << 30,
                                          .message = "CUDA out of memory"});
        QCOMPARE(error.code(), ErrorCode::out_of_memory);
        QVERIFY2(error.message().find("cuda:1") != std::string::npos, error.what());
        QVERIFY2(error.message().find(format_byte_size(std::int64_t{3} << 30)) != std::string::npos, error.what());
        QCOMPARE(error.arguments().at("needed"), std::to_string(std::int64_t{3} << 30));
    }

    void the_error_names_what_was_encoded() {
        PhaseSetup setup = setup_on("cuda:0");
        const auto message = [&] {
            return memory_error({.phase = Phase::encode, .setup = setup, .component = "", .message = "full"}).message();
        };
        QVERIFY2(message().find("while encoding the prompt (") != std::string::npos, message().c_str());
        setup.request.content.video = "clip.mp4";
        QVERIFY2(message().find("while encoding the prompt and the pictures (") != std::string::npos,
                 message().c_str());
    }

    void a_shortage_of_the_steps_after_the_decoder_is_not_relieved() {
        const Error error = finishing_memory_error("cuda:1");
        QCOMPARE(error.code(), ErrorCode::out_of_memory);
        QVERIFY2(error.message().find("while the frames were finished") != std::string::npos, error.what());
        QVERIFY(device_fault(error) == DeviceFault::none);
    }

    void an_explicit_request_not_to_stream_is_named_as_the_cause() {
        PhaseSetup setup = setup_on("cuda:0");
        setup.request.compute.offload = OffloadMode::none;
        const Error error = memory_error({.phase = Phase::denoise, .setup = setup, .component = "", .message = "full"});
        QVERIFY2(error.hint().find("--offload auto") != std::string::npos, error.hint().c_str());
    }
};

QTEST_GUILESS_MAIN(TestMemoryRelief)
#include "test_memory_relief.moc"
