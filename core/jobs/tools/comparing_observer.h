#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/api/engine.h"
#include "core/pipeline/tensor_observer.h"
#include "core/pipeline/video_pipeline.h"
#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// Compares the tensors of a run with expected.safetensors of a golden case. Ignores tensors that the case does not
/// contain. A tensor of the case that the run does not produce is a failure.
class ComparingObserver final : public TensorObserver {
public:
    ComparingObserver(std::shared_ptr<const CheckpointReader> expected, const PreparedRun& job, VerifyReport& report);

    bool compares_encoder_inputs() const override { return true; }
    void on_encoder_input(const std::string& name, const Tensor& pixels) override;
    void on_conditioning(const Conditioning& conditioning) override;
    void on_initial_latents(const Tensor& latents) override;
    void on_noise_pred(int step, const Tensor& noise_pred) override;
    void on_latents(int step, const Tensor& latents) override;
    void on_sampled(const Scheduler& scheduler, const Guidance& guidance) override;
    void on_final_latents(const Tensor& latents) override;
    void on_decoded(const VideoVae& vae) override;
    void on_frames(const Tensor& frames) override { frames_.push_back(frames); }
    /// Compares the frames, and adds a failure for each missing tensor.
    void finish();

private:
    const TensorEntry* find(const std::string& name) const;
    void compare(const std::string& component, const std::string& name, const Tensor& actual);
    /// Compares latents after permuting their axes to the order in the case.
    void compare_latents(const std::string& component, const std::string& name, const Tensor& latents);

    std::shared_ptr<const CheckpointReader> expected_;
    const PreparedRun& job_;
    VerifyReport& report_;
    std::string denoiser_;
    Tensor initial_latents_;
    std::set<std::string> compared_;
    std::vector<Tensor> frames_;
};

}  // namespace kinescope
