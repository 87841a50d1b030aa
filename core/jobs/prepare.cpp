#include "core/jobs/prepare.h"

#include <algorithm>
#include <random>

#include "core/device/backend.h"

namespace kinescope {

std::filesystem::path model_path(const std::string& model, const std::filesystem::path& resources_dir) {
    return model == "builtin" ? resources_dir / "demo_model" : std::filesystem::path(model);
}

IdentifiedModel identify_model(const std::string& model, const std::filesystem::path& resources_dir) {
    IdentifiedModel identified;
    identified.files = read_model_files(model_path(model, resources_dir));
    identified.family = &find_family(identified.files);
    identified.card = identified.family->card(identified.files);
    identified.card.id = model;
    return identified;
}

Dtype stored_dtype(const CheckpointReader& weights) {
    std::map<Dtype, std::int64_t> bytes;
    for (const TensorEntry& entry : weights.entries()) bytes[entry.dtype] += entry.bytes;
    const auto most =
        std::max_element(bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == bytes.end() ? at::kFloat : most->first;
}

namespace {

/// 2^53 keeps a seed exact in every JSON reader.
std::int64_t draw_seed() {
    std::random_device device;
    return static_cast<std::int64_t>((static_cast<std::uint64_t>(device()) << 32 | device()) &
                                     ((std::uint64_t{1} << 53) - 1));
}

StoredDtypes stored_dtypes(const ModelFiles& files) {
    return {.text_encoder = stored_dtype(*files.open_weights("text_encoder")),
            .transformer = stored_dtype(*files.open_weights("transformer")),
            .vae = stored_dtype(*files.open_weights("vae"))};
}

}  // namespace

VideoJob prepare_job(const VideoRequest& request, const std::filesystem::path& resources_dir) {
    IdentifiedModel model = identify_model(request.model, resources_dir);
    if (const auto faults = validate(request, model.card); !faults.empty()) throw bad_request(faults);

    VideoJob job;
    job.request = resolve_request(request, model.card);
    if (!job.request.seed) job.request.seed = draw_seed();
    const StoredDtypes stored = stored_dtypes(model.files);
    const DeviceCapability device = choose_device(request.device, usable_devices());
    const PrecisionWish wish{.device = request.device,
                             .dtype = request.dtype,
                             .text_encoder_dtype = request.text_encoder_dtype,
                             .vae_dtype = request.vae_dtype};
    job.policy = resolve_compute_policy(wish, stored, device);
    job.policy_summary = summarize(job.policy, stored);
    job.libraries = library_versions();
    job.files = std::move(model.files);
    job.family = model.family;
    job.card = std::move(model.card);
    return job;
}

}  // namespace kinescope
