#include "core/pipeline/encode_phase.h"

#include "core/api/video_parts.h"
#include "core/device/device_memory.h"
#include "core/media/frame_source.h"
#include "core/pipeline/embedding_check.h"
#include "core/pipeline/input_image.h"
#include "core/pipeline/input_video.h"

namespace kinescope {

namespace {

/// Returns an image in the aspect ratio of the result; undefined for an empty path.
Tensor fitted_image(const std::filesystem::path& file, const ResolvedContent& content) {
    return fitted_picture(read_input_image(file), content.image_fit, {content.width, content.height});
}

/// Returns the readers of the condition images and videos. An image is a video of one frame.
std::vector<ReadFrames> conditions(const PhaseServices& services) {
    const ResolvedContent& content = services.job.request.content;
    std::vector<ReadFrames> readers;
    for (const FrameCondition& condition : content.conditions)
        readers.push_back(
            names_video(condition.file)
                ? fitted_frames(frames_of(services.job.read_clip, condition.file, SinglePicture::one_frame),
                                content.image_fit, {content.width, content.height})
                : one_frame(fitted_image(condition.file, content)));
    return readers;
}

std::vector<Tensor> reference_images(const ResolvedContent& content) {
    std::vector<Tensor> images;
    for (const auto& file : content.reference_images) images.push_back(read_input_image(file));
    return images;
}

std::function<void(const std::string&, const Tensor&)> recorder(TensorObserver& observer) {
    if (!observer.compares_encoder_inputs()) return {};
    return [&observer](const std::string& name, const Tensor& pixels) { observer.on_encoder_input(name, pixels); };
}

/// Returns the end of the video to continue, as much of it as the new frames repeat.
ReadFrames continued_frames(const PhaseServices& services) {
    const ResolvedContent& content = services.job.request.content;
    return last_frames_of(services.job.read_clip, content.continue_video,
                          overlap_frames(services.job.card, content.num_frames));
}

/// Returns the first frame: the request's image, or the last frame of the video to continue.
Tensor first_image(const PhaseServices& services) {
    const ResolvedContent& content = services.job.request.content;
    if (content.continue_video.empty() || services.job.card.continuation != Continuation::last_frame)
        return fitted_image(content.image, content);
    Tensor image;
    continued_frames(services)(1, [&](const Tensor& frame) { image = frame; });
    return image;
}

ReadFrames video_of(const PhaseServices& services) {
    const ResolvedContent& content = services.job.request.content;
    if (!content.video.empty())
        return as_control(frames_of(services.job.read_clip, content.video, SinglePicture::one_frame), content.control,
                          {content.width, content.height});
    if (services.job.card.continuation == Continuation::last_frame) return {};
    return continued_frames(services);
}

/// Every attempt draws the same noise.
Conditioning run_encoders(const PhaseServices& services) {
    const Tensor noise_before = services.noise.snapshot();
    return with_memory_relief(services, Phase::encode, [&](const PhaseSetup& setup) {
        return with_cpu_fallback(services, setup.policy, [&](const ComputePolicy& policy) {
            services.noise.restore(noise_before);
            const ResolvedContent& content = setup.request.content;
            const EncodeInput input{.files = services.files,
                                    .request = setup.request,
                                    .policy = policy,
                                    .image = first_image(services),
                                    .last_image = fitted_image(content.last_image, content),
                                    .conditions = conditions(services),
                                    .video = video_of(services),
                                    .mask = frames_of(services.job.read_mask, content.mask, SinglePicture::repeated),
                                    .reference_images = reference_images(content),
                                    .record = recorder(services.observer)};
            return services.job.family->encode(input, services.noise, services.numerics.context(services.cancellation));
        });
    });
}

}  // namespace

Conditioning encode(const PhaseServices& services) {
    const Stopwatch watch;
    services.emit(PhaseStarted{Phase::encode, 1});
    const FreedBlocksReturn returning;
    services.numerics.probe().enter({.phase = Phase::encode});
    Conditioning conditioning = run_encoders(services);
    services.note_float8();
    services.numerics.guard().note(check_embeddings(services.job.request.content, conditioning));
    services.observer.on_conditioning(conditioning);
    services.finish_phase(Phase::encode, watch.seconds());
    return conditioning;
}

}  // namespace kinescope
