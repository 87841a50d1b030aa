#include "core/models/ltx/draws.h"

#include "core/device/rng.h"

namespace kinescope::ltx {

namespace {

/// Draws the noise that is needed before the steps. LTXImageToVideoPipeline encodes the image before it draws the
/// latents, LTXConditionPipeline afterwards.
void draw_start(const RunShape& shape, NoiseSource& noise, Draws& draws) {
    if (shape.pipeline == Pipeline::condition) draws.latents = noise.normal(shape.video());
    for (const auto& keyframe : shape.keyframes) {
        draws.posterior.push_back(noise.normal(shape.of(shape.latent_frames(keyframe))));
        const auto extra = shape.extra_frames(keyframe);
        draws.mixing.push_back(extra > 0 ? noise.normal(shape.of(extra)) : Tensor());
    }
    if (shape.pipeline == Pipeline::plain) draws.latents = noise.normal(shape.video());
}

}  // namespace

Draws draw(const RunShape& shape, Wanted wanted) {
    NoiseSource noise(shape.seed);
    Draws draws;
    draw_start(shape, noise, draws);
    if (wanted == Wanted::before_steps) return draws;
    draws = {};
    const bool has_noised_frames = shape.image_cond_noise_scale > 0 && !shape.keyframes.empty();
    const int steps = has_noised_frames ? shape.num_inference_steps : 0;
    for (int step = 0; step < steps; ++step) {
        auto image = noise.normal({1, shape.tokens(), shape.channels});
        if (wanted == Wanted::steps) draws.images.push_back(std::move(image));
    }
    if (wanted == Wanted::after_steps) draws.decode = noise.normal(shape.video());
    return draws;
}

}  // namespace kinescope::ltx
