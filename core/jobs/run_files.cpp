#include "core/jobs/run_files.h"

#include <ATen/ATen.h>

#include <map>
#include <utility>

#include "core/weights/safetensors_reader.h"
#include "core/weights/safetensors_writer.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

using Tensors = std::map<std::string, Tensor>;
using Metadata = std::map<std::string, std::string>;

constexpr const char* kConditioningFile = "conditioning.safetensors";
constexpr const char* kStepFile = "step.safetensors";
constexpr const char* kDetailPrefix = "details.";
constexpr const char* kModelOutputPrefix = "scheduler.model_outputs.";
constexpr const char* kOffsetPrefix = "cache.offsets.";

/// The named members of Conditioning, so that writing and reading cannot differ.
template <class Conditions, class Visit>
void visit_tensors(Conditions& conditioning, Visit visit) {
    visit("prompt_embeds", conditioning.prompt_embeds);
    visit("negative_prompt_embeds", conditioning.negative_prompt_embeds);
    visit("prompt_embeds_2", conditioning.prompt_embeds_2);
    visit("negative_prompt_embeds_2", conditioning.negative_prompt_embeds_2);
    visit("image_embeds", conditioning.image_embeds);
    visit("condition", conditioning.condition);
    visit("added_time_ids", conditioning.added_time_ids);
    visit("input_ids", conditioning.input_ids);
    visit("attention_mask", conditioning.attention_mask);
}

/// Tensors go back to the device that they were on.
void put(Tensors& tensors, Metadata& metadata, const std::string& name, const Tensor& tensor) {
    if (!tensor.defined()) return;
    tensors[name] = tensor;
    if (!tensor.is_cpu()) metadata["device." + name] = tensor.device().str();
}

void put(Tensors& tensors, Metadata& metadata, const std::string& prefix, const std::vector<Tensor>& list) {
    for (std::size_t i = 0; i < list.size(); ++i) put(tensors, metadata, prefix + std::to_string(i), list[i]);
}

/// An own copy: the file will be replaced. Undefined: it is not there.
Tensor get(const CheckpointReader& file, const std::string& name) {
    for (const TensorEntry& entry : file.entries()) {
        if (entry.name != name) continue;
        const auto device = file.metadata().find("device." + name);
        const Tensor tensor = file.read(name).clone();
        return device == file.metadata().end() ? tensor : tensor.to(Device(device->second));
    }
    return {};
}

Tensor required(const CheckpointReader& file, const std::string& name) {
    Tensor tensor = get(file, name);
    if (!tensor.defined()) throw JsonError("'" + name + "' is missing");
    return tensor;
}

std::vector<Tensor> required(const CheckpointReader& file, const std::string& prefix, int count) {
    std::vector<Tensor> list;
    for (int i = 0; i < count; ++i) list.push_back(required(file, prefix + std::to_string(i)));
    return list;
}

PredictionCacheState get_cache(const CheckpointReader& file, const Json& json) {
    return {.latents = get(file, "cache.latents"),
            .prediction = get(file, "cache.prediction"),
            .offsets = required(file, kOffsetPrefix, json.at("num_offsets")),
            .rate = json.at("rate"),
            .expected_error = json.at("expected_error"),
            .expert = json.at("expert")};
}

Json position_json(const RunPosition& position) {
    return {{"step", position.step},
            {"this_order", position.scheduler.this_order},
            {"lower_order_nums", position.scheduler.lower_order_nums},
            {"num_model_outputs", position.scheduler.model_outputs.size()},
            {"cache",
             {{"num_offsets", position.cache.offsets.size()},
              {"rate", position.cache.rate},
              {"expected_error", position.cache.expected_error},
              {"expert", position.cache.expert}}},
            {"recorder", to_json(position.recorder)},
            {"seconds_by_phase", position.seconds_by_phase}};
}

void put_position(Tensors& tensors, Metadata& metadata, const RunPosition& position) {
    put(tensors, metadata, "latents", position.latents);
    put(tensors, metadata, "noise", position.noise);
    put(tensors, metadata, "scheduler.last_sample", position.scheduler.last_sample);
    put(tensors, metadata, kModelOutputPrefix, position.scheduler.model_outputs);
    put(tensors, metadata, "cache.latents", position.cache.latents);
    put(tensors, metadata, "cache.prediction", position.cache.prediction);
    put(tensors, metadata, kOffsetPrefix, position.cache.offsets);
    metadata["position"] = position_json(position).dump();
    metadata["step"] = std::to_string(position.step);
}

