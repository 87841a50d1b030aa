#include "core/jobs/prepare.h"

#include <algorithm>
#include <iterator>
#include <map>
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

bool holds_weights(const std::string& component) {
    return component.starts_with("text_encoder") || component.starts_with("transformer") || component == "vae" ||
           component == "unet" || component == "image_encoder";
}

StoredDtypes stored_dtypes(const ModelFiles& files) {
    StoredDtypes stored;
    for (const auto& [name, component] : files.components)
        if (holds_weights(name)) stored[name] = stored_dtype(*files.open_weights(name));
    return stored;
}

/// Wishes that a request may hold but that no family fulfils yet: refused, never ignored.
std::vector<Fault> unfulfilled(const VideoRequest& request) {
    std::vector<Fault> faults;
    const auto refuse = [&](const std::string& field, const std::string& value, const std::string& cure) {
        faults.push_back({field, field + " " + value + " is not supported by this version; " + cure + " is", cure});
    };
    if (request.storage == "fp8" || request.storage == "gguf") refuse("storage", request.storage, "auto");
    if (request.offload == OffloadMode::blocks) refuse("offload", "blocks", "components");
    if (request.max_memory_bytes)
        faults.push_back({"max_memory", "max_memory is not supported by this version; leave it out", ""});
    return faults;
}

}  // namespace

VideoJob prepare_job(const VideoRequest& request, const std::filesystem::path& resources_dir) {
    IdentifiedModel model = identify_model(request.model, resources_dir);
    VideoJob job;
    job.request = resolve_request(request, model.card);
    if (!job.request.seed) job.request.seed = draw_seed();
    // Resolved first: the card's own defaults come from files, too.
    std::vector<Fault> faults = validate(job.request, model.card);
    std::ranges::move(unfulfilled(request), std::back_inserter(faults));
    if (!faults.empty()) throw bad_request(faults);
    for (const auto& [name, path] : request.components) model.files.replace(name, path);
    const StoredDtypes stored = stored_dtypes(model.files);
    const DeviceCapability device = choose_device(request.device, usable_devices());
    const PrecisionWish wish{.device = request.device,
                             .dtype = request.dtype,
                             .storage = request.storage,
                             .text_encoder_dtype = request.text_encoder_dtype,
                             .vae_dtype = request.vae_dtype};
    job.policy = resolve_compute_policy(wish, stored, device);
    job.policy_summary = summarize(job.policy, stored, accumulation_name(request.half_accumulation));
    job.libraries = library_versions();
    job.files = std::move(model.files);
    job.family = model.family;
    job.card = std::move(model.card);
    return job;
}

}  // namespace kinescope
