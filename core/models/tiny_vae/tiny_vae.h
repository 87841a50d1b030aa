#pragma once

#include <filesystem>
#include <memory>

#include "core/models/tiny_vae/decoder.h"
#include "core/models/video_vae.h"

namespace kinescope::tiny_vae {

/// What happens to the frames of the first latent frame before its last one.
enum class FirstFrames { dropped, kept };

/// A tiny decoder as a VAE: each latent frame is a chunk. Sites: those of Decoder.
class TinyVae final : public VideoVae {
public:
    TinyVae(const WeightScope& scope, const Config& config, const Precision& precision);

    /// Makes the same number of frames of each latent frame. Drops those of the first chunk that the reference drops.
    void decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) override;
    int num_chunks(const Tensor& latents) const override { return static_cast<int>(latents.size(2)); }
    void set_first_frames(FirstFrames first_frames) { first_frames_ = first_frames; }

    /// Returns one picture for each latent frame, without enlarging time: float32 [F, H, W, 3], 0..1, on the CPU.
    Tensor preview(const Tensor& latents, int enlargements, const ForwardContext& context) const;
    const Config& config() const { return config_; }

private:
    Config config_;
    Precision precision_;
    Decoder decoder_;
    FirstFrames first_frames_ = FirstFrames::dropped;
};

/// The latents of a run, and the video that they become.
struct Video {
    std::vector<std::int64_t> latents_shape;  ///< [1, C, F, H, W]
    int width = 0;                            ///< px
    int height = 0;                           ///< px
    int num_frames = 0;
};

/// Throws Error(bad_request) that names the file if the decoder does not make this video of these latents.
void check_fit(const Config& config, const std::filesystem::path& file, const Video& video);

/// Returns an estimate of the memory for weights and activations in float32 while the decoder makes all frames of a
/// latent frame in full size (a draft).
std::int64_t draft_bytes(const Config& config, const Video& video);
/// As draft_bytes(), for the largest preview: one frame of a latent frame, at most 640 px long.
std::int64_t preview_bytes(const Config& config, const Video& video);

/// Loads a tiny decoder from the authors' file (.safetensors or .pth). Throws the errors of open_checkpoint(),
/// read_config() and load_component().
std::unique_ptr<TinyVae> load_tiny_vae(const std::filesystem::path& file, const Precision& precision);

}  // namespace kinescope::tiny_vae
