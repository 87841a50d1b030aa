#include "core/jobs/queue/saved_tensors.h"

#include <ATen/ATen.h>

#include <cerrno>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/weights/formats/safetensors_writer.h"

namespace kinescope {

namespace {

Error appeared(const std::filesystem::path& file, const std::filesystem::path& kept) {
    return {ErrorCode::output_exists,
            file.string() + " appeared while the video was generated; the new tensors were saved as " + kept.string(),
            "Rename one of the two.",
            {{"path", file.string()}, {"kept", kept.string()}}};
}

}  // namespace

SavedTensors::SavedTensors(const ResolvedOutput& output, OnWritten on_written)
    : output_(output),
      on_written_(std::move(on_written)),
      latents_folders_(output.latents),
      frames_folders_(output.frames) {
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
    std::optional<Error> of_latents;
    if (latents_.defined()) of_latents = save(output_.latents, "latents", latents_);
    latents_folders_.keep();
    std::optional<Error> of_frames;
    if (!frames_.empty()) of_frames = save(output_.frames, "frames", at::cat(frames_));
    frames_folders_.keep();
    if (of_latents && of_frames)
        throw Error(of_latents->code(), of_latents->message() + "; " + of_frames->message(), of_latents->hint(),
                    of_latents->arguments());
    if (of_latents) throw Error(*of_latents);
    if (of_frames) throw Error(*of_frames);
}

std::optional<Error> SavedTensors::save(const std::filesystem::path& file, const char* name,
                                        const Tensor& tensor) const {
    AtomicFile output(file);
    write_safetensors(output, {{name, tensor}});
    if (output_.overwrite == OverwriteMode::overwrite) {
        output.commit();
        return std::nullopt;
    }
    on_written_(output.temporary());
    if (output.commit_new()) return std::nullopt;
    const std::filesystem::path kept = keep_beside(output.temporary(), file);
    return kept.empty() ? output_error(EEXIST, file) : appeared(file, kept);
}

}  // namespace kinescope
