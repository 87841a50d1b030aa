#include "core/pipeline/decode_phase.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/device/block_reuse.h"
#include "core/device/device_fault.h"
#include "core/device/device_memory.h"
#include "core/device/dtype.h"
#include "core/models/tiny_vae/tiny_vae.h"

namespace kinescope {

void DecodePhase::run(const Tensor& latents) {
    const Stopwatch watch;
    with_memory_relief(services_, Phase::decode, [&](const PhaseSetup& setup) {
        with_cpu_fallback(services_, setup.policy, [&](const ComputePolicy& policy) {
            decode({.policy = policy, .request = setup.request}, latents, watch);
        });
    });
    const bool has_open_alarms = services_.numerics.journal().state().has_open_alarms;
    services_.numerics.guard().note(check_.finish(has_open_alarms ? Evidence::open_alarm : Evidence::none));
    // For an even number of latent frames, a VAE may return more frames than requested.
    if (num_frames_ < job_.request.content.num_frames)
        throw Error(ErrorCode::internal, "the VAE returned " + std::to_string(num_frames_) + " of " +
                                             std::to_string(job_.request.content.num_frames) + " frames");
    services_.finish_phase(Phase::decode, seconds(watch));
}

std::unique_ptr<VideoVae> DecodePhase::load(const PhaseSetup& setup, const Precision& precision,
                                            const Tensor& latents) const {
    if (setup.request.compute.decode == DecodeMode::full)
        return job_.family->load_vae(services_.files, setup.request, precision);
    auto vae = tiny_vae::load_tiny_vae(job_.tiny_decoder, precision);
    if (!job_.family->has_single_first_frame(latents.size(2))) vae->set_first_frames(tiny_vae::FirstFrames::kept);
    return vae;
}

/// Decodes from the first chunk on, but does not write frames that an earlier attempt wrote. A second attempt may use
/// other chunks.
void DecodePhase::decode(const PhaseSetup& setup, const Tensor& latents, const Stopwatch& watch) {
    const FreedBlocksReturn returning;
    const Precision& precision = setup.policy.at("vae");
    const auto vae = load(setup, precision, latents);
    check_.set_vae_dtype(element_type(precision.compute));
    num_chunks_ = vae->num_chunks(latents);
    chunks_done_ = 0;
    services_.emit(PhaseStarted{Phase::decode, num_chunks_});
    services_.numerics.probe().enter({.phase = Phase::decode});
    std::int64_t to_skip = num_frames_;
    const BlockReuse reuse(BlockReuse::Surplus::none);
    const std::launch launch = launch_for(precision.device);
    try {
        vae->decode(latents, services_.numerics.context(services_.cancellation, "vae"), [&](const Tensor& frames) {
            finish_chunk(watch);
            const auto skipped = std::min(to_skip, frames.size(0));
            to_skip -= skipped;
            if (skipped < frames.size(0) && num_frames_ < job_.request.content.num_frames)
                start_chunk(frames.slice(0, skipped), launch);
            else
                ++chunks_done_;
            if (launch == std::launch::deferred) finish_chunk(watch);
        });
        finish_chunk(watch);
    } catch (...) {
        finish_chunk(watch);  // another attempt, or the end of the run, needs to know what is written
        throw;
    }
    services_.observer.on_decoded(*vae);
}

/// Returns how the frames of a chunk are checked and written: beside the decoding of the next chunk, or before it. A
/// thread beside a decoder on the CPU would take its cores. Joining a continued video and finishing send events, which
/// belong to the decoder's thread, and networks of the finish steps would share LibTorch's settings with the decoder.
std::launch DecodePhase::launch_for(const Device& device) const {
    const bool only_writes = job_.request.content.continue_video.empty() && job_.request.finish.is_empty();
    return !device.is_cpu() && only_writes ? std::launch::async : std::launch::deferred;
}

double DecodePhase::seconds(const Stopwatch& watch) const {
    const auto joining = services_.seconds_by_phase.find(kJoiningTime);
    return watch.seconds() - (joining == services_.seconds_by_phase.end() ? 0.0 : joining->second);
}

/// The relief of a memory shortage must not repeat frames that are written, so a shortage of the steps behind the
/// decoder is an error.
void DecodePhase::write_pictures(const std::vector<FramePtr>& pictures) {
    if (sink_ == nullptr || pictures.empty()) return;
    has_begun_writing_ = true;
    try {
        for (const FramePtr& picture : pictures) sink_->write(*picture);
    } catch (const std::exception& error) {
        if (device_fault(error) != DeviceFault::out_of_memory) throw;
        throw finishing_memory_error(job_.policy.device().str());
    }
}

void DecodePhase::start_chunk(const Tensor& frames, std::launch launch) {
    services_.model_files.check();
    services_.observer.on_frames(frames);
    // CogVideoX decodes an even number of latent frames to three frames more than the request asks for.
    const Tensor wanted = frames.slice(0, 0, job_.request.content.num_frames - num_frames_);
    chunk_ = std::async(launch, [this, wanted] {
        CheckedFrames checked = check_.add(wanted);
        write_pictures(checked.pictures);
        return checked;
    });
}

void DecodePhase::finish_chunk(const Stopwatch& watch) {
    if (!chunk_.valid()) return;
    const auto [records, pictures] = chunk_.get();
    for (const FrameRecord& record : records) services_.numerics.journal().log().write(frame_record(record));
    services_.emit(PreviewReady{.kind = PreviewKind::decoded,
                                .step = 0,
                                .first_frame = num_frames_,
                                .num_frames = job_.request.content.num_frames,
                                .frames_each = 1,
                                .final_size = {job_.request.content.width, job_.request.content.height},
                                .frames = pictures});
    num_frames_ += static_cast<int>(pictures.size());
    ++chunks_done_;
    services_.emit(PhaseProgress{Phase::decode, chunks_done_, num_chunks_, seconds(watch)});
    if (chunks_done_ < num_chunks_) between_chunks_();
}

}  // namespace kinescope
