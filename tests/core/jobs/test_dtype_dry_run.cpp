#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <set>

#include "core/base/json.h"
#include "core/device/backend.h"
#include "core/device/dtype.h"
#include "core/jobs/prepare.h"
#include "core/weights/safetensors_writer.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;
namespace fs = std::filesystem;

namespace {

/// A case below tests/data with a request.json and the whole tiny model that it names. A new family joins by a line.
constexpr std::array kCases = {"wan_t2v",       "wan_variants/i2v", "wan_variants/a14b_i2v",
                               "cogvideox/t2v", "stepvideo_t2v",    "svd"};

/// How a model's files store their tensors.
struct Stored {
    const char* name;
    std::vector<Dtype> dtypes;  ///< taken in turn, so that several are mixed within a layer
};

const std::vector<Stored>& stored_rows() {
    static const std::vector<Stored> rows = {{"fp32", {at::kFloat}},
                                             {"fp16", {at::kHalf}},
                                             {"bf16", {at::kBFloat16}},
                                             {"fp8", {at::kFloat8_e4m3fn}},
                                             {"mixed", {at::kFloat, at::kHalf, at::kBFloat16}}};
    return rows;
}

/// float8 is for the weights of Linear alone.
Tensor as(const Tensor& tensor, Dtype dtype) {
    return c10::isFloat8Type(dtype) && tensor.dim() != 2 ? tensor : tensor.to(dtype);
}

void convert(const fs::path& file, const std::vector<Dtype>& dtypes) {
    std::map<std::string, Tensor> tensors;
    const auto reader = open_checkpoint(file);
    std::size_t number = 0;
    for (const TensorEntry& entry : reader->entries()) {
        const Tensor tensor = reader->read(entry.name).clone();
        tensors[entry.name] = tensor.is_floating_point() ? as(tensor, dtypes[number++ % dtypes.size()]) : tensor;
    }
    write_safetensors(file, tensors, reader->metadata());
}

/// A copy of a model, or of a part of one, whose weights are stored otherwise.
fs::path stored_copy(const fs::path& model, const fs::path& copy, const Stored& stored) {
    fs::create_directories(copy.parent_path());
    fs::copy(model, copy, fs::copy_options::recursive);
    for (const auto& entry : fs::recursive_directory_iterator(copy))
        if (entry.path().extension() == ".safetensors") convert(entry.path(), stored.dtypes);
    return copy;
}

VideoRequest short_request(const fs::path& case_dir) {
    VideoRequest request = parse_request(read_json(case_dir / "request.json").dump(), case_dir);
    request.device = "cpu";
    request.num_inference_steps = 2;
    request.guard = GuardMode::observe;  // healing would hide what this test looks for
    request.output = {};
    return request;
}

class KeepingTaps final : public RunTaps {
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

struct Dtypes {
    Dtype storage = at::kFloat;
    Dtype compute = at::kFloat;
    QuantizedWeights quantized = QuantizedWeights::upcast;
};

std::map<std::string, Tensor> run(const VideoRequest& request, const Dtypes& dtypes) {
    VideoJob job = prepare_job(request, {.resources_dir = {}, .devices = known_devices()});
    for (auto& [name, choice] : job.policy.components) {
        choice.precision.storage = dtypes.storage;
        choice.precision.compute = dtypes.compute;
        choice.precision.quantized = dtypes.quantized;
    }
    KeepingTaps taps;
    run_video(
        job, [](const RunEvent&) {}, CancellationToken(), taps);
    return taps.take();
}

/// Of the root mean square, which one outlier does not decide.
double relative_rms(const Tensor& value, const Tensor& reference) {
    if (value.sizes() != reference.sizes()) return INFINITY;
    const Tensor error = value.to(at::kDouble) - reference.to(at::kDouble);
    return error.pow(2).mean().sqrt().item<double>() / reference.to(at::kDouble).pow(2).mean().sqrt().item<double>();
}

}  // namespace

/// Every family with every combination of stored dtypes, dtypes in memory and compute dtypes: no module may rely on
/// what another one returns.
class TestDtypeDryRun : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void every_family_is_here() {
        std::set<std::string> covered;
        for (const char* name : kCases) {
            const VideoRequest request = short_request(test_data(name));
            covered.insert(identify_model(request.model, {}, request.components).family->name());
        }
        for (const ModelFamily* family : model_families())
            QVERIFY2(covered.contains(family->name()), family->name().c_str());
    }

    void every_combination_runs_and_stays_finite_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("stored");
        QTest::addColumn<int>("compute");
        for (const char* name : kCases)
            for (int stored = 0; stored < static_cast<int>(stored_rows().size()); ++stored)
                for (const Dtype compute : {at::kFloat, at::kHalf, at::kBFloat16})
                    QTest::addRow("%s stored %s computed %s", name, stored_rows()[stored].name,
                                  dtype_name(compute).c_str())
                        << name << stored << static_cast<int>(compute);
    }
    void every_combination_runs_and_stays_finite() {
        QFETCH(QString, name);
        QFETCH(int, stored);
        QFETCH(int, compute);
        const auto dtype = static_cast<Dtype>(compute);
        const VideoRequest request = request_of(name, stored);
        const auto& reference = reference_of(name, stored, request);
        const Dtype file = stored_rows()[stored].dtypes.front();
        // In memory as in the file, or as it computes: a float32 file makes both the same for float32 alone.
        const Dtypes dtypes = file == at::kFloat ? Dtypes{dtype, dtype} : Dtypes{file, dtype, QuantizedWeights::keep};
        for (const auto& [tensor, value] : run(request, dtypes)) {
            QVERIFY2(is_finite(value), tensor.c_str());
            qInfo("%s: %.4f from float32", tensor.c_str(), relative_rms(value, reference.at(tensor)));
        }
    }

private:
    /// The request of a case on its parts as stored, converted on first use.
    VideoRequest request_of(const QString& name, int stored) {
        VideoRequest request = short_request(test_data(name.toStdString()));
        const fs::path folder =
            fs::path(folder_.path().toStdString()) / name.toStdString() / stored_rows()[stored].name;
        const auto convert_once = [&](const fs::path& part, const std::string& part_name) {
            const fs::path copy = folder / part_name;
            return fs::exists(copy) ? copy : stored_copy(part, copy, stored_rows()[stored]);
        };
        request.model = convert_once(request.model, "model").string();
        for (auto& [component, path] : request.components) path = convert_once(path, component);
        return request;
    }

    /// Of the same files, all in float32.
    const std::map<std::string, Tensor>& reference_of(const QString& name, int stored, const VideoRequest& request) {
        auto& reference = references_[{name, stored}];
        if (reference.empty()) reference = run(request, {});
        return reference;
    }

    std::map<std::pair<QString, int>, std::map<std::string, Tensor>> references_;
    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(TestDtypeDryRun)
#include "test_dtype_dry_run.moc"
