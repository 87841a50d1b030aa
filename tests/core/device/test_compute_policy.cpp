#include <QTest>
#include <functional>

#include "core/api/error.h"
#include "core/device/choose_device.h"
#include "core/device/compute_policy.h"
#include "core/device/dtype.h"
#include "core/device/dtype_support.h"
#include "tests/support/devices.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

/// The expected automatic policy on a device for a bfloat16 file: "compute" or "storage/compute".
struct DeviceRow {
    const char* name;
    DeviceCapability device;
    const char* text_encoder;
    const char* denoiser;       ///< for a model that exceeds the float16 range
    const char* safe_denoiser;  ///< for a model that was trained in float16
    const char* bf16_vae;       ///< for a decoder that is safe in bfloat16
};

std::vector<DeviceRow> device_rows() {
    const char* kept_bf16 = "bfloat16/float32";
    const char* bf16 = "bfloat16/bfloat16";
    const char* fp16 = "float16/float16";
    const char* scaled = "float16/float16 scaled";
    const char* fp32 = "float32/float32";
    return {{"sm_61", cuda_device(6, 1, "NVIDIA GeForce GTX 1080"), kept_bf16, kept_bf16, kept_bf16, fp32},
            {"sm_70", cuda_device(7, 0, "Tesla V100-SXM2-16GB"), kept_bf16, scaled, fp16, fp32},
            {"sm_75 RTX 20", cuda_device(7, 5, "NVIDIA GeForce RTX 2080 Ti"), kept_bf16, scaled, fp16, fp32},
            {"sm_75 GTX 16", cuda_device(7, 5, "NVIDIA GeForce GTX 1660 SUPER"), kept_bf16, kept_bf16, kept_bf16, fp32},
            {"sm_80", cuda_device(8, 0, "NVIDIA A100-SXM4-80GB"), bf16, bf16, bf16, bf16},
            {"sm_86", cuda_device(8, 6, "NVIDIA GeForce RTX 3060"), bf16, bf16, bf16, bf16},
            {"sm_89", cuda_device(8, 9, "NVIDIA GeForce RTX 4090"), bf16, bf16, bf16, bf16},
            {"sm_90", cuda_device(9, 0, "NVIDIA H100 80GB HBM3"), bf16, bf16, bf16, bf16},
            {"sm_100", cuda_device(10, 0, "NVIDIA B200"), bf16, bf16, bf16, bf16},
            {"sm_120", cuda_device(12, 0, "NVIDIA GeForce RTX 5090"), bf16, bf16, bf16, bf16},
            {"macOS 13", mps_device(13), fp32, scaled, fp16, fp32},
            {"macOS 14", mps_device(14), bf16, bf16, bf16, fp32},
            {"AVX2", cpu_device(), fp32, fp32, fp32, fp32},
            {"AVX512_BF16", cpu_device({.avx2 = true, .avx512 = true, .avx512_bf16 = true}), fp32, fp32, fp32, fp32},
            {"AMX", cpu_device({.avx2 = true, .avx512 = true, .avx512_bf16 = true, .amx_bf16 = true}), fp32, fp32, fp32,
             fp32}};
}

/// The relevant properties of a family's card, and its components.
struct CardRow {
    const char* name;
    ModelCard card;
    std::vector<std::string> components;
};

ModelCard card(const char* training_dtype, bool fp16_safe, const char* vae_dtype) {
    ModelCard result;
    result.training_dtype = training_dtype;
    result.fp16_safe = fp16_safe;
    result.vae_dtype = vae_dtype;
    return result;
}

