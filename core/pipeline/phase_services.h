#pragma once

#include <map>
#include <string>

#include "core/base/mapped_file.h"
#include "core/base/stopwatch.h"
#include "core/device/device_memory.h"
#include "core/device/rng.h"
#include "core/numerics/run_numerics.h"
#include "core/pipeline/fallback.h"
#include "core/pipeline/float8_check.h"
#include "core/pipeline/memory_relief.h"
#include "core/pipeline/tensor_observer.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// The objects that the phases of one run share. All must outlive the phases.
struct PhaseServices {
    const PreparedRun& job;
    const ModelFiles& files;  ///< the job's; their float8_notes are set
    const EventSink& emit;
    const CancellationToken& cancellation;
    TensorObserver& observer;
    RunNumerics& numerics;
    NoiseSource& noise;
    const FileWatch& model_files;  ///< throws if a model file changed on disk
    std::map<std::string, double>& seconds_by_phase;

    /// Reports the end of a phase, or of a part of it, which took this time.
    void finish_phase(Phase phase, double seconds) const {
        seconds_by_phase[to_string(phase)] += seconds;
        emit(PhaseProgress{phase, 1, 1, seconds});
    }
    /// Reports the effects of float8 on the weights that were loaded since the last call.
    void note_float8() const { numerics.guard().note(check_float8(files.float8_notes->take())); }
};

/// Returns work(policy). If a component has values that are not finite on its device, and raising it to float32 does
/// not help, a guard that heals repeats the work with that component on the CPU.
template <class Work>
auto with_cpu_fallback(const PhaseServices& services, const ComputePolicy& policy, const Work& work) {
    try {
        return work(policy);
    } catch (const NumericError& error) {
        if (services.job.request.compute.guard != GuardMode::heal || !can_move_to_cpu(error, policy)) throw;
        services.numerics.guard().move_to_cpu(error);
        return work(moved_to_cpu(policy, error));
    }
}

/// Handles `error`; call this in its catch block. If the device ran out of memory, reports and returns the setup for
/// the next attempt, or throws Error(out_of_memory) if there is none. Rethrows any other error.
PhaseSetup setup_with_less_memory(const PhaseServices& services, Phase phase, const PhaseSetup& planned,
                                  const std::exception& error);

/// Returns work(setup) with the job's setup. As long as the device runs out of memory, frees LibTorch's caches and
/// repeats the work with more streaming, in smaller parts or on the CPU. `work` must then continue at the point where
/// it stopped.
template <class Work>
auto with_memory_relief(const PhaseServices& services, Phase phase, const Work& work) {
    PhaseSetup setup{.policy = services.job.policy, .request = services.job.request};
    while (true) {
        try {
            return work(setup);
        } catch (const std::exception& error) {
            setup = setup_with_less_memory(services, phase, setup, error);
        }
        release_memory(services.job.policy.device());
    }
}

}  // namespace kinescope
