#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <set>

#include "core/base/json.h"
#include "core/device/backend.h"
#include "core/device/dtype.h"
#include "core/jobs/prepare.h"
#include "core/weights/formats/safetensors_reader.h"
#include "core/weights/formats/safetensors_writer.h"
#include "tests/support/float16_safe.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;
namespace fs = std::filesystem;

namespace {

/// A folder in tests/data with request.json and a complete tiny model, and the smallest size that the model supports.
/// Each new family needs a row.
struct Case {
    const char* name;
    int width;
    int height;
    int num_frames;
};
constexpr std::array kCases = {Case{"wan_t2v", 32, 16, 5},
                               Case{"wan_variants/i2v", 32, 16, 5},
                               Case{"wan_variants/a14b_i2v", 32, 16, 5},
                               Case{"wan_variants/ti2v_i2v", 32, 32, 5},
                               Case{"cogvideox/t2v", 32, 16, 9},
                               Case{"stepvideo_t2v", 32, 16, 17},
                               Case{"svd", 32, 24, 2},
                               Case{"ltx/t2v", 32, 32, 9},
                               Case{"ltx/condition", 32, 32, 17}};

/// The dtypes in which a model's files store their tensors.
struct Stored {
    const char* name;
    std::vector<Dtype> dtypes;  ///< used in turn, so that a layer contains several dtypes
};

const std::vector<Stored>& stored_rows() {
    static const std::vector<Stored> rows = {{"fp32", {at::kFloat}},
                                             {"fp16", {at::kHalf}},
                                             {"bf16", {at::kBFloat16}},
                                             {"fp8", {at::kFloat8_e4m3fn}},
                                             {"mixed", {at::kFloat, at::kHalf, at::kBFloat16, at::kFloat8_e4m3fn}}};
    return rows;
}

/// Maximum deviation of a tensor from float32, relative to its root mean square: about twice the largest deviation
/// measured over all families and stored dtypes. Frames contain the rounding errors of all components.
struct Limit {
    const char* tensor;
    double float16;
    double bfloat16;
    double int8;  ///< int8 weights in the blocks of the denoiser
};
constexpr std::array kLimits = {Limit{"prompt_embeds", 3e-3, 2.2e-2, 1e-5}, Limit{"image_embeds", 1.5e-3, 1e-2, 1e-5},
                                Limit{"noise_pred", 7e-3, 5e-2, 4e-2}, Limit{"latents", 4e-3, 3.2e-2, 4e-2},
                                Limit{"frames", 4e-3, 4e-2, 3.7e-2}};
/// Tolerance for weights that stay as stored: their values are the same, and only the order of summation may differ.
constexpr double kSameNumbers = 1e-5;

double limit_of(const std::string& tensor, Dtype compute) {
    if (compute == at::kFloat) return kSameNumbers;
    const auto found = std::ranges::find_if(kLimits, [&](const Limit& limit) { return limit.tensor == tensor; });
    if (found == kLimits.end()) return 0;
    if (compute == at::kChar) return found->int8;
    return compute == at::kHalf ? found->float16 : found->bfloat16;
}

/// Converts a tensor. Only weights of linear layers become float8.
Tensor as(const Tensor& tensor, Dtype dtype) {
    return c10::isFloat8Type(dtype) && tensor.dim() != 2 ? tensor : tensor.to(dtype);
}

void convert(const fs::path& file, const std::vector<Dtype>& dtypes) {
    std::map<std::string, Tensor> tensors;
    const SafetensorsReader reader(file);  // may be one of several shards
    std::size_t number = 0;
    for (const TensorEntry& entry : reader.entries()) {
        const Tensor tensor = reader.read(entry.name).clone();
        tensors[entry.name] = tensor.is_floating_point() ? as(tensor, dtypes[number++ % dtypes.size()]) : tensor;
    }
    write_safetensors(file, tensors, reader.metadata());
}

/// Copies a model or a component and converts the stored dtypes of its weights.
fs::path stored_copy(const fs::path& model, const fs::path& copy, const Stored& stored) {
    fs::create_directories(copy.parent_path());
    fs::copy(model, copy, fs::copy_options::recursive);
    for (const auto& entry : fs::recursive_directory_iterator(copy))
        if (entry.path().extension() == ".safetensors") convert(entry.path(), stored.dtypes);
    return copy;
}

/// Maximum prompt length. Short prompts save time, and dtypes do not depend on the number of tokens.
constexpr int kMaxTokens = 24;
/// Maximum guidance scale, because guidance amplifies rounding errors. Step-Video's default is 9.
constexpr double kMaxGuidance = 3;

VideoRequest short_request(const Case& from) {
    const fs::path case_dir = test_data(from.name);
    VideoRequest request = parse_request(read_json(case_dir / "request.json").dump(), case_dir);
    request.width = from.width;
    request.height = from.height;
    request.num_frames = from.num_frames;
    request.device = "cpu";
    request.num_inference_steps = 1;
    request.max_sequence_length = std::min(request.max_sequence_length.value_or(kMaxTokens), kMaxTokens);
    request.guidance_scale = std::min(request.guidance_scale.value_or(kMaxGuidance), kMaxGuidance);
    request.guard = GuardMode::observe;  // healing would hide overflows
    request.output = {};
    return request;
}

class KeepingObserver final : public TensorObserver {
public:
    void on_conditioning(const Conditioning& conditioning) override {
        if (conditioning.prompt_embeds.defined()) values["prompt_embeds"] = conditioning.prompt_embeds.clone();
        if (conditioning.image_embeds.defined()) values["image_embeds"] = conditioning.image_embeds.clone();
    }
    void on_noise_pred(int step, const Tensor& value) override {
        if (step == 0) values["noise_pred"] = value.clone();
    }
    void on_final_latents(const Tensor& value) override { values["latents"] = value.clone(); }
    void on_frames(const Tensor& value) override { frames_.push_back(value.clone()); }
    std::map<std::string, Tensor> take() {
        values["frames"] = at::cat(frames_);
        return std::move(values);
    }

