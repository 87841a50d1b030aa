#include "core/jobs/finish_file.h"

#include "core/base/stopwatch.h"
#include "core/device/backend.h"
#include "core/device/device_memory.h"
#include "core/finish/finish_folder.h"

namespace kinescope {
namespace {

std::filesystem::path saved_dir() {
    return user_dirs().state / "finish";
}

/// Makes the copy. Afterwards, the memory of the networks is free for other programs and engines.
FinishResult finish_and_release(const FinishRequest& request, const FinishServices& services) {
    try {
        FinishResult result = finish_video(request, services);
        release_memory(services.device);
        return result;
    } catch (...) {
        release_memory(services.device);
        throw;
    }
}

}  // namespace

FinishResult finish_file(EngineContext& context, const FinishRequest& asked,
                         const std::function<FinishCommand(const FinishProgress&)>& step,
                         const IsCancelled& is_cancelled) {
    const Stopwatch watch;
    FinishRequest request = asked;
    request.steps = with_found_networks(std::move(request.steps));
    std::vector<std::string> warnings;
    set_cpu_threads(request.threads.value_or(0));
    apply_numeric_settings(HalfAccumulation::forbidden);
    for (const auto& network : {request.steps.upscaler, request.steps.interpolator})
        if (!network.empty()) context.weight_check(is_cancelled)(network);
    const auto devices = context.devices_for(
        request.device, [&](const std::string& text) { warnings.push_back(text); }, is_cancelled);
    const FinishServices services{
        .reader = std::make_shared<GuardedReader>(context.options().program, ReaderPatience::long_pauses, is_cancelled),
        .device = Device(device_id(choose_device(request.device, devices))),
        .step =
            [&](int done, int total, FinishStage stage) {
                return step({.done = done, .total = total, .seconds = watch.seconds(), .stage = stage});
            },
        .saved_dir = saved_dir()};
    FinishResult result = finish_and_release(request, services);
    result.notes.insert(result.notes.begin(), warnings.begin(), warnings.end());
    return result;
}

void forget_finish(const FinishRequest& request) {
    remove_saved_frames(saved_dir(), request.output.file);
}

void forget_old_finishes() {
    remove_old_saved_frames(saved_dir());
}

}  // namespace kinescope
