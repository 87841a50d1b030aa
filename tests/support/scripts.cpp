#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "tests/support/fake_engine.h"

namespace kinescope::testing {
namespace {

/// The size of the model that a script simulates.
struct RunShape {
    int blocks = 12;
    double step_seconds = 1.4;
};

constexpr RunShape kSmall;
constexpr int kBlocks = kSmall.blocks;
constexpr int kFramesEach = 4;
constexpr double kFloat32Stops = 128;

TensorStats stats(double max_abs, double std) {
    return {4096, -max_abs, max_abs, max_abs, 0, std, 0, 0};
}

NumericSample sample(int step, const std::string& site, double max_abs) {
    NumericSample seen;
    seen.step = step;
    seen.branch = "cond";
    seen.component = "transformer";
    seen.site = site;
    seen.stats = stats(max_abs, max_abs / 4);
    seen.headroom_stops = kFloat32Stops - std::log2(std::max(max_abs, 1e-6));
    return seen;
}

StepCompleted stepCompleted(int step, int steps, double seconds) {
    StepCompleted done;
    done.step = step;
    done.num_steps = steps;
    const double progress = (step + 1.0) / steps;
    done.sigma = 1 - progress;
    done.timestep = 1000 * done.sigma;
    done.seconds = seconds;
    done.latents = stats(4, 1.0 - 0.35 * progress);
    done.noise_pred = stats(5, 1.3 - 0.2 * progress);
    done.histogram_min = -4;
    done.histogram_max = 4;
    for (int bin = 0; bin < 32; ++bin) {
        const double x = (-4 + (bin + 0.5) * 0.25) / done.latents.std;
        done.latents_histogram.push_back(std::lround(4096 * std::exp(-x * x / 2)));
    }
    return done;
}

PreviewReady latentPreview(int step, const VideoRequest& request) {
    PreviewReady preview{
        PreviewKind::latent, step, 0, *request.num_frames, kFramesEach, {*request.width, *request.height}, {}};
    const int latents = 1 + (*request.num_frames - 1) / kFramesEach;
    const double noise = 1 - (step + 1.0) / *request.num_inference_steps;
    for (int i = 0; i < latents; ++i) {
        preview.frames.push_back(
            ballFrame({*request.width / 8, *request.height / 8}, i / std::max(1.0, latents - 1.0), noise));
    }
    return preview;
}

PreviewReady decodedFrames(int first, int count, const VideoRequest& request) {
    PreviewReady preview{PreviewKind::decoded, 0, first, *request.num_frames, 1, {*request.width, *request.height}, {}};
    for (int i = first; i < first + count; ++i) {
        preview.frames.push_back(
            ballFrame({*request.width, *request.height}, i / std::max(1.0, *request.num_frames - 1.0), 0));
    }
    return preview;
}

std::vector<RunEvent> begin(const VideoRequest& request) {
    return {RunStarted{request, demoCard(), demoPolicy()},
            LogLine{LogLineLevel::info, "model: Kinescope demo"},
            PhaseStarted{Phase::load, 38},
            PhaseProgress{Phase::load, 38, 38, 0.4},
            PhaseStarted{Phase::encode, 0},
            PhaseStarted{Phase::denoise, *request.num_inference_steps}};
}

void addStep(std::vector<RunEvent>& events, int step, const VideoRequest& request, const RunShape& shape = kSmall) {
    events.push_back(stepSamples(step, shape.blocks));
    events.push_back(stepCompleted(step, *request.num_inference_steps, shape.step_seconds));
    events.push_back(latentPreview(step, request));
}

/// Returns the guard's message about invalid values.
LocalizableMessage notFinite(int nan, int inf) {
    const std::string nans = std::to_string(nan), infs = std::to_string(inf);
    return {.code = "not_finite",
            .values = {{"nan", nans}, {"inf", infs}, {"count", "4096"}},
            .text = nans + " NaN and " + infs + " Inf of 4096 values"};
}

/// Changes an event of a float32 denoiser to one of a float16 denoiser.
void asInFloat16(RunEvent& event) {
    if (auto* started = std::get_if<RunStarted>(&event)) {
        for (ComponentPolicy& part : started->policy)
            if (part.component == "transformer") part.compute = part.storage = "float16";
    }
    auto* ready = std::get_if<NumericsReady>(&event);
    if (ready == nullptr) return;
    for (NumericSample& seen : ready->samples) {
        seen.precision = {ElementType::float16};
        seen.headroom_stops = std::log2(65504.0 / seen.stats.max_abs);
    }
}

RunResult result(const VideoRequest& request) {
    RunResult made;
    made.output = request.output.file;
    made.numeric_log = request.output.numeric_log;
    made.status = RunStatus::completed;
    made.num_frames = *request.num_frames;
    made.output_bytes = 214'000;
    made.seconds = 18.2;
    made.seconds_by_phase = {{"load", 0.6}, {"encode", 0.4}, {"denoise", 13.8}, {"decode", 3.1}, {"save", 0.3}};
    made.peak_memory_bytes = 310'000'000;
    return made;
}

}  // namespace

ModelCard demoCard() {
    ModelCard card;
    card.id = "builtin";
    card.name = "Kinescope demo";
    card.family = "wan";
    card.variant = "Wan 2.1, small";
    card.tasks = {Task::text_to_video};
    card.default_size = {128, 128};
    card.sizes = {{128, 128}, {160, 96}, {96, 160}};
    card.max_side = 256;
    card.default_num_frames = 25;
    card.max_num_frames = 49;
    card.default_fps = 12;
    card.default_num_inference_steps = 12;
    card.default_guidance_scale = 4;
    card.max_sequence_length = 64;
    card.offers_variations = true;
    card.schedulers = {"unipc", "flow_match_euler"};
    card.example_prompts = {"A red ball bounces past a blue cube", "A green ball rolls behind a yellow cube",
                            "A white ball drops beside a red cube"};
    card.vocabulary.words = {"a",    "red",     "blue",  "green", "yellow", "white",  "ball",
                             "cube", "bounces", "rolls", "drops", "past",   "behind", "beside"};
    card.vocabulary.hint = "It knows balls and cubes in five colors.";
    return card;
}

PolicySummary demoPolicy() {
    const std::string reason = "float32: this CPU has no bf16 arithmetic";
    PolicySummary policy;
    for (const char* part : {"text_encoder", "transformer", "vae"}) {
        policy.push_back({part, "float16", "float32", "float32", "float32", "standard", "cpu", "auto", reason});
    }
    return policy;
}

NumericsReady stepSamples(int step, int blocks) {
    NumericsReady ready;
    for (int block = 0; block < blocks; ++block) {
        for (const char* place : {"attn1", "attn2", "ffn", "hidden_states"}) {
            const double max_abs = 12 + 9 * block + 3 * std::sin(step * 0.7 + block);
            ready.samples.push_back(sample(step, "blocks." + std::to_string(block) + "." + place, max_abs));
        }
    }
    ready.samples.push_back(sample(step, "noise_pred", 5));
    return ready;
}

FramePtr ballFrame(Size size, double t, double noise) {
    Frame frame{size.width, size.height, {}};
    std::mt19937 random(17);
    std::normal_distribution<double> normal(0, 90 * noise);
    const double scale = size.height;
    const double bx = (0.12 + 0.7 * t) * size.width, by = (0.62 - 0.22 * std::abs(std::sin(t * 6.3))) * scale,
                 r = 0.13 * scale;
    for (int y = 0; y < size.height; ++y) {
        for (int x = 0; x < size.width; ++x) {
            const bool ground = y > 0.55 * scale;
            double rgb[3] = {ground ? 190.0 : 214.0, ground ? 172.0 : 224.0, ground ? 150.0 : 232.0};
            const bool cube = x > 0.55 * size.width && x < 0.82 * size.width && y > 0.38 * scale && y < 0.7 * scale;
            if (cube) rgb[0] = 58, rgb[1] = 104, rgb[2] = 186;
            const double d = std::hypot(x - bx, y - by) / r;
            if (d < 1) rgb[0] = 240 - 70 * d, rgb[1] = 92 - 40 * d, rgb[2] = 72 - 30 * d;
            for (const double value : rgb) {
                frame.pixels.push_back(static_cast<std::uint8_t>(
                    std::clamp(value * (1 - 0.5 * noise) + 55 * noise + normal(random), 0.0, 255.0)));
            }
        }
    }
    return std::make_shared<const Frame>(std::move(frame));
}

namespace {

Script run(const RunShape& shape) {
    return [shape](const VideoRequest& request) {
        std::vector<RunEvent> events = begin(request);
        for (int step = 0; step < *request.num_inference_steps; ++step) addStep(events, step, request, shape);
        events.push_back(PhaseStarted{Phase::decode, *request.num_frames});
        for (int first = 0; first < *request.num_frames; first += kFramesEach) {
            const int count = std::min(kFramesEach, *request.num_frames - first);
            events.push_back(decodedFrames(first, count, request));
            events.push_back(PhaseProgress{Phase::decode, first + count, *request.num_frames, 0.1 * first});
        }
        events.push_back(PhaseStarted{Phase::save, 0});
        events.push_back(LogLine{LogLineLevel::info, "saved " + request.output.file.filename().string()});
        events.push_back(RunFinished{result(request)});
        return events;
    };
}

}  // namespace

Script healthyRun() {
    return run(kSmall);
}

Script longRun() {
    return run({.blocks = 40, .step_seconds = 94});
}

Script healedRun(int healed_step) {
    return [healed_step](const VideoRequest& request) {
        std::vector<RunEvent> events = healthyRun()(request);
        for (RunEvent& event : events) asInFloat16(event);
        const auto step = std::find_if(events.begin(), events.end(), [&](const RunEvent& event) {
            const auto* ready = std::get_if<NumericsReady>(&event);
            return ready != nullptr && ready->samples.front().step == healed_step;
        });
        NumericsReady broken = std::get<NumericsReady>(*step);
        for (NumericSample& seen : broken.samples) {
            if (seen.site != "blocks.7.ffn") continue;
            seen.stats.inf = 121;
            seen.stats.max_abs = 65'504;
            seen.headroom_stops = 0;
        }
        for (NumericSample& seen : std::get<NumericsReady>(*step).samples) seen.attempt = 1;
        const GuardActed repair{.phase = Phase::denoise,
                                .step = healed_step,
                                .site = "transformer.blocks.7.ffn",
                                .detector = Detector::block,
                                .found = notFinite(0, 121),
                                .action = GuardAction::raise,
                                .before = ComputePrecision{ElementType::float16},
                                .after = ComputePrecision{ElementType::float16, PrecisionLevel::scaled},
                                .attempt = 0,
                                .seconds = 1.4};
        events.insert(step, {broken, repair});
        return events;
    };
}

Script warnedRun() {
    return [](const VideoRequest& request) {
        std::vector<RunEvent> events = healthyRun()(request);
        GuardActed warning{.phase = Phase::decode, .step = 0, .site = "vae.frames"};
        warning.detector = Detector::frames;
        warning.found = {.code = "frames_empty",
                         .values = {{"frames", "25"}},
                         .text = "all 25 frames show one flat color and nothing moves"};
        warning.action = GuardAction::warn;
        warning.before = warning.after = ComputePrecision();
        auto& finished = std::get<RunFinished>(events.back());
        finished.result.warnings = {warning};
        events.insert(events.end() - 1, warning);
        return events;
    };
}

Script notFiniteRun(int bad_step) {
    return [bad_step](const VideoRequest& request) {
        std::vector<RunEvent> events = begin(request);
        for (int step = 0; step < bad_step; ++step) addStep(events, step, request);
        NumericsReady samples = stepSamples(bad_step, kBlocks);
        for (NumericSample& seen : samples.samples) {
            if (seen.site == "blocks.7.attn1") seen.stats.nan = 14;
        }
        events.push_back(samples);
        events.push_back(GuardActed{.phase = Phase::denoise,
                                    .step = bad_step,
                                    .site = "blocks.7.attn1",
                                    .detector = Detector::attention,
                                    .found = notFinite(14, 0),
                                    .action = GuardAction::stop});
        events.push_back(LogLine{LogLineLevel::error, "step 9: blocks.7.attn1 holds 14 NaN"});
        events.push_back(RunFailed{
            Error(ErrorCode::not_finite, "block 7, attention output holds 14 values that are not a number",
                  "check the model file", {{"step", std::to_string(bad_step + 1)}, {"site", "blocks.7.attn1"}})});
        return events;
    };
}

Script failingRun(Error error) {
    return [error](const VideoRequest& request) {
        return std::vector<RunEvent>{RunStarted{request, demoCard(), demoPolicy()}, PhaseStarted{Phase::load, 0},
                                     RunFailed{error}};
    };
}

}  // namespace kinescope::testing
