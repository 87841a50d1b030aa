#pragma once

#include <functional>
#include <future>
#include <utility>

#include "core/media/frame_sink.h"
#include "core/pipeline/frame_check.h"
#include "core/pipeline/phase_services.h"

namespace kinescope {

/// Decodes latents chunk by chunk, and checks every frame before writing it to the video. If a GPU decodes, a thread
/// checks and writes the frames of a chunk while the next one is decoded.
class DecodePhase {
public:
    /// `sink` is null if the job writes no video. `between_chunks` is called between two chunks and may throw to stop
    /// the phase.
    DecodePhase(const PhaseServices& services, FrameSink* sink, std::function<void()> between_chunks)
        : services_(services), job_(services.job), sink_(sink), between_chunks_(std::move(between_chunks)) {}

    /// Decodes the latents. Throws NumericError, or Error(internal) if the VAE returns too few frames.
    void run(const Tensor& latents);
    /// Returns the number of frames of all chunks that are written whole.
    int num_frames() const { return num_frames_; }
    /// Returns true if the sink was given a frame, even if the chunk of this frame is not written whole.
    bool has_begun_writing() const { return has_begun_writing_; }

private:
    /// The model's VAE, or the tiny decoder for a draft.
    std::unique_ptr<VideoVae> load(const PhaseSetup& setup, const Precision& precision, const Tensor& latents) const;
    void decode(const PhaseSetup& setup, const Tensor& latents, const Stopwatch& watch);
    /// Returns the time since the phase began, without that of joining.
    double seconds(const Stopwatch& watch) const;
    void write_pictures(const std::vector<FramePtr>& pictures);
    std::launch launch_for(const Device& device) const;
    /// Starts to check and write the frames of a chunk.
    void start_chunk(const Tensor& frames, std::launch launch);
    /// Waits for the chunk of the last start_chunk(), if any, and reports its frames.
    void finish_chunk(const Stopwatch& watch);

    const PhaseServices& services_;
    const PreparedRun& job_;
    FrameSink* sink_;
    std::function<void()> between_chunks_;
    FrameCheck check_;
    int num_frames_ = 0;  ///< written in all attempts
    bool has_begun_writing_ = false;
    int num_chunks_ = 0;
    int chunks_done_ = 0;               ///< of this attempt
    std::future<CheckedFrames> chunk_;  ///< the last member: its thread uses the others
};

}  // namespace kinescope
