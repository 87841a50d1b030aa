#include <ATen/ATen.h>
#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <QtTest>

#include "core/api/error.h"
#include "core/jobs/plan/memory_plan.h"
#include "core/jobs/plan/plan.h"
#include "core/jobs/plan/weight_sizes.h"
#include "core/jobs/prepare.h"
#include "core/media/image_io.h"
#include "core/nn/cpu/linear_product.h"
#include "core/nn/cpu/winograd.h"
#include "core/weights/stored_weight.h"
#include "tests/support/devices.h"
#include "tests/support/golden.h"
#include "tests/support/sanitizers.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

/// Returns four blocks and one other tensor, each with 2 Mi values.
std::vector<TensorEntry> entries(Dtype dtype) {
    std::vector<TensorEntry> all;
    const auto add = [&](const std::string& name) {
        TensorEntry entry{.name = name, .shape = {1024, 2048}};
        entry.dtype = dtype;
        entry.bytes = entry.numel() * static_cast<std::int64_t>(c10::elementSize(dtype));
        all.push_back(entry);
    };
    for (const char* name : {"blocks.0.a.weight", "blocks.1.a.weight", "blocks.2.a.weight", "blocks.3.a.weight"})
        add(name);
    add("blocks_of_another.7.weight");
    return all;
}

WeightSizes sizes(Dtype stored, const Precision& precision) {
    return {entries(stored), {"blocks"}, precision};
}

const Device kCuda(at::kCUDA, 0);

/// Counts the bytes that LibTorch allocates in this thread.
class LiveBytes final : public c10::MemoryReportingInfoBase {
public:
    void reportMemoryUsage(void*, std::int64_t bytes, std::size_t, std::size_t, Device) override {
        live_ += bytes;
        most_ = std::max(most_, live_);
    }
    bool memoryProfilingEnabled() const override { return true; }
    std::int64_t most() const { return most_; }

private:
    std::int64_t live_ = 0, most_ = 0;
};

std::int64_t most_bytes_of(const std::function<void()>& work) {
    const auto bytes = std::make_shared<LiveBytes>();
    const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, bytes);
    work();
    return bytes->most();
}

/// What belongs to a quantized weight.
enum class Extras { none, scale, lora, scale_and_lora };

/// A quantized weight of a block.
StoredWeight quantized_weight(Packing packing, Extras extras) {
    constexpr std::int64_t kRows = 512, kColumns = 2048;
    const BlockSize size = block_size(packing);
    StoredWeight weight{.data = packing == Packing::none
                                    ? at::ones({kRows, kColumns}).to(at::kFloat8_e4m3fn)
                                    : at::zeros({kRows * kColumns / size.numbers, size.bytes}, at::kByte),
                        .shape = {kRows, kColumns},
                        .packing = packing};
    if (extras == Extras::scale || extras == Extras::scale_and_lora) weight.scale = at::ones({});
    if (extras == Extras::lora || extras == Extras::scale_and_lora)
        weight.additions.push_back({.down = at::ones({16, kColumns}), .up = at::ones({kRows, 16})});
    return weight;
}

TensorEntry entry_of(const StoredWeight& weight) {
    return {.name = "blocks.0.a.weight",
            .shape = weight.shape,
            .dtype = weight.data.scalar_type(),
            .bytes = static_cast<std::int64_t>(weight.data.nbytes()),
            .packing = weight.packing,
            .scale = weight.scale,
            .additions = weight.additions};
}

VideoRequest request_of(const std::string& name, const std::string& device) {
    const auto folder = test_data(name);
    VideoRequest request = parse_request(read_json(folder / "request.json").dump(), folder);
    request.device = device;
    request.output = {};
    return request;
}

PreparedRun prepare(const VideoRequest& request) {
    return prepare_job(request, {.resources_dir = {}, .devices = {cpu_device()}, .purpose = Purpose::plan});
}

ComputePolicy policy_of(const VideoRequest& request) {
    return prepare(request).policy;
}

