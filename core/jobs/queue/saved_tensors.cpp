#include "core/jobs/queue/saved_tensors.h"

#include <ATen/ATen.h>

#include "core/base/atomic_file.h"
#include "core/weights/formats/safetensors_writer.h"

namespace kinescope {

SavedTensors::SavedTensors(const ResolvedOutput& output)
    : output_(output), latents_folders_(output.latents), frames_folders_(output.frames) {
    for (const auto* file : {&output.latents, &output.frames})
        if (!file->empty()) AtomicFile attempt(*file);
}

void SavedTensors::on_final_latents(const Tensor& latents) {
    if (!output_.latents.empty()) latents_ = latents;
}

void SavedTensors::on_frames(const Tensor& frames) {
    if (!output_.frames.empty()) frames_.push_back(frames);
}

void SavedTensors::on_complete() {
    if (latents_.defined()) write_safetensors(output_.latents, {{"latents", latents_}});
    latents_folders_.keep();
    if (!frames_.empty()) write_safetensors(output_.frames, {{"frames", at::cat(frames_)}});
    frames_folders_.keep();
}

}  // namespace kinescope