std::vector<CardRow> card_rows() {
    ModelCard stepvideo = card("bfloat16", false, "bfloat16");
    stepvideo.float32_names = {"text_encoder_2"};
    return {{"wan", card("bfloat16", false, "float32"), {"text_encoder", "transformer", "vae"}},
            {"wan 2.2 i2v",
             card("bfloat16", false, "float32"),
             {"text_encoder", "image_encoder", "transformer", "transformer_2", "vae"}},
            {"cogvideox 2b", card("float16", true, "float32"), {"text_encoder", "transformer", "vae"}},
            {"cogvideox 5b", card("bfloat16", false, "bfloat16"), {"text_encoder", "transformer", "vae"}},
            {"svd", card("float16", true, "float32"), {"image_encoder", "unet", "vae"}},
            {"stepvideo", stepvideo, {"text_encoder", "text_encoder_2", "transformer", "vae"}},
            {"ltx", card("bfloat16", false, "bfloat16"), {"text_encoder", "transformer", "vae"}}};
}

StoredDtypes stored_as(const std::vector<std::string>& components, const std::function<Dtype(std::size_t)>& choose) {
    StoredDtypes stored;
    for (std::size_t i = 0; i < components.size(); ++i) stored[components[i]] = choose(i);
    return stored;
}

std::vector<std::function<Dtype(std::size_t)>> stored_rows() {
    std::vector<std::function<Dtype(std::size_t)>> rows;
    for (const Dtype dtype : {at::kFloat, at::kBFloat16, at::kHalf, at::kFloat8_e4m3fn})
        rows.emplace_back([dtype](std::size_t) { return dtype; });
    rows.emplace_back([](std::size_t i) { return std::array{at::kHalf, at::kFloat, at::kBFloat16}[i % 3]; });
    return rows;
}

std::string summary(const Precision& precision) {
    return dtype_name(precision.storage) + "/" +
           to_string(ComputePrecision{element_type(precision.compute), precision.level});
}

bool is_denoiser(const std::string& component) {
    return component.starts_with("transformer") || component == "unet";
}

DtypeChoice choice_of(const QString& text) {
    return dtype_choice_from(text.toStdString()).value();
}

/// Checks the conditions that every choice must satisfy, independent of the options.
void check_choice(const std::string& name, const ComponentChoice& choice, const DeviceCapability& device,
                  const PrecisionOptions& options) {
    const Precision& precision = choice.precision;
    QVERIFY(compute_support(device, precision.compute) != DtypeSupport::none);
    QVERIFY(can_store(device, precision.storage));
    QCOMPARE(precision.device.str(), device_id(device));
    QVERIFY(!choice.attention.empty());
    QVERIFY(!choice.reason.empty() && choice.reason.find('\n') == std::string::npos);
    if (name == "image_encoder") QCOMPARE(precision.compute, at::kFloat);
    if (choice.requested == DtypeChoice::automatic && device.kind == DeviceKind::cpu)
        QCOMPARE(precision.compute, at::kFloat);
    if (const auto asked = dtype_of(choice.requested)) {
        const bool is_said = choice.reason.find(dtype_name(*asked)) != std::string::npos;
        QVERIFY2(is_said, choice.reason.c_str());
        QVERIFY(precision.compute == *asked || compute_support(device, *asked) == DtypeSupport::none);
    }
    const bool has_float8 = precision.storage == at::kFloat8_e4m3fn;
    QVERIFY(!has_float8 || (options.storage == DtypeChoice::fp8 && is_denoiser(name)));
}

}  // namespace

