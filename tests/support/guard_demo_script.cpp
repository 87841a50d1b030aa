#include <cmath>
#include <string>

#include "tests/support/fake_engine.h"

namespace kinescope::testing {
namespace {

constexpr int kSteps = 4;
constexpr int kFrames = 9;
constexpr const char* kOp = "blocks.2.attn1.to_q";
constexpr const char* kSite = "transformer.blocks.2.attn1.to_q";

NumericSample peakAt(int step) {
    NumericSample seen;
    seen.step = step;
    seen.component = "transformer";
    seen.site = kOp;
    seen.stats.count = 4096;
    seen.stats.max_abs = 280'000 + 30'000 * step;
    return seen;
}

GuardActed overflow(GuardAction action) {
    return {.phase = Phase::denoise,
            .step = 0,
            .site = kSite,
            .detector = Detector::attention,
            .found = {.code = "not_finite",
                      .values = {{"nan", "0"}, {"inf", "1204"}, {"count", "61440"}},
                      .text = "0 NaN and 1204 Inf of 61440 values"},
            .action = action,
            .before = ComputePrecision{ElementType::float16},
            .after = ComputePrecision{ElementType::float16, PrecisionLevel::scaled},
            .seconds = 0.04};
}

}  // namespace

GuardDemoResult demoRun(GuardDemoRun run) {
    GuardDemoResult made{.prompt = "A red ball bounces past a blue cube", .site = kSite, .exponent = 15};
    made.num_steps = kSteps;
    made.fps = 12;
    made.seconds = 0.6;
    if (run == GuardDemoRun::unguarded) {
        made.actions = {overflow(GuardAction::observe)};
        made.error = Error(ErrorCode::not_finite, "step 1: 1204 Inf", "Run again with --guard heal.");
        return made;
    }
    for (int step = 0; step < kSteps; ++step) made.samples.push_back(peakAt(step));
    if (run == GuardDemoRun::guarded) made.actions = {overflow(GuardAction::raise)};
    const double noise = run == GuardDemoRun::guarded ? 0.004 : 0;
    for (int i = 0; i < kFrames; ++i) made.frames.push_back(ballFrame({96, 64}, i / (kFrames - 1.0), noise));
    return made;
}

}  // namespace kinescope::testing
