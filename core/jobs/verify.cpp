#include "core/jobs/verify.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include "core/base/json.h"
#include "core/jobs/compare_tensors.h"
#include "core/jobs/prepare.h"

namespace kinescope {

namespace {

using Reader = std::shared_ptr<const CheckpointReader>;

bool has(const Reader& reader, const std::string& name) {
    for (const TensorEntry& entry : reader->entries()) {
        if (entry.name == name) return true;
    }
    return false;
}

std::string numbered(const std::string& name, int index) {
    std::array<char, 16> digits{};
    std::snprintf(digits.data(), digits.size(), "_%03d", index);
    return name + digits.data();
}

/// Compares the tensors of a run with the reference's as they come.
class ComparingTaps final : public RunTaps {
public:
    ComparingTaps(Reader expected, VerifyReport& report) : expected_(std::move(expected)), report_(report) {}

    void on_conditioning(const Conditioning& conditioning) override {
        compare("tokenizer", "input_ids", conditioning.input_ids);
        compare("tokenizer", "attention_mask", conditioning.attention_mask);
        compare("text_encoder", "prompt_embeds", conditioning.prompt_embeds);
        if (conditioning.negative_prompt_embeds.defined())
            compare("text_encoder", "negative_prompt_embeds", conditioning.negative_prompt_embeds);
    }
    void on_initial_latents(const Tensor& latents) override { compare("pipeline", "latents_initial", latents); }
    void on_noise_pred(int step, const Tensor& value) override {
        compare("transformer", numbered("noise_pred", step), value);
    }
    void on_latents(int step, const Tensor& value) override { compare("scheduler", numbered("latents", step), value); }
    void on_final_latents(const Tensor& latents) override { compare("pipeline", "latents_final", latents); }
    void on_frames(const Tensor& frames) override { frames_.push_back(frames); }

    void compare(const std::string& component, const std::string& name, const Tensor& actual) {
        if (!has(expected_, name)) return;
        compared_.insert(name);
        report_.rows.push_back(compare_tensor(component, name, actual, expected_->read(name)));
    }
    /// Compares the frames. What the reference has and the run never produced is a failure, too; the negative prompt's
    /// ids show in its embeddings.
    void finish() {
        compared_.insert({"frames", "negative_input_ids", "negative_attention_mask"});
        for (const TensorEntry& entry : expected_->entries()) {
            if (!compared_.contains(entry.name))
                report_.rows.push_back(compare_tensor("pipeline", entry.name, {}, expected_->read(entry.name)));
        }
        if (has(expected_, "frames"))
            report_.rows.push_back(
                compare_frames(frames_.empty() ? Tensor() : at::cat(frames_), expected_->read("frames")));
    }

private:
    Reader expected_;
    VerifyReport& report_;
    std::set<std::string> compared_;
    std::vector<Tensor> frames_;
};

/// Finds the first block whose output differs from the reference's.
class BlockProbe final : public Probe {
public:
    explicit BlockProbe(Reader io) : io_(std::move(io)) {}
    void observe(const Observation& seen) override {
        const auto& [component, site, value, computed] = seen;
        constexpr std::string_view kPrefix = "blocks.";
        if (!first_different_.empty() || !site.starts_with(kPrefix)) return;
        const std::string name = "block." + std::string(site.substr(kPrefix.size()));
        if (has(io_, name) && !compare_tensor("", name, value.to(at::kFloat), io_->read(name)).passed)
            first_different_ = site;
    }
    const std::string& first_different() const { return first_different_; }

private:
    Reader io_;
    std::string first_different_;
};

void verify_transformer(const std::filesystem::path& file, const VideoJob& job, VerifyReport& report) {
    if (!std::filesystem::exists(file)) return;
    const Reader io = open_checkpoint(file);
    BlockProbe probe(io);
    const CancellationToken never;
    const auto model = job.family->load_denoiser(job.files, job.policy);
    const Conditioning conditioning{.prompt_embeds = io->read("in.encoder_hidden_states").to(at::kFloat)};
    const Tensor sample =
        model->predict({.latents = io->read("in.hidden_states").to(at::kFloat),
                        .timestep = io->read("in.timestep").flatten()[0].to(at::kDouble).item<double>(),
                        .conditioning = conditioning},
                       {probe, never, "transformer"});
    VerifyRow row = compare_tensor("transformer", "out.sample", sample, io->read("out.sample"));
    row.first_different_block = probe.first_different();
    report.rows.push_back(std::move(row));
}

VideoRequest read_request(const std::filesystem::path& case_dir) {
    VideoRequest request = parse_request(read_json(case_dir / "request.json").dump(), case_dir);
    if (!request.negative_prompt) request.negative_prompt = "";
    request.device = "cpu";
    request.output = {};
    request.dtype = request.text_encoder_dtype = request.vae_dtype = "fp32";
    return request;
}

void verify_schedule(const VideoJob& job, ComparingTaps& taps) {
    NoiseSource noise(*job.request.seed);
    const auto scheduler = job.family->make_scheduler({.files = job.files, .request = job.request, .noise = noise});
    taps.compare("scheduler", "timesteps", at::tensor(scheduler->timesteps(), at::kDouble));
    taps.compare("scheduler", "sigmas", at::tensor(scheduler->sigmas(), at::kFloat));
}

}  // namespace

VerifyReport verify_case(const std::filesystem::path& case_dir, const std::filesystem::path& resources_dir) {
    VerifyReport report{.case_dir = case_dir};
    const VideoJob job = prepare_job(read_request(case_dir), resources_dir);
    verify_transformer(case_dir / "transformer_io.safetensors", job, report);
    ComparingTaps taps(open_checkpoint(case_dir / "expected.safetensors"), report);
    verify_schedule(job, taps);
    run_video(
        job, [](const RunEvent&) {}, CancellationToken(), taps);
    taps.finish();
    report.passed = !report.rows.empty() && std::all_of(report.rows.begin(), report.rows.end(),
                                                        [](const VerifyRow& row) { return row.passed; });
    return report;
}

}  // namespace kinescope