class TestComputePolicy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void automatic_choice_follows_the_device_and_the_card_data() {
        QTest::addColumn<int>("row");
        const auto rows = device_rows();
        for (int i = 0; i < static_cast<int>(rows.size()); ++i) QTest::newRow(rows[i].name) << i;
    }
    void automatic_choice_follows_the_device_and_the_card() {
        QFETCH(int, row);
        const DeviceRow expected = device_rows().at(row);
        const StoredDtypes stored = {{"text_encoder", at::kBFloat16},
                                     {"image_encoder", at::kHalf},
                                     {"transformer", at::kBFloat16},
                                     {"vae", at::kBFloat16}};
        const auto unsafe = resolve_compute_policy({}, stored, expected.device, card("bfloat16", false, "bfloat16"));
        QCOMPARE(summary(unsafe.at("text_encoder")), std::string(expected.text_encoder));
        QCOMPARE(summary(unsafe.at("transformer")), std::string(expected.denoiser));
        QCOMPARE(summary(unsafe.at("vae")), std::string(expected.bf16_vae));
        QCOMPARE(summary(unsafe.at("image_encoder")), std::string("float32/float32"));
        const auto safe = resolve_compute_policy({}, stored, expected.device, card("float16", true, "float32"));
        QCOMPARE(summary(safe.at("transformer")), std::string(expected.safe_denoiser));
        QCOMPARE(summary(safe.at("vae")), std::string("float32/float32"));
    }

    void every_request_on_every_device_with_every_card_and_file_gets_a_choice_that_can_run() {
        int choices = 0;
        for (const DeviceRow& row : device_rows()) {
            for (const CardRow& family : card_rows()) {
                for (const auto& stored : stored_rows()) {
                    for (const DtypeChoice dtype :
                         {DtypeChoice::automatic, DtypeChoice::fp32, DtypeChoice::bf16, DtypeChoice::fp16}) {
                        for (const DtypeChoice storage : {DtypeChoice::automatic, DtypeChoice::fp32, DtypeChoice::bf16,
                                                          DtypeChoice::fp16, DtypeChoice::fp8}) {
                            const PrecisionOptions options{
                                .dtype = dtype, .storage = storage, .text_encoder_dtype = dtype, .vae_dtype = dtype};
                            const auto policy = resolve_compute_policy(options, stored_as(family.components, stored),
                                                                       row.device, family.card);
                            for (const auto& [name, choice] : policy.components) {
                                check_choice(name, choice, row.device, options);
                                if (QTest::currentTestFailed())
                                    qFatal("%s %s %s", row.name, family.name, to_string(dtype).c_str());
                                ++choices;
                            }
                        }
                    }
                }
            }
        }
        QVERIFY(choices > 20'000);
    }

    void an_unsupported_request_is_an_error_if_the_device_was_named_too_data() {
        QTest::addColumn<int>("row");
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<QString>("storage");
        QTest::addColumn<bool>("possible");
        const auto rows = device_rows();
        const auto row_of = [&](const std::string& name) {
            return static_cast<int>(std::ranges::find_if(rows, [&](const auto& row) { return row.name == name; }) -
                                    rows.begin());
        };
        QTest::newRow("bf16 on macOS 13") << row_of("macOS 13") << "bf16"
                                          << "auto" << false;
        QTest::newRow("bf16 on sm_75") << row_of("sm_75 RTX 20") << "bf16"
                                       << "auto" << false;
        QTest::newRow("fp8 storage on macOS 14") << row_of("macOS 14") << "auto"
                                                 << "fp8" << false;
        QTest::newRow("fp8 storage on sm_80") << row_of("sm_80") << "auto"
                                              << "fp8" << true;
        QTest::newRow("fp16 on sm_61") << row_of("sm_61") << "fp16"
                                       << "auto" << true;
        QTest::newRow("fp16 on a CPU") << row_of("AVX2") << "fp16"
                                       << "auto" << true;
        QTest::newRow("bf16 on a CPU") << row_of("AMX") << "bf16"
                                       << "auto" << true;
    }
    void an_unsupported_request_is_an_error_if_the_device_was_named_too() {
        QFETCH(int, row);
        QFETCH(QString, dtype);
        QFETCH(QString, storage);
        QFETCH(bool, possible);
        const DeviceCapability device = device_rows().at(row).device;
        PrecisionOptions options{.dtype = choice_of(dtype), .storage = choice_of(storage)};
        const StoredDtypes stored = {{"transformer", at::kBFloat16}};
        const auto choice = resolve_compute_policy(options, stored, device).components.at("transformer");
        QCOMPARE(choice.reason.find("instead of") == std::string::npos, possible);
        options.device = device_id(device);
        try {
            resolve_compute_policy(options, stored, device);
            QVERIFY(possible);
        } catch (const Error& error) {
            QVERIFY(!possible);
            QCOMPARE(error.code(), ErrorCode::unsupported);
            QVERIFY(error.message().find(device_id(device)) != std::string::npos);
        }
    }

    void float8_is_storage_only_without_native_products() {
        const auto reason_on = [](const DeviceCapability& device) {
            const StoredDtypes stored = {{"transformer", at::kFloat8_e4m3fn}};
            return resolve_compute_policy({.storage = DtypeChoice::fp8}, stored, device)
                .components.at("transformer")
                .reason;
        };
        QVERIFY(reason_on(cuda_device(8, 0)).find("storage only") != std::string::npos);
        QVERIFY(reason_on(cuda_device(8, 9)).find("storage only") == std::string::npos);
    }

    void int8_is_multiplied_on_supported_devices() {
        const auto choice = [](const DeviceCapability& device) {
            return resolve_compute_policy({.storage = DtypeChoice::int8},
                                          {{"transformer", at::kBFloat16}, {"vae", at::kFloat}}, device)
                .components;
        };
        const auto cpu = choice(cpu_device());
        QCOMPARE(cpu.at("transformer").precision.storage, at::kChar);
        QCOMPARE(cpu.at("transformer").precision.compute, at::kFloat);
        QVERIFY(cpu.at("transformer").reason.find("multiply int8") != std::string::npos);
        QCOMPARE(cpu.at("vae").precision.storage, at::kFloat);
        QVERIFY(choice(cuda_device(8, 6)).at("transformer").reason.find("storage only") != std::string::npos);
        QVERIFY(choice(mps_device(14)).at("transformer").precision.storage != at::kChar);
    }

    void quantized_files_keep_their_format_unless_requested_otherwise() {
        const auto kept = [](const DeviceCapability& device, DtypeChoice storage, Dtype stored) {
            const auto policy = resolve_compute_policy({.storage = storage}, {{"transformer", stored}}, device);
            return policy.at("transformer").quantized == QuantizedWeights::keep;
        };
        QVERIFY(kept(cuda_device(8, 6), DtypeChoice::automatic, at::kFloat8_e4m3fn));
        QVERIFY(kept(cuda_device(7, 5), DtypeChoice::automatic, at::kByte));
        QVERIFY(!kept(cuda_device(8, 6), DtypeChoice::bf16, at::kFloat8_e4m3fn));
        QVERIFY(!kept(cuda_device(8, 6), DtypeChoice::automatic, at::kBFloat16));
        QVERIFY(kept(cpu_device(), DtypeChoice::automatic, at::kFloat8_e4m3fn));
        QVERIFY(!kept(cpu_device(), DtypeChoice::fp32, at::kFloat8_e4m3fn));
        QVERIFY(kept(cpu_device(), DtypeChoice::gguf, at::kByte));
        QVERIFY(!kept(mps_device(14), DtypeChoice::automatic, at::kFloat8_e4m3fn));
        QVERIFY(kept(mps_device(14), DtypeChoice::automatic, at::kByte));
    }

    void keeping_missing_gguf_blocks_is_reported() {
        const auto reason = [](Dtype stored) {
            return resolve_compute_policy({.storage = DtypeChoice::gguf},
                                          {{"transformer", stored}, {"vae", at::kFloat}}, cpu_device())
                .components;
        };
        QVERIFY(reason(at::kFloat).at("transformer").reason.find("has no GGUF blocks") != std::string::npos);
        QVERIFY(reason(at::kFloat).at("vae").reason.find("no GGUF blocks") == std::string::npos);
        QVERIFY(reason(at::kByte).at("transformer").reason.find("no GGUF blocks") == std::string::npos);
    }

    void packed_weights_are_named_by_their_packing() {
        const StoredDtypes stored = {{"transformer", {at::kByte, "gguf q4_k"}}, {"vae", at::kHalf}};
        const auto rows = summarize(resolve_compute_policy({}, stored, cuda_device(8, 6)), stored, "float32");
        QCOMPARE(rows.at(0).stored, std::string("gguf q4_k"));
        QCOMPARE(rows.at(0).storage, std::string("gguf q4_k"));
        QCOMPARE(rows.at(1).stored, std::string("float16"));
    }

    void compact_weights_never_overflow() {
        const auto storage_of = [](Dtype stored, const ModelCard& model) {
            return resolve_compute_policy({}, {{"transformer", stored}}, cuda_device(6, 1), model)
                .at("transformer")
                .storage;
        };
        const ModelCard bf16_trained = card("bfloat16", false, "float32");
        QCOMPARE(storage_of(at::kBFloat16, bf16_trained), at::kBFloat16);
        QCOMPARE(storage_of(at::kHalf, bf16_trained), at::kHalf);
        QCOMPARE(storage_of(at::kFloat, bf16_trained), at::kBFloat16);
        QCOMPARE(storage_of(at::kFloat8_e4m3fn, bf16_trained), at::kBFloat16);
        QCOMPARE(storage_of(at::kFloat, card("float16", false, "float32")), at::kHalf);
    }

    void scaled_operands_replace_float32_only_where_they_are_needed_data() {
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("capability");
        QTest::addColumn<bool>("is_safe");
        QTest::addColumn<QString>("compute");
        QTest::newRow("T4") << "auto"
                            << "Tesla T4" << 75 << false << "float16 scaled";
        QTest::newRow("T4, safe model") << "auto"
                                        << "Tesla T4" << 75 << true << "float16";
        QTest::newRow("T4, requested float16") << "fp16"
                                               << "Tesla T4" << 75 << false << "float16";
        QTest::newRow("T4, requested float32") << "fp32"
                                               << "Tesla T4" << 75 << false << "float32";
        QTest::newRow("GTX 1660") << "auto"
                                  << "NVIDIA GeForce GTX 1660" << 75 << false << "float32";
        QTest::newRow("GTX 1080") << "auto"
                                  << "NVIDIA GeForce GTX 1080" << 61 << false << "float32";
        QTest::newRow("A10") << "auto"
                             << "NVIDIA A10" << 86 << false << "bfloat16";
    }
    void scaled_operands_replace_float32_only_where_they_are_needed() {
        QFETCH(QString, dtype);
        QFETCH(QString, name);
        QFETCH(int, capability);
        QFETCH(bool, is_safe);
        QFETCH(QString, compute);
        const StoredDtypes stored = {{"text_encoder", at::kBFloat16}, {"transformer", at::kBFloat16}};
        const auto device = cuda_device(capability / 10, capability % 10, name.toStdString());
        const auto policy =
            resolve_compute_policy({.dtype = choice_of(dtype)}, stored, device, card("bfloat16", is_safe, "float32"));
        const PolicySummary rows = summarize(policy, stored, "float32");
        QCOMPARE(QString::fromStdString(rows.at(1).compute), compute);
        QCOMPARE(policy.at("text_encoder").level, PrecisionLevel::planned);
    }

    void attention_has_the_kernel_of_its_device_data() {
        QTest::addColumn<int>("row");
        QTest::addColumn<QString>("attention");
        const auto rows = device_rows();
        const auto add = [&](const std::string& name, const char* attention) {
            const auto found = std::ranges::find_if(rows, [&](const auto& row) { return row.name == name; });
            QTest::newRow(name.c_str()) << static_cast<int>(found - rows.begin()) << attention;
        };
        add("sm_75 RTX 20", "memory-efficient");
        add("sm_80", "flash");
        add("macOS 14", "scaled_dot_product (MPS)");
        add("AVX2", "flash (CPU)");
    }
    void attention_has_the_kernel_of_its_device() {
        QFETCH(int, row);
        QFETCH(QString, attention);
        const auto policy = resolve_compute_policy({.dtype = DtypeChoice::fp16}, {{"transformer", at::kHalf}},
                                                   device_rows().at(row).device);
        QCOMPARE(QString::fromStdString(policy.components.at("transformer").attention), attention);
    }

    void drawbacks_of_a_requested_dtype_are_said_data() {
        QTest::addColumn<int>("row");
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<bool>("is_safe");
        QTest::addColumn<QString>("words");
        const auto rows = device_rows();
        const auto add = [&](const char* name, const std::string& device, const char* dtype, bool is_safe,
                             const char* words) {
            const auto found = std::ranges::find_if(rows, [&](const auto& row) { return row.name == device; });
            QTest::newRow(name) << static_cast<int>(found - rows.begin()) << dtype << is_safe << words;
        };
        add("safe", "sm_86", "fp16", true, "");
        add("bfloat16 cannot overflow", "sm_86", "bf16", false, "");
        add("may overflow", "sm_86", "fp16", false, "this model can overflow in it");
        add("emulated", "sm_61", "fp16", true, "only emulates it and is slow");
        add("emulated bfloat16", "AVX2", "bf16", true, "only emulates it and is slow");
        add("native bfloat16", "AVX512_BF16", "bf16", true, "");
        add("without tensor cores", "sm_75 GTX 16", "fp16", true, "known to produce NaN");
    }
    void drawbacks_of_a_requested_dtype_are_said() {
        QFETCH(int, row);
        QFETCH(QString, dtype);
        QFETCH(bool, is_safe);
        QFETCH(QString, words);
        const auto policy = resolve_compute_policy({.dtype = choice_of(dtype)}, {{"transformer", at::kHalf}},
                                                   device_rows().at(row).device, card("bfloat16", is_safe, "float32"));
        const auto reason = QString::fromStdString(policy.components.at("transformer").reason);
        QCOMPARE(reason.contains("although"), !words.isEmpty());
        QVERIFY2(reason.contains(words), qPrintable(reason));
    }

    void cards_without_tensor_cores_are_recognized_by_name() {
        for (const char* name : {"NVIDIA GeForce GTX 1650", "NVIDIA GeForce GTX 1660 Ti", "NVIDIA GeForce MX450",
                                 "NVIDIA T600 Laptop GPU", "Quadro T2000 with Max-Q Design"})
            QVERIFY2(is_turing_without_tensor_cores(cuda_device(7, 5, name)), name);
        for (const char* name : {"NVIDIA GeForce RTX 2060", "Tesla T4", "Quadro RTX 6000"})
            QVERIFY2(!is_turing_without_tensor_cores(cuda_device(7, 5, name)), name);
    }

    void a_named_component_stays_float32() {
        ModelCard model;
        model.float32_names = {"text_encoder_2"};
        const StoredDtypes stored = {{"text_encoder", at::kHalf}, {"text_encoder_2", at::kHalf}};
        const auto policy = resolve_compute_policy({}, stored, cuda_device(9, 0), model);
        QCOMPARE(summary(policy.at("text_encoder")), std::string("bfloat16/bfloat16"));
        QCOMPARE(summary(policy.at("text_encoder_2")), std::string("float32/float32"));
    }

    void storage_may_differ_from_compute() {
        const StoredDtypes stored = {{"transformer", at::kBFloat16}, {"vae", at::kFloat}};
        const auto policy =
            resolve_compute_policy({.dtype = DtypeChoice::fp32, .storage = DtypeChoice::fp16}, stored, cpu_device());
        QCOMPARE(summary(policy.at("transformer")), std::string("float16/float32"));
        QCOMPARE(summary(policy.at("vae")), std::string("float32/float32"));
    }

    void requested_float16_applies_to_the_vae_too() {
        const StoredDtypes stored = {{"transformer", at::kHalf}, {"vae", at::kFloat}, {"text_encoder", at::kHalf}};
        const auto vae = [&](const PrecisionOptions& options) {
            return summary(resolve_compute_policy(options, stored, cuda_device(7, 5)).at("vae"));
        };
        QCOMPARE(vae({.dtype = DtypeChoice::fp16}), std::string("float16/float16"));
        QCOMPARE(vae({.dtype = DtypeChoice::fp16, .vae_dtype = DtypeChoice::fp32}), std::string("float32/float32"));
        QCOMPARE(vae({.dtype = DtypeChoice::bf16}), std::string("float32/float32"));
        QCOMPARE(vae({}), std::string("float32/float32"));
    }

    void fast_paths_of_the_device_are_planned_data() {
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<QString>("vae_dtype");
        QTest::addColumn<bool>("has_paths");
        QTest::addColumn<bool>("is_tf32");
        QTest::addColumn<QString>("attention");
        const auto add = [](const char* name, const char* dtype, const char* vae_dtype, bool has_paths, bool is_tf32,
                            const char* attention) {
            QTest::newRow(name) << QString(dtype) << QString(vae_dtype) << has_paths << is_tf32 << QString(attention);
        };
        add("automatic", "auto", "auto", true, true, "cuDNN");
        add("neither passed the canary", "auto", "auto", false, false, "flash");
        add("float16", "fp16", "auto", true, false, "cuDNN");  // also the VAE
        add("requested float32", "fp32", "auto", true, false, "memory-efficient");
        add("requested float32 for the VAE", "bf16", "fp32", true, false, "cuDNN");
    }
    void fast_paths_of_the_device_are_planned() {
        QFETCH(QString, dtype);
        QFETCH(QString, vae_dtype);
        QFETCH(bool, has_paths);
        QFETCH(bool, is_tf32);
        QFETCH(QString, attention);
        DeviceCapability device = cuda_device(9, 0);
        if (has_paths) device.fast_paths = {FastPath::cudnn_attention, FastPath::tf32_convolution};
        const StoredDtypes stored = {{"transformer", at::kBFloat16}, {"vae", at::kFloat}};
        const PrecisionOptions options{.dtype = choice_of(dtype), .vae_dtype = choice_of(vae_dtype)};
        const auto policy = resolve_compute_policy(options, stored, device, card("bfloat16", false, "float32"));
        QCOMPARE(policy.at("vae").convolutions, is_tf32 ? Float32Convolutions::tf32 : Float32Convolutions::exact);
        QCOMPARE(policy.at("transformer").convolutions, Float32Convolutions::exact);
        QCOMPARE(QString::fromStdString(policy.components.at("transformer").attention), attention);
    }

    void this_machine_has_a_cpu_with_memory_and_cores() {
        const DeviceCapability device = query_cpu();
        QVERIFY(device.physical_cores >= 1);
        QCOMPARE(num_cpu_threads(0, Reproducibility::off), device.physical_cores);
        QCOMPARE(num_cpu_threads(0, Reproducibility::on), machine_cores());
        for (const Reproducibility reproducible : {Reproducibility::off, Reproducibility::on})
            QCOMPARE(num_cpu_threads(3, reproducible), 3);
        QVERIFY(device.memory_total_bytes > 0);
        QVERIFY(device.memory_free_bytes > 0 && device.memory_free_bytes <= device.memory_total_bytes);
        QCOMPARE(device_id(device), std::string("cpu"));
    }

    void summary_has_a_row_and_a_reason_for_each_component() {
        const StoredDtypes stored = {{"text_encoder", at::kBFloat16}, {"transformer", at::kHalf}, {"vae", at::kFloat}};
        const PolicySummary rows = summarize(resolve_compute_policy({}, stored, cpu_device()), stored, "float32");
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows[1].stored, std::string("float16"));
        QCOMPARE(rows[1].compute, std::string("float32"));
        for (const auto& row : rows) QVERIFY(!row.reason.empty());
    }
};

QTEST_GUILESS_MAIN(TestComputePolicy)
#include "test_compute_policy.moc"
