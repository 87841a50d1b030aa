#include "tests/faults/tiny_run.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

#include "core/api/video_request_json.h"
#include "core/base/json.h"
#include "core/device/backend.h"
#include "core/jobs/prepare.h"

namespace kinescope::faults {

namespace {

VideoRequest make_request(const std::filesystem::path& case_dir, const std::filesystem::path& model,
                          const RunSettings& settings) {
    VideoRequest request = parse_request(read_json(case_dir / "request.json").dump(), case_dir);
    request.image_fit = ImageFit::stretch;  // as in the reference
    request.model = model.string();
    request.num_inference_steps = settings.num_inference_steps;
    request.seed = settings.seed;
    request.device = "cpu";
    request.output = {};
    request.guard = settings.guard;
    const auto dtype_of = [&](const char* component) {
        return settings.component == component ? settings.dtype : DtypeChoice::fp32;
    };
    const bool is_denoiser = settings.component.starts_with("transformer") || settings.component == "unet";
    request.dtype = is_denoiser ? settings.dtype : DtypeChoice::fp32;
    request.storage = settings.storage;
    if (!settings.vae.empty()) {
        std::erase_if(request.components, [](const auto& component) { return component.first == "vae"; });
        request.components.emplace_back("vae", settings.vae);
    }
    if (!settings.gguf.empty()) request.components.emplace_back("transformer", settings.gguf);
    request.text_encoder_dtype = dtype_of("text_encoder");
    request.vae_dtype = dtype_of("vae");
    if (!settings.prompt.empty()) request.prompt = settings.prompt;
    return request;
}

class KeepFrames final : public TensorObserver {
public:
    void on_frames(const Tensor& frames) override { frames_.push_back(frames.clone()); }
    Tensor frames() const { return frames_.empty() ? Tensor() : at::cat(frames_); }

private:
    std::vector<Tensor> frames_;
};

class Collector {
public:
    explicit Collector(RunReport& report) : report_(report) {}
    void operator()(const RunEvent& event) const {
        if (const auto* act = std::get_if<GuardActed>(&event)) report_.acts.push_back(*act);
        if (const auto* numbers = std::get_if<NumericsReady>(&event))
            report_.samples.insert(report_.samples.end(), numbers->samples.begin(), numbers->samples.end());
    }

private:
    RunReport& report_;
};

}  // namespace

RunReport run_tiny(const std::filesystem::path& case_dir, const std::filesystem::path& model,
                   const RunSettings& settings) {
    RunReport report;
    KeepFrames observer;
    try {
        PreparedRun job = prepare_job(make_request(case_dir, model, settings),
                                      {.resources_dir = KINESCOPE_SOURCE_DIR "/resources", .devices = known_devices()});
        job.monitoring = settings.monitoring;
        job.memory = settings.memory;
        RunResult result = run_video(job, Collector(report), CancellationToken(), observer);
        report.status = result.status;
        report.warnings = std::move(result.warnings);
        report.frames = observer.frames();
    } catch (const Error& error) {
        report.status = RunStatus::failed;
        report.error = error;
    }
    return report;
}

double psnr_db(const Tensor& a, const Tensor& b) {
    if (!a.defined() || !b.defined() || a.sizes() != b.sizes()) return 0;
    const double mean_square = (a.to(at::kDouble) - b.to(at::kDouble)).square().mean().item<double>();
    return mean_square == 0 ? std::numeric_limits<double>::infinity() : -10 * std::log10(mean_square);
}

}  // namespace kinescope::faults
