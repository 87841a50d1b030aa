#include "core/jobs/timings.h"

#include <array>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/user_dirs.h"

namespace kinescope {

namespace {

constexpr std::array kPhases = {Phase::load, Phase::encode, Phase::denoise, Phase::decode, Phase::save};

/// How much work a phase is, in units that its time is proportional to; loading and encoding do not depend on the size.
double work(Phase phase, const VideoRequest& request) {
    const double pixels = static_cast<double>(*request.width) * *request.height * *request.num_frames;
    const int passes = *request.guidance_scale > 1 ? 2 : 1;
    switch (phase) {
        case Phase::denoise:
            return pixels * *request.num_inference_steps * passes;
        case Phase::decode:
            return pixels;
        default:
            return 1;
    }
}

std::string key(const VideoRequest& request, const std::string& device) {
    return request.model + "|" + device + "|" + request.dtype;
}

Json read_all(const std::filesystem::path& file) {
    try {
        return read_json(file);
    } catch (const Error&) {
        return Json::object();
    }
}

}  // namespace

std::map<Phase, double> Timings::estimate(const VideoRequest& request, const std::string& device) const {
    const Json all = read_all(file_);
    const Json known = all.is_object() ? all.value(key(request, device), Json()) : Json();
    std::map<Phase, double> seconds;
    for (const Phase phase : kPhases) {
        const auto found = known.is_object() ? known.find(to_string(phase)) : known.end();
        if (found == known.end() || !found->is_number()) return {};
        seconds[phase] = found->get<double>() * work(phase, request);
    }
    return seconds;
}

void Timings::learn(const VideoRequest& request, const std::string& device, const RunResult& result) const {
    Json all = read_all(file_);
    if (!all.is_object()) all = Json::object();
    Json& entry = all[key(request, device)] = Json::object();
    for (const Phase phase : kPhases) {
        const auto seconds = result.seconds_by_phase.find(to_string(phase));
        entry[to_string(phase)] =
            seconds == result.seconds_by_phase.end() ? 0.0 : seconds->second / work(phase, request);
    }
    try {
        std::filesystem::create_directories(file_.parent_path());
        write_file_atomically(file_, all.dump(1));
    } catch (const std::exception&) {
        return;
    }
}

std::filesystem::path default_timings_file() {
    return user_cache_dir() / "timings.json";
}

}  // namespace kinescope
