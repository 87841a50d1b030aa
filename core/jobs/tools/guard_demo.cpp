#include "core/jobs/tools/guard_demo.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/base/temporary_folder.h"
#include "core/weights/checkpoint_reader.h"
#include "core/weights/formats/safetensors_writer.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

constexpr const char* kDenoiser = "transformer";
constexpr std::int64_t kSeed = 7;
/// Half of the largest float16 value, so that the scaled weights themselves stay in range.
constexpr double kLargestWeight = 32752;

using Tensors = std::map<std::string, Tensor>;

std::string query_of(int block) {
    return "blocks." + std::to_string(block) + ".attn1.to_q";
}

/// Returns the name of the layer that computes the queries of the middle block.
std::string middle_query(const Tensors& tensors) {
    int blocks = 0;
    while (tensors.contains(query_of(blocks) + ".weight")) ++blocks;
    if (blocks == 0)
        throw Error(ErrorCode::unsupported, "the built-in model has no attention layer '" + query_of(0) + "'");
    return query_of(blocks / 2);
}

Tensors read_all(const CheckpointReader& weights) {
    Tensors tensors;
    for (const TensorEntry& entry : weights.entries()) tensors[entry.name] = weights.read(entry.name);
    return tensors;
}

struct ScaledOp {
    std::string name;
    int exponent = 0;
};

/// Multiplies the parameters of an op by the largest power of two for which they stay in range. This is exact in every
/// dtype.
ScaledOp scale_up(Tensors& tensors) {
    const std::string op = middle_query(tensors);
    double largest = 0;
    std::vector<Tensor*> parameters;
    for (const char* part : {".weight", ".bias"}) {
        const auto found = tensors.find(op + part);
        if (found == tensors.end()) continue;
        parameters.push_back(&found->second);
        largest = std::max(largest, found->second.abs().max().item<double>());
    }
    const int exponent = largest > 0 ? static_cast<int>(std::floor(std::log2(kLargestWeight / largest))) : 0;
    for (Tensor* parameter : parameters)
        *parameter = (parameter->to(at::kFloat) * std::exp2(exponent)).to(parameter->scalar_type());
    return {op, exponent};
}

VideoRequest request_of(GuardDemoRun run, const ModelCard& card, const fs::path& denoiser) {
    VideoRequest request;
    request.components = {{kDenoiser, denoiser}};
    if (!card.example_prompts.empty()) request.prompt = card.example_prompts.front();
    request.seed = kSeed;
    request.device = "cpu";
    request.dtype = run == GuardDemoRun::reference ? DtypeChoice::fp32 : DtypeChoice::fp16;
    request.vae_dtype = DtypeChoice::fp32;
    request.guard = run == GuardDemoRun::unguarded ? GuardMode::observe : GuardMode::heal;
    request.overrides = std::vector<OverrideRequest>();
    return request;
}

/// Collects the data of the result from the events of the run.
class Recorder {
public:
    Recorder(GuardDemoResult& result, std::string op) : result_(result), op_(std::move(op)) {}

    void on_event(const RunEvent& event) {
        if (const auto* ready = std::get_if<NumericsReady>(&event)) keep(*ready);
        if (const auto* acted = std::get_if<GuardActed>(&event)) result_.actions.push_back(*acted);
        if (const auto* preview = std::get_if<PreviewReady>(&event); preview && preview->kind == PreviewKind::decoded)
            result_.frames.insert(result_.frames.end(), preview->frames.begin(), preview->frames.end());
    }

private:
    void keep(const NumericsReady& ready) {
        std::ranges::copy_if(ready.samples, std::back_inserter(result_.samples), [this](const NumericSample& sample) {
            return sample.phase == Phase::denoise && sample.component == kDenoiser && sample.site == op_;
        });
    }

    GuardDemoResult& result_;
    const std::string op_;
};

}  // namespace

GuardDemoResult run_guard_demo(GuardDemoRun run, const PrepareOptions& options, const CancellationToken& stop) {
    const IdentifiedModel builtin = identify_model(kBuiltinModel, options.resources_dir);
    Tensors tensors = read_all(*builtin.files.open_weights(kDenoiser));
    const ScaledOp scaled = scale_up(tensors);
    const TemporaryFolder folder("guard-demo");
    const fs::path denoiser = folder.path() / "overflowing.safetensors";
    write_safetensors(denoiser, tensors);

    PreparedRun job = prepare_job(request_of(run, builtin.card, denoiser), options);
    job.monitoring = Monitoring::every_op;
    GuardDemoResult result{.prompt = job.request.content.prompt,
                           .site = std::string(kDenoiser) + "." + scaled.name,
                           .exponent = scaled.exponent,
                           .num_steps = steps_to_run(job.request.sampling),
                           .fps = job.request.content.fps};
    Recorder recorder(result, scaled.name);
    TensorObserver none;
    const Stopwatch watch;
    try {
        run_video(
            job, [&](const RunEvent& event) { recorder.on_event(event); }, stop, none);
    } catch (const Error& error) {
        result.error = error;
        result.frames.clear();
    }
    result.seconds = watch.seconds();
    return result;
}

}  // namespace kinescope