RunPosition get_position(const CheckpointReader& file) {
    const Json json = parse_json(file.metadata().at("position"));
    RunPosition position{.step = json.at("step"), .latents = get(file, "latents"), .scheduler = {}, .recorder = {}};
    position.noise = required(file, "noise");
    position.scheduler.last_sample = get(file, "scheduler.last_sample");
    position.scheduler.model_outputs = required(file, kModelOutputPrefix, json.at("num_model_outputs"));
    position.cache = get_cache(file, json.at("cache"));
    position.scheduler.this_order = json.at("this_order");
    position.scheduler.lower_order_nums = json.at("lower_order_nums");
    position.recorder = recorder_state_from(json.at("recorder"));
    position.seconds_by_phase = json.at("seconds_by_phase").get<std::map<std::string, double>>();
    return position;
}

Conditioning get_conditioning(const CheckpointReader& file) {
    Conditioning conditioning;
    visit_tensors(conditioning, [&](const char* name, Tensor& tensor) { tensor = get(file, name); });
    for (const TensorEntry& entry : file.entries()) {
        if (!entry.name.starts_with(kDetailPrefix)) continue;
        conditioning.details[entry.name.substr(std::string_view(kDetailPrefix).size())] = get(file, entry.name);
    }
    return conditioning;
}

Error not_usable(const fs::path& folder, const std::string& reason) {
    return {ErrorCode::bad_config, "the steps kept in " + folder.string() + " cannot be gone on with: " + reason};
}

/// nullptr: there is no such file.
std::unique_ptr<SafetensorsReader> open_kept(const fs::path& file, const std::string& fingerprint) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return nullptr;
    auto reader = std::make_unique<SafetensorsReader>(file);
    const auto found = reader->metadata().find("fingerprint");
    if (found == reader->metadata().end() || found->second != fingerprint)
        throw not_usable(file.parent_path(), "the program, the model or the device is another one now");
    return reader;
}

}  // namespace

std::optional<KeptRun> RunFiles::recall() {
    const auto conditioning = open_kept(folder_ / kConditioningFile, fingerprint_);
    if (conditioning == nullptr) return std::nullopt;
    const auto step = open_kept(folder_ / kStepFile, fingerprint_);
    try {
        KeptRun kept{.conditioning = get_conditioning(*conditioning),
                     .noise_after_encode = required(*conditioning, "noise"),
                     .position = get_position(step == nullptr ? *conditioning : *step)};
        if (kept.position.step > 0 && !kept.position.latents.defined()) throw JsonError("'latents' is missing");
        return kept;
    } catch (const std::out_of_range& error) {
        throw not_usable(folder_, error.what());
    } catch (const JsonError& error) {
        throw not_usable(folder_, error.what());
    } catch (const Json::exception& error) {
        throw not_usable(folder_, error.what());
    }
}

void RunFiles::keep_conditioning(const Conditioning& conditioning, const RunPosition& position) {
    Tensors tensors;
    Metadata metadata{{"fingerprint", fingerprint_}};
    visit_tensors(conditioning, [&](const char* name, const Tensor& tensor) { put(tensors, metadata, name, tensor); });
    for (const auto& [name, tensor] : conditioning.details) put(tensors, metadata, kDetailPrefix + name, tensor);
    put_position(tensors, metadata, position);
    write_safetensors(folder_ / kConditioningFile, tensors, metadata);
}

void RunFiles::keep_step(const RunPosition& position) {
    Tensors tensors;
    Metadata metadata{{"fingerprint", fingerprint_}};
    put_position(tensors, metadata, position);
    write_safetensors(folder_ / kStepFile, tensors, metadata);
}

void RunFiles::forget() {
    remove_run_files(folder_);
}

int kept_step(const fs::path& folder) {
    try {
        std::error_code ignored;
        if (!fs::exists(folder / kStepFile, ignored)) return 0;
        const SafetensorsReader reader(folder / kStepFile);
        return std::stoi(reader.metadata().at("step"));
    } catch (const std::exception&) {
        return 0;
    }
}

void remove_run_files(const fs::path& folder) {
    std::error_code ignored;
    fs::remove(folder / kStepFile, ignored);  // first: without it the conditioning is a run before its first step
    fs::remove(folder / kConditioningFile, ignored);
}

}  // namespace kinescope
