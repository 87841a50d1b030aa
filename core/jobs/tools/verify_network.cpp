#include "core/jobs/tools/verify_network.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/base/json.h"
#include "core/device/backend.h"
#include "core/finish/interpolator.h"
#include "core/finish/pictures.h"
#include "core/finish/tiled_upscaler.h"
#include "core/jobs/tools/compare_tensors.h"
#include "core/jobs/tools/recorded_inputs.h"
#include "core/media/image_io.h"
#include "core/models/tiny_vae/tiny_vae.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

constexpr int kWholePicture = 4096;

/// A case: its request, its reference, and where it runs.
struct NetworkCase {
    fs::path folder;
    Json request;
    std::shared_ptr<const CheckpointReader> expected;
    Precision precision;
    CancellationToken stop;

    fs::path file(const std::string& name) const { return folder / name; }
};

std::string task_name(const fs::path& case_dir) {
    const fs::path file = case_dir / "request.json";
    if (!fs::exists(file)) return {};
    const Json request = read_json(file);
    return request.is_object() && request.contains("task") && request["task"].is_string() ? request["task"] : "";
}

Tensor channels_last(const Tensor& nchw) {
    return nchw.permute({0, 2, 3, 1}).contiguous();
}

VerifyRow compared_pictures(const std::string& component, const std::string& name, const Tensor& actual,
                            const Tensor& expected) {
    VerifyRow row = compare_frames(actual, expected);
    row.component = component;
    row.tensor = name;
    return row;
}

void verify_upscaler(const NetworkCase& one, VerifyReport& report) {
    const auto loaded = load_upscaler(one.file(one.request.at("model").get<std::string>()), one.precision);
    const Tensor image = channels_last(one.expected->read("image"));
    const auto enlarged = [&](const TileSize& size) {
        return TiledUpscaler(loaded.network, one.precision.device, size).enlarge(image, [&] {
            one.stop.throw_if_requested();
        });
    };
    report.rows.push_back(compared_pictures("upscaler", "output", enlarged({.tile = kWholePicture, .overlap = 0}),
                                            channels_last(one.expected->read("output"))));
    if (!one.request.contains("tile")) return;
    const TileSize tiles{.tile = one.request["tile"], .overlap = one.request.at("tile_overlap")};
    report.rows.push_back(compared_pictures("upscaler", "output_tiled", enlarged(tiles),
                                            channels_last(one.expected->read("output_tiled"))));
}

void verify_interpolator(const NetworkCase& one, VerifyReport& report) {
    const auto loaded = load_interpolator(one.file(one.request.at("model").get<std::string>()), one.precision);
    Interpolator interpolator(loaded.network, one.precision.device);
    for (const auto& frame : one.request.at("frames"))
        interpolator.push(
            picture_of(read_image(one.file(frame.get<std::string>()))).permute({0, 3, 1, 2}).contiguous());
    const Tensor frames = one.expected->read("frames");
    std::int64_t index = 0;
    for (const auto& time : one.request.at("timesteps")) {
        one.stop.throw_if_requested();
        const std::string block = std::to_string(std::get<RifeLayout>(loaded.layout).blocks.size() - 1);
        FlowState last;
        const Tensor made = interpolator.at(time.get<double>(), [&](int, const FlowState& state) { last = state; });
        report.rows.push_back(compared_pictures("interpolator", "frames." + std::to_string(index),
                                                channels_last(made.to(at::kCPU)).squeeze(0), frames[index]));
        if (index++ > 0) continue;
        report.rows.push_back(compare_tensor("interpolator", "flow_" + block, last.flow.to(at::kCPU),
                                             one.expected->read("flow_" + block)));
    }
}

void verify_tiny_decoder(const NetworkCase& one, VerifyReport& report) {
    const auto decoder = tiny_vae::load_tiny_vae(one.file(one.request.at("model").get<std::string>()), one.precision);
    SilentProbe probe;
    std::vector<Tensor> frames;
    const Tensor latents = one.expected->read("latents").transpose(1, 2).contiguous();
    decoder->decode(latents.to(one.precision.device), {probe, one.stop},
                    [&](const Tensor& chunk) { frames.push_back(chunk.to(at::kCPU)); });
    report.rows.push_back(compared_pictures("tiny_decoder", "frames", at::cat(frames), one.expected->read("frames")));
}

using VerifyTask = void (*)(const NetworkCase& one, VerifyReport& report);

/// Returns null for other tasks, which a model family runs.
VerifyTask task_of(const fs::path& case_dir) {
    static const std::map<std::string, VerifyTask> tasks{
        {"upscale", verify_upscaler}, {"interpolate", verify_interpolator}, {"tiny_autoencoder", verify_tiny_decoder}};
    const auto found = tasks.find(task_name(case_dir));
    return found == tasks.end() ? nullptr : found->second;
}

}  // namespace

bool is_network_case(const fs::path& case_dir) {
    return task_of(case_dir) != nullptr;
}

VerifyReport verify_network(const fs::path& case_dir, const VerifyOptions& options, const CancellationToken& stop) {
    const NetworkCase one{.folder = case_dir,
                          .request = read_json(case_dir / "request.json"),
                          .expected = open_checkpoint(case_dir / "expected.safetensors"),
                          .precision = {.device = Device(device_id(choose_device(options.device, known_devices())))},
                          .stop = stop};
    VerifyReport report{.case_dir = case_dir};
    with_recorded_inputs(one.expected->files().front(), [&] {
        try {
            task_of(case_dir)(one, report);
        } catch (const Json::exception& error) {
            throw Error(ErrorCode::bad_config, case_dir.string() + "/request.json is not a case: " + error.what());
        }
    });
    report.passed = !report.rows.empty() && std::all_of(report.rows.begin(), report.rows.end(),
                                                        [](const VerifyRow& row) { return row.passed; });
    return report;
}

}  // namespace kinescope