std::optional<Error> refusal(const VideoRequest& request) {
    try {
        prepare(request);
        return std::nullopt;
    } catch (const Error& error) {
        return error;
    }
}

/// Returns the required memory that the refusal of a request names, or 0 if the request is accepted. A request without
/// a limit gets a limit of one byte.
std::int64_t least_bytes(VideoRequest request) {
    request.max_memory_bytes = request.max_memory_bytes.value_or(1);
    const auto refused = refusal(request);
    return refused ? std::stoll(refused->arguments().at("needed")) : 0;
}

}  // namespace

class TestMemoryPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_device_holds_two_streamed_blocks_at_once() {
        const auto bytes = sizes(at::kBFloat16, {.device = kCuda, .storage = at::kBFloat16, .compute = at::kBFloat16});
        QCOMPARE(bytes.num_blocks(), 4);
        QCOMPARE(bytes.all_bytes(), 20 * kMiB);
        QCOMPARE(bytes.peak_bytes(kAllBlocks), 20 * kMiB);
        QCOMPARE(bytes.peak_bytes(1), (4 + 4 + 8) * kMiB);
        QCOMPARE(bytes.peak_bytes(0), (4 + 8) * kMiB);
    }

    void a_widened_weight_counts_twice() {
        const auto bytes = sizes(at::kBFloat16, {.device = kCuda, .storage = at::kBFloat16, .compute = at::kFloat});
        QCOMPARE(bytes.peak_bytes(0), (4 + 8 + 8) * kMiB);
    }

    /// A LoRA on a quantized weight takes four times the memory of a result in 16 bits.
    void dequantizing_takes_the_planned_memory_data() {
        QTest::addColumn<int>("packing");
        QTest::addColumn<int>("extras");
        const auto add = [](const char* name, Packing packing, Extras extras) {
            QTest::newRow(name) << static_cast<int>(packing) << static_cast<int>(extras);
        };
        add("float8", Packing::none, Extras::none);
        add("float8 with a scale", Packing::none, Extras::scale);
        add("float8 with a scale and a LoRA", Packing::none, Extras::scale_and_lora);
        add("q4_k with a LoRA", Packing::q4_k, Extras::lora);
        for (const Packing packing : {Packing::q4_0, Packing::q4_1, Packing::q5_0, Packing::q5_1, Packing::q8_0,
                                      Packing::q4_k, Packing::q5_k, Packing::q6_k})
            add(packing_name(packing).c_str(), packing, Extras::none);
    }
    void dequantizing_takes_the_planned_memory() {
        QFETCH(int, packing);
        QFETCH(int, extras);
        const auto weight = quantized_weight(static_cast<Packing>(packing), static_cast<Extras>(extras));
        const Precision precision{
            .storage = at::kBFloat16, .compute = at::kBFloat16, .quantized = QuantizedWeights::keep};
        const WeightSizes sizes({entry_of(weight)}, {"blocks"}, precision);
        const auto planned = static_cast<double>(sizes.peak_bytes(kAllBlocks) - sizes.all_bytes());
        const auto measured = static_cast<double>(most_bytes_of([&] { weight.dequantize(at::kBFloat16); }));
        QVERIFY2(measured <= planned, qPrintable(QString::number(measured / planned)));
        QVERIFY2(measured >= planned * 0.6, qPrintable(QString::number(measured / planned)));
    }

    /// The program's own quantization stores one scale, with which a weight is multiplied in float32.
    void weights_that_the_program_quantizes_have_a_scale() {
        for (const Dtype storage : {at::kFloat8_e4m3fn, at::kChar}) {
            const auto bytes = sizes(at::kBFloat16, {.device = kCuda, .storage = storage, .compute = at::kBFloat16});
            QCOMPARE(bytes.peak_bytes(kAllBlocks), (4 * 2 + 4 + 2 * (4 + 2)) * kMiB);
        }
    }

    void loras_of_quantized_weights_stay_beside_them() {
        const Precision precision{
            .device = kCuda, .storage = at::kBFloat16, .compute = at::kBFloat16, .quantized = QuantizedWeights::keep};
        const auto all = [&](Extras extras) {
            return WeightSizes({entry_of(quantized_weight(Packing::none, extras))}, {"blocks"}, precision).all_bytes();
        };
        QCOMPARE(all(Extras::scale_and_lora) - all(Extras::scale), std::int64_t{16 * (2048 + 512) * 4});
    }

    void on_a_cpu_unconverted_weights_are_not_copied() {
        const auto bytes = sizes(at::kBFloat16, {.storage = at::kBFloat16, .compute = at::kFloat});
        // If products read 16-bit weights directly, no weight is widened.
        const auto widened = rows_for_free_widening() ? 0 : 8 * kMiB;
        QCOMPARE(bytes.peak_bytes(kAllBlocks), 20 * kMiB + widened);
        QCOMPARE(bytes.peak_bytes(0), (4 + 8) * kMiB + widened);
    }

    void on_a_cpu_only_copied_tensors_count_twice() {
        auto all = entries(at::kBFloat16);
        TensorEntry bias{.name = "blocks.0.a.bias", .shape = {1 << 20}};
        bias.dtype = at::kBFloat16;
        bias.bytes = 2 * kMiB;
        all.push_back(bias);
        const WeightSizes bytes(all, {"blocks"}, {.storage = at::kBFloat16, .compute = at::kBFloat16});
        QCOMPARE(bytes.peak_bytes(kAllBlocks), (20 + 4 + 2) * kMiB);
    }

    void convolutions_computed_by_winograd_stay_16_bits() {
        TensorEntry entry{.name = "conv.weight", .shape = {64, 64, 3, 3, 3}};
        entry.dtype = at::kBFloat16;
        entry.bytes = 2 * entry.numel();
        const auto kept = winograd_pays(3 * 64, 64) ? 2 : 4;
        QCOMPARE(WeightSizes({entry}, {}, {}).all_bytes(), kept * entry.numel());
    }

    void on_a_cpu_weights_are_read_while_they_are_converted() {
        const auto bytes = sizes(at::kBFloat16, {.storage = at::kFloat, .compute = at::kFloat});
        QCOMPARE(bytes.all_bytes(), 40 * kMiB);
        QCOMPARE(bytes.peak_bytes(kAllBlocks), (40 + 4) * kMiB);
    }

    void int8_is_for_the_layers_of_blocks() {
        const auto bytes = sizes(at::kBFloat16, {.storage = at::kChar});
        QCOMPARE(bytes.all_bytes(), (4 * 2 + 8) * kMiB);
    }

    void float8_is_for_the_layers_of_blocks() {
        const auto bytes = sizes(at::kBFloat16, {.storage = at::kFloat8_e4m3fn, .compute = at::kBFloat16});
        QCOMPARE(bytes.all_bytes(), (4 * 2 + 4) * kMiB);
    }

    void weights_stay_as_stored_only_if_results_are_unchanged() {
        const Precision precision;
        auto all = entries(at::kBFloat16);
        QCOMPARE(exact_storage(all, precision), at::kBFloat16);
        all.push_back({.name = "norm.weight", .shape = {8}});  // a float32 tensor
        QCOMPARE(exact_storage(all, precision), at::kBFloat16);
        QCOMPARE(exact_storage(all, {.storage = at::kHalf}), at::kHalf);
        all.push_back({.name = "proj_out.bias", .shape = {8}});
        QCOMPARE(exact_storage(all, precision), at::kFloat);
        QCOMPARE(exact_storage(entries(at::kFloat), precision), at::kFloat);
    }

    void sixteen_bit_weights_are_kept_if_widening_costs_little_data() {
        QTest::addColumn<int>("side");
        QTest::addColumn<DtypeChoice>("storage");
        QTest::addColumn<bool>("stays");
        QTest::newRow("few tokens") << 64 << DtypeChoice::automatic << rows_for_free_widening().has_value();
        QTest::newRow("many tokens") << 1024 << DtypeChoice::automatic << true;
        QTest::newRow("many tokens, float32 requested") << 1024 << DtypeChoice::fp32 << false;
    }
    void sixteen_bit_weights_are_kept_if_widening_costs_little() {
        QFETCH(int, side);
        QFETCH(DtypeChoice, storage);
        QFETCH(bool, stays);
        auto request = request_of("stepvideo_t2v", "cpu");
        request.width = request.height = side;
        request.storage = storage;
        const auto policy = policy_of(request);
        QCOMPARE(policy.denoiser().storage, stays ? at::kBFloat16 : at::kFloat);
        QCOMPARE(policy.denoiser().compute, at::kFloat);
        QCOMPARE(policy.at("text_encoder").storage, at::kBFloat16);  // stays in 16 bits, because it runs only once
    }

    void an_absurd_block_number_is_ignored() {
        const std::vector<TensorEntry> one{{.name = "blocks.99999999999.weight", .shape = {2, 2}}};
        QCOMPARE(WeightSizes(one, {"blocks"}, {}).num_blocks(), 0);
    }

    void the_usable_memory_is_limited_by_the_device_and_the_request_data() {
        QTest::addColumn<qint64>("asked");
        QTest::addColumn<qint64>("free_memory");
        QTest::addColumn<qint64>("program");
        QTest::addColumn<qint64>("usable");
        const auto add = [](const char* name, qint64 asked, qint64 free_memory, qint64 program, qint64 usable) {
            QTest::newRow(name) << asked << free_memory << program << usable;
        };
        add("unknown memory", 0, 0, 0, 0);
        add("unknown memory with a limit", 100, 0, 50, 100);
        add("94 % of the free memory", 0, 1000, 0, 940);
        add("with that of the program", 0, 1000, 50, 990);
        add("a limit below the free memory", 939, 1000, 0, 939);
        add("a limit above the free memory", 941, 1000, 0, 940);
    }
    void the_usable_memory_is_limited_by_the_device_and_the_request() {
        QFETCH(qint64, asked);
        QFETCH(qint64, free_memory);
        QFETCH(qint64, program);
        QFETCH(qint64, usable);
        const MemoryLimit limit{.max_bytes = asked, .free_bytes = free_memory, .program_bytes = program};
        QCOMPARE(qint64{limit.bytes()}, usable);
    }

    void a_large_device_keeps_everything() {
        const auto policy = policy_of(request_of("wan_t2v", "sm89:24GiB"));
        QVERIFY(policy.components.contains("transformer"));
        for (const auto& [name, choice] : policy.components) QCOMPARE(choice.precision.resident_blocks, kAllBlocks);
    }

    void a_small_device_streams_what_does_not_fit() {
        const auto policy = policy_of(request_of("wan_t2v", "sm89:1KiB"));
        QCOMPARE(policy.denoiser().resident_blocks, 0);
        QVERIFY(policy.components.at("transformer").reason.find("blocks are streamed") != std::string::npos);
    }

    void offload_components_and_none_do_not_stream() {
        for (const auto offload : {OffloadMode::none, OffloadMode::components}) {
            auto request = request_of("wan_t2v", "sm89:1KiB");
            request.offload = offload;
            QCOMPARE(policy_of(request).denoiser().resident_blocks, kAllBlocks);
        }
    }

    void an_insufficient_limit_is_refused() {
        auto request = request_of("wan_t2v", "sm89:24GiB");
        request.max_memory_bytes = 1000;
        try {
            policy_of(request);
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::out_of_memory);
            QVERIFY(error.message().find("max_memory is 1000 B") != std::string::npos);
        }
    }

    /// A limit 1 MiB above the named one is accepted, 1 MiB below it is refused.
    void a_refusal_names_the_smallest_sufficient_limit_data() {
        QTest::addColumn<DtypeChoice>("storage");
        QTest::addColumn<int>("offload");
        for (const DtypeChoice storage : {DtypeChoice::automatic, DtypeChoice::int8, DtypeChoice::fp32})
            for (const auto offload : {OffloadMode::automatic, OffloadMode::none, OffloadMode::blocks})
                QTest::addRow("%s %d", to_string(storage).c_str(), int(offload)) << storage << int(offload);
    }
    void a_refusal_names_the_smallest_sufficient_limit() {
        if (kinescope::testing::kAddressSanitizer) QSKIP("The memory of the test itself grows.");
        QFETCH(DtypeChoice, storage);
        QFETCH(int, offload);
        auto request = request_of("wan_t2v", "cpu");
        request.storage = storage;
        request.offload = static_cast<OffloadMode>(offload);
        const auto least = least_bytes(request);
        QVERIFY(least > 0);
        request.max_memory_bytes = least - kMiB;
        QVERIFY(least_bytes(request) > least - kMiB);
        request.max_memory_bytes = least + kMiB;
        QCOMPARE(least_bytes(request), std::int64_t{0});
    }

    void a_refusal_names_a_remedy() {
        auto request = request_of("cogvideox/t2v", "sm89:24GiB");
        request.max_memory_bytes = 1000;
        request.offload = OffloadMode::none;
        QVERIFY(refusal(request)->message().find("this request needs ") != std::string::npos);
        request.max_memory_bytes = 1;
        request.width = request.height = 512;
        request.offload = OffloadMode::automatic;
        const auto refused = refusal(request);
        QCOMPARE(refused->arguments().at("component"), std::string("vae"));
        QVERIFY2(refused->hint().starts_with("With --vae-tiling it needs "), refused->hint().c_str());
    }

    void the_image_of_a_video_is_encoded_by_the_vae() {
        auto request = request_of("svd", "sm89:24GiB");
        const auto job = prepare(request);
        const auto plan =
            plan_memory({.files = job.files, .family = *job.family, .request = job.request}, 0, job.policy);
        const auto has_vae = std::ranges::any_of(
            plan.phases[0].parts, [](const auto& part) { return part.first == "vae" && part.second > 0; });
        QVERIFY(has_vae);
    }

    /// The second part of a long video runs in a process that has loaded its libraries.
    void what_earlier_runs_have_touched_is_not_planned_twice() {
        const auto planned = [](std::int64_t touched_bytes) {
            const VideoRequest request = request_of("wan_t2v", "cpu");
            return prepare_job(request, {.resources_dir = {},
                                         .devices = {cpu_device()},
                                         .purpose = Purpose::plan,
                                         .touched_bytes = touched_bytes})
                .planned_memory_bytes;
        };
        planned(0);  // reads what the next ones find in memory
        const std::int64_t saved = planned(0) - planned(20 * kMiB);
        QVERIFY2(saved > 18 * kMiB && saved < 22 * kMiB, std::to_string(saved).c_str());
    }

    void each_network_of_the_finish_steps_adds_library_code_data() {
        QTest::addColumn<QString>("upscaler");
        QTest::addColumn<QString>("interpolator");
        QTest::addColumn<int>("mebibytes");
        QTest::newRow("upscaler") << "finish/nearest_x2.safetensors"
                                  << "" << 12;
        QTest::newRow("both") << "finish/nearest_x2.safetensors"
                              << "finish/mean_rife.safetensors" << 24;
    }
    void each_network_of_the_finish_steps_adds_library_code() {
        QFETCH(QString, upscaler);
        QFETCH(QString, interpolator);
        QFETCH(int, mebibytes);
        const QTemporaryDir folder;
        VideoRequest request = request_of("wan_t2v", "cpu");
        request.finish.upscaler = test_data(upscaler.toStdString());
        if (!interpolator.isEmpty()) request.finish.interpolator = test_data(interpolator.toStdString());
        const Plan plan = make_plan(prepare(request), Timings(folder.filePath("timings").toStdString()));
        const auto decoding = std::ranges::find(plan.phases, Phase::decode, &PhasePlan::phase);
        const auto part = std::ranges::find(decoding->parts, std::string("finish steps"),
                                            &std::pair<std::string, std::int64_t>::first);
        QVERIFY(part != decoding->parts.end());
        QVERIFY2(part->second > mebibytes * kMiB, std::to_string(part->second).c_str());
    }

    void a_draft_needs_no_memory_for_the_vae() {
        const QTemporaryDir folder;
        VideoRequest request = request_of("wan_t2v", "cpu");
        request.preview_decoder = test_data("taehv/taew2_1.pth");
        request.width = 448;
        request.height = 256;
        request.num_frames = 17;
        const auto decoding = [&](DecodeMode mode) {
            request.decode = mode;
            const Plan plan = make_plan(prepare(request), Timings(folder.filePath("timings").toStdString()));
            return *std::ranges::find(plan.phases, Phase::decode, &PhasePlan::phase);
        };
        const PhasePlan draft = decoding(DecodeMode::draft);
        QVERIFY(draft.memory_bytes < decoding(DecodeMode::full).memory_bytes);
        QVERIFY(!draft.parts.empty());
        for (const auto& [name, bytes] : draft.parts) QVERIFY2(!name.starts_with("vae"), name.c_str());
    }

    void a_picture_of_another_shape_is_noted_data() {
        QTest::addColumn<QString>("input");
        for (const char* input : {"first", "last"}) QTest::newRow(input) << input;
    }
    void a_picture_of_another_shape_is_noted() {
        QFETCH(QString, input);
        const QTemporaryDir folder;
        const std::filesystem::path wide = folder.filePath("wide.png").toStdString();
        write_png(wide, Frame{300, 40, std::vector<std::uint8_t>(3 * 300 * 40, 90)});
        VideoRequest request = request_of("wan_variants/flf2v", "cpu");
        (input == "first" ? request.image : request.last_image) = wide;
        const std::vector<std::string> notes = prepare(request).notes;
        QCOMPARE(std::ranges::count_if(
                     notes, [](const std::string& note) { return note.find("wide.png is cropped") != note.npos; }),
                 1);
    }

    void a_plan_needs_no_prompt() {
        auto request = request_of("wan_t2v", "sm89:24GiB");
        request.prompt.clear();
        QVERIFY(prepare(request).planned_memory_bytes > 0);
        request.device = "cpu";
        QVERIFY_EXCEPTION_THROWN(prepare_job(request, {.resources_dir = {}, .devices = {cpu_device()}}), Error);
    }

    void a_run_that_may_end_for_lack_of_memory_is_noted() {
        DeviceCapability device = cpu_device();
        device.memory_limit = {.code = "cgroup_limit", .values = {}, .text = "the group is limited"};
        const auto is_noted = [&](std::int64_t free_bytes) {
            device.memory_free_bytes = free_bytes;
            const auto job = prepare_job(request_of("wan_t2v", "cpu"), {.resources_dir = {}, .devices = {device}});
            return std::ranges::any_of(job.notes, [](const std::string& note) {
                return note.find("are free: the group is limited; the system may end the program") != std::string::npos;
            });
        };
        QVERIFY(is_noted(1000));
        QVERIFY(!is_noted(std::int64_t{1} << 40));
        QVERIFY(!is_noted(0));  // unknown
    }

    void a_described_device_is_for_plans_only() {
        const auto request = request_of("wan_t2v", "sm89:24GiB");
        QVERIFY_EXCEPTION_THROWN(prepare_job(request, {.resources_dir = {}, .devices = {cpu_device()}}), Error);
    }
};

QTEST_GUILESS_MAIN(TestMemoryPlan)
#include "test_memory_plan.moc"