    std::map<std::string, Tensor> values;

private:
    std::vector<Tensor> frames_;
};

/// The dtypes of a component in memory and for computing.
struct Dtypes {
    Dtype storage = at::kFloat;
    Dtype compute = at::kFloat;
    QuantizedWeights quantized = QuantizedWeights::upcast;
};

std::map<std::string, Tensor> run(const VideoRequest& request, const Dtypes& dtypes) {
    PreparedRun job = prepare_job(request, {.resources_dir = {}, .devices = known_devices()});
    for (auto& [name, choice] : job.policy.components) {
        choice.precision.storage = dtypes.storage;
        choice.precision.compute = dtypes.compute;
        choice.precision.quantized = dtypes.quantized;
    }
    KeepingObserver observer;
    run_video(
        job, [](const RunEvent&) {}, CancellationToken(), observer);
    return observer.take();
}

/// Returns the root mean square of the error relative to that of the reference. A single outlier hardly affects it.
double relative_rms(const Tensor& value, const Tensor& reference) {
    if (value.sizes() != reference.sizes()) return INFINITY;
    const Tensor error = value.to(at::kDouble) - reference.to(at::kDouble);
    return error.pow(2).mean().sqrt().item<double>() / reference.to(at::kDouble).pow(2).mean().sqrt().item<double>();
}

}  // namespace

