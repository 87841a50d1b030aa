#include "core/models/tiny_vae/tiny_vae.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <string>

#include "core/api/error.h"
#include "core/models/chunk_loop.h"
#include "core/weights/weight_store.h"

namespace kinescope::tiny_vae {

namespace {

/// [1, C, F, h, w] -> [F, h, w, C]
Tensor frames_of(const Tensor& latents) {
    return latents.squeeze(0).permute({1, 2, 3, 0}).contiguous();
}

/// Returns an estimate of the memory for weights and activations while the decoder makes the frames of a latent frame.
std::int64_t memory_bytes(const Config& config, const Video& video, const Detail& detail) {
    constexpr std::int64_t kNumber = sizeof(float);
    constexpr std::int64_t kCopies = 3;  ///< a layer's input and output, and the convolution's buffers
    std::int64_t weights = 9 * config.latent_channels * config.widths.front();
    std::int64_t pixels = video.latents_shape.at(3) * video.latents_shape.at(4);  ///< of all frames
    std::int64_t largest = pixels * config.widths.front();
    for (std::size_t i = 0; i < config.time_factors.size(); ++i) {
        weights += 9 * config.widths[i] * (3 * 4 * config.widths[i] + config.widths[i + 1]);
        if (detail.rate == FrameRate::full) pixels *= config.time_factors[i];
        if (static_cast<int>(i) < detail.enlargements) pixels *= 4;
        largest = std::max(largest, pixels * config.widths[i + 1]);
    }
    return kNumber * (weights + kCopies * largest);
}

}  // namespace

TinyVae::TinyVae(const WeightScope& scope, const Config& config, const Precision& precision)
    : config_(config), precision_(precision), decoder_(scope, config, precision) {}

void TinyVae::decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) {
    const Tensor frames = frames_of(latents.to(precision_.device, at::kFloat));
    const std::int64_t dropped = first_frames_ == FirstFrames::dropped ? config_.scale_factor_temporal() - 1 : 0;
    ChunkLoop<Past> chunks(context, precision_, [&](std::int64_t index, Past& past, const ForwardContext& in_chunk) {
        return decoder_.decode(frames.narrow(0, index, 1), {}, past, in_chunk);
    });
    for (std::int64_t i = 0; i < frames.size(0); ++i) {
        const Tensor chunk = chunks.next().cpu().contiguous();
        sink(i == 0 ? chunk.slice(0, dropped) : chunk);
    }
}

Tensor TinyVae::preview(const Tensor& latents, int enlargements, const ForwardContext& context) const {
    const Detail detail{.rate = FrameRate::low, .enlargements = enlargements};
    const Tensor frames = frames_of(latents.to(precision_.device, at::kFloat));
    Past past;
    std::vector<Tensor> pictures;
    for (std::int64_t i = 0; i < frames.size(0); ++i)
        pictures.push_back(decoder_.decode(frames.narrow(0, i, 1), detail, past, context).cpu());
    return at::cat(pictures);
}

void check_fit(const Config& config, const std::filesystem::path& file, const Video& video) {
    const auto refuse = [&](const std::string& why) {
        throw Error(ErrorCode::bad_request, "The tiny decoder " + file.string() + " does not fit the model: " + why,
                    "Use the tiny decoder that was made for this model.", {{"preview_decoder", ""}});
    };
    const auto& shape = video.latents_shape;
    if (config.latent_channels != shape.at(1))
        refuse("it decodes latents of " + std::to_string(config.latent_channels) + " channels, and the model has " +
               std::to_string(shape.at(1)));
    const auto scale = config.scale_factor_spatial();
    if (scale * shape.at(4) != video.width || scale * shape.at(3) != video.height)
        refuse("it enlarges latents " + std::to_string(scale) + " times, which gives " +
               std::to_string(scale * shape.at(4)) + "x" + std::to_string(scale * shape.at(3)) + " and not " +
               std::to_string(video.width) + "x" + std::to_string(video.height));
    if (config.scale_factor_temporal() * shape.at(2) < video.num_frames)
        refuse("it makes " + std::to_string(config.scale_factor_temporal()) + " frames of each latent frame, too few");
}

std::int64_t draft_bytes(const Config& config, const Video& video) {
    return memory_bytes(config, video, {});
}

std::int64_t preview_bytes(const Config& config, const Video& video) {
    const auto longest = std::max(video.latents_shape.at(3), video.latents_shape.at(4));
    return memory_bytes(config, video, {.rate = FrameRate::low, .enlargements = most_enlargements(config, longest)});
}

std::unique_ptr<TinyVae> load_tiny_vae(const std::filesystem::path& file, const Precision& precision) {
    const auto weights = open_checkpoint(file);
    const Config config = read_config(*weights);
    const auto store = std::make_shared<WeightStore>(weights);
    auto vae = std::make_unique<TinyVae>(WeightScope(*store), config, precision);
    store->finish({"encoder."});
    WeightScope(*store).release_pages();
    return vae;
}

}  // namespace kinescope::tiny_vae