/// Runs every family with every combination of stored, in-memory and compute dtypes, because no module may rely on the
/// dtype that another one returns.
class TestDtypeDryRun : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        set_cpu_threads(1);  // more threads do not help with tiny tensors
    }

    void every_family_is_covered() {
        std::set<std::string> covered;
        for (const Case& from : kCases) {
            const VideoRequest request = short_request(from);
            covered.insert(identify_model(request.model, {}, request.components).family->name());
        }
        for (const ModelFamily* family : model_families())
            QVERIFY2(covered.contains(family->name()), family->name().c_str());
    }

    void every_combination_is_close_to_float32_data() {
        QTest::addColumn<int>("number");
        QTest::addColumn<int>("stored");
        QTest::addColumn<int>("compute");
        for (int number = 0; number < static_cast<int>(kCases.size()); ++number)
            for (int stored = 0; stored < static_cast<int>(stored_rows().size()); ++stored)
                for (const Dtype compute : {at::kFloat, at::kHalf, at::kBFloat16})
                    QTest::addRow("%s stored %s computed %s", kCases[number].name, stored_rows()[stored].name,
                                  dtype_name(compute).c_str())
                        << number << stored << static_cast<int>(compute);
    }
    void every_combination_is_close_to_float32() {
        QFETCH(int, number);
        QFETCH(int, stored);
        QFETCH(int, compute);
        const VideoRequest request = request_of(kCases[number], stored);
        const auto dtype = static_cast<Dtype>(compute);
        // 16-bit weights stay as in the file. float32 becomes the compute dtype. float8 stays as stored in layers that
        // keep quantized weights.
        const Dtype file = stored_rows()[stored].dtypes.front();
        const Dtype storage = file == at::kFloat || c10::isFloat8Type(file) ? dtype : file;
        check(run(request, {storage, dtype, QuantizedWeights::keep}), reference_of({number, stored}, request), dtype);
    }

    void int8_is_close_to_float32_data() {
        QTest::addColumn<int>("number");
        for (int number = 0; number < static_cast<int>(kCases.size()); ++number)
            QTest::newRow(kCases[number].name) << number;
    }
    void int8_is_close_to_float32() {
        QFETCH(int, number);
        constexpr int kFloat32File = 0;
        const VideoRequest request = request_of(kCases[number], kFloat32File);
        check(run(request, {.storage = at::kChar}), reference_of({number, kFloat32File}, request), at::kChar);
    }

    void gguf_is_close_to_float32_data() {
        QTest::addColumn<int>("compute");
        for (const Dtype compute : {at::kFloat, at::kHalf, at::kBFloat16})
            QTest::newRow(dtype_name(compute).c_str()) << static_cast<int>(compute);
    }
    void gguf_is_close_to_float32() {
        QFETCH(int, compute);
        VideoRequest request = short_request(kCases.front());
        request.components.emplace_back("transformer", test_data("weights/wan_t2v_q8_0.gguf"));
        const auto dtype = static_cast<Dtype>(compute);
        check(run(request, {dtype, dtype, QuantizedWeights::keep}), reference_of(kGguf, request), dtype);
    }

private:
    static void check(const std::map<std::string, Tensor>& values, const std::map<std::string, Tensor>& reference,
                      Dtype compute) {
        QVERIFY(values.contains("noise_pred") && values.contains("latents") && values.contains("frames"));
        for (const auto& [tensor, value] : values) {
            QVERIFY2(testing::all_finite(value), tensor.c_str());
            const double distance = relative_rms(value, reference.at(tensor));
            const std::string words = tensor + ": " + std::to_string(distance) + " from float32";
            qInfo("%s", words.c_str());
            QVERIFY2(distance <= limit_of(tensor, compute), words.c_str());
        }
    }

    /// Returns the request of a case with converted model files, which are written on first use.
    VideoRequest request_of(const Case& from, int stored) {
        VideoRequest request = short_request(from);
        const fs::path folder = fs::path(folder_.path().toStdString()) / from.name / stored_rows()[stored].name;
        const fs::path safe = fs::path(folder_.path().toStdString()) / from.name / "float16_safe";
        const auto convert_once = [&](const fs::path& part, const std::string& part_name) {
            const fs::path copy = folder / part_name;
            if (fs::exists(copy)) return copy;
            return stored_copy(float16_safe_model(part, safe / part_name), copy, stored_rows()[stored]);
        };
        request.model = convert_once(request.model, "model").string();
        for (auto& [component, path] : request.components) path = convert_once(path, component);
        return request;
    }

    /// Indices in kCases and stored_rows().
    using Files = std::pair<int, int>;
    static constexpr Files kGguf{-1, 0};

    /// Returns the result of the same files in float32.
    const std::map<std::string, Tensor>& reference_of(const Files& files, const VideoRequest& request) {
        auto& reference = references_[files];
        if (reference.empty()) reference = run(request, {});
        return reference;
    }

    std::map<Files, std::map<std::string, Tensor>> references_;
    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(TestDtypeDryRun)
#include "test_dtype_dry_run.moc"
