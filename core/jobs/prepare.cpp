#include "core/jobs/prepare.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <utility>

#include "core/api/byte_size.h"
#include "core/api/color_hints.h"
#include "core/api/component_role.h"
#include "core/api/described_device.h"
#include "core/api/error.h"
#include "core/api/prompt_variants.h"
#include "core/api/user_dirs.h"
#include "core/api/utf8.h"
#include "core/api/video_request_json.h"
#include "core/api/visit_paths.h"
#include "core/api/vocabulary.h"
#include "core/base/peak_memory.h"
#include "core/base/significant.h"
#include "core/device/backend.h"
#include "core/jobs/input_facts.h"
#include "core/jobs/plan/fit_video.h"
#include "core/jobs/plan/memory_plan.h"
#include "core/jobs/plan/open_weights.h"
#include "core/jobs/plan/tiny_decoder.h"
#include "core/jobs/tools/helper_weights.h"
#include "core/media/check_encoder.h"
#include "core/media/clip_traits.h"
#include "core/media/frame_source.h"
#include "core/media/output_path.h"
#include "core/models/discovery/model_folders.h"
#include "core/models/discovery/model_loras.h"
#include "core/weights/lora_file.h"

namespace kinescope {

std::filesystem::path model_path(const std::string& model, const std::filesystem::path& resources_dir) {
    if (model != kBuiltinModel) return model;
    if (resources_dir.empty())
        throw Error(ErrorCode::file_not_found,
                    "The built-in model is missing: the program's resource files were not found",
                    "Move the program back to its original folder, or set the folder of the resource files with "
                    "--resources DIR.");
    return resources_dir / "demo_model";
}

namespace {

/// Reads the files of a model. Says what another file is, such as an upscaler.
ModelFiles read_files(const std::filesystem::path& path, const WeightCheck& check) {
    try {
        return read_model_files(path, check);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::model_unknown) refuse_helper(path, check);
        throw;
    }
}

}  // namespace

IdentifiedModel identify_model(const std::string& model, const std::filesystem::path& resources_dir,
                               const std::vector<std::pair<std::string, std::filesystem::path>>& replaced,
                               const WeightCheck& check) {
    IdentifiedModel identified;
    const bool is_builtin = model == kBuiltinModel;
    identified.files = read_files(model_path(model, resources_dir), is_builtin ? WeightCheck() : check);
    if (!replaced.empty()) identified.files.check_weights = check;
    // The denoiser decides which other components the model uses.
    auto ordered = replaced;
    std::ranges::stable_partition(ordered,
                                  [](const auto& one) { return role_of(one.first) == ComponentRole::denoiser; });
    for (const auto& [name, path] : ordered) identified.files.replace(name, path);
    identified.family = &find_family(identified.files);
    identified.card = identified.family->card(identified.files);
    identified.card.id = model;
    return identified;
}

StoredFormat stored_format(const CheckpointReader& weights) {
    std::map<Dtype, std::int64_t> plain;
    std::map<std::pair<Dtype, std::string>, std::int64_t> quantized;
    std::int64_t balance = 0;
    for (const TensorEntry& entry : weights.entries()) {
        if (is_quantized(entry))
            quantized[{entry.dtype, packing_name(entry.packing)}] += entry.bytes;
        else
            plain[entry.dtype] += entry.bytes;
        balance += is_quantized(entry) ? entry.bytes : -entry.bytes;
    }
    const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    if (!quantized.empty() && (balance > 0 || plain.empty())) {
        const auto& [format, bytes] = *std::max_element(quantized.begin(), quantized.end(), fewer);
        return {format.first, format.second};
    }
    return plain.empty() ? StoredFormat() : StoredFormat(std::max_element(plain.begin(), plain.end(), fewer)->first);
}

namespace {

/// Draws a seed below 2^53, which every JSON reader represents exactly.
std::uint64_t draw_large_seed() {
    std::random_device device;
    return (static_cast<std::uint64_t>(device()) << 32 | device()) & ((std::uint64_t{1} << 53) - 1);
}

/// Replaces the empty prompts of later parts, which a plan accepts, so that they hide no other faults.
VideoRequest with_next_prompts(VideoRequest request) {
    for (std::string& prompt : request.next_prompts)
        if (is_blank(prompt)) prompt = "part";
    return request;
}

/// Returns the faults of a request. A plan accepts empty prompts; a survey accepts a missing image, too.
std::vector<Fault> faults_of(const VideoRequest& request, const ModelCard& card, Purpose purpose) {
    auto faults = validate(purpose == Purpose::run ? request : with_next_prompts(request), card);
    const auto accept_missing = [&](const char* field) {
        std::erase_if(faults, [&](const Fault& fault) { return fault.field == field; });
    };
    if (purpose != Purpose::run && request.prompt.empty()) accept_missing("prompt");
    if (purpose == Purpose::survey && !request.image) accept_missing("image");
    return faults;
}

/// Returns the format of each component's weights. Throws the errors of opening them, and those of the weights of
/// another model, which a run would find only when it loads them: a VAE after the last step.
StoredDtypes stored_dtypes(const IdentifiedModel& model, Purpose purpose) {
    const auto open = [&](const std::string& name) {
        return purpose == Purpose::run ? model.files.open_weights(name)
                                       : open_or_synthesize_weights(model.files, *model.family, name);
    };
    StoredDtypes stored;
    for (const auto& [name, component] : model.files.components) {
        if (role_of(name) == ComponentRole::none) continue;
        const auto weights = open(name);
        model.family->require_tensors(model.files, name, weights);
        stored[name] = stored_format(*weights);
    }
    return stored;
}

MemoryLimit memory_limit(const ResolvedCompute& compute, const DeviceCapability& device) {
    return {.offload = compute.offload,
            .max_bytes = compute.max_memory_bytes,
            .free_bytes = device.memory_free_bytes,
            .program_bytes = device.kind == DeviceKind::cpu ? resident_memory_bytes() : 0};
}

void refuse_described_device(const std::string& device) {
    if (parse_described_device(device))
        throw Error(ErrorCode::device_unavailable,
                    "device '" + device + "' is a description, which only a plan accepts", "Use --device auto.",
                    {{"device", device}});
}

PrecisionOptions precision_options(const ResolvedCompute& compute) {
    return {.device = compute.device,
            .dtype = compute.dtype,
            .storage = compute.storage,
            .text_encoder_dtype = compute.text_encoder_dtype,
            .vae_dtype = compute.vae_dtype};
}

/// Returns whether the run is monitored: only if the guard or a requested log needs it.
Monitoring monitoring_of(const ResolvedRequest& request) {
    const bool is_logged = !request.output.numeric_log.empty() || !request.output.numeric_csv.empty();
    return request.compute.guard == GuardMode::off && !is_logged ? Monitoring::off : Monitoring::on;
}

/// Returns notes for the user about the decisions that were made for the run.
std::vector<std::string> notes_about(const ResolvedRequest& request, const std::vector<DeviceCapability>& devices,
                                     const ModelCard& card) {
    std::vector<std::string> notes;
    if (request.compute.device == "auto") notes = skipped_devices(devices);
    if (std::string hint = vocabulary_hint(request.content.prompt, card); !hint.empty())
        notes.push_back(std::move(hint));
    if (std::string hint = background_hint(request.content.prompt, card); !hint.empty())
        notes.push_back(std::move(hint));
    if (std::string hint = shape_color_hint(request.content.prompt, card); !hint.empty())
        notes.push_back(std::move(hint));
    if (has_unpaired_alternatives(request.content.prompt)) notes.emplace_back(kUnpairedAlternativesNote);
    if (request.compute.half_accumulation == HalfAccumulation::allowed)
        notes.emplace_back(
            "matrix products may accumulate in half precision, as requested: sums can overflow or lose small terms");
    return notes;
}

/// Returns a note if the model folder has no settings of its scheduler, so that the run uses the defaults of the class.
/// Otherwise returns an empty string.
std::string default_scheduler_note(const ModelFiles& files, const ResolvedSampling& sampling, const ModelCard& card) {
    const auto found = files.components.find("scheduler");
    const bool has_settings = found != files.components.end() && !found->second.config.is_null();
    if (has_settings || !files.index.contains("scheduler")) return {};
    const std::string& name = sampling.scheduler.empty() ? card.schedulers.front() : sampling.scheduler;
    const std::string shift = card.default_flow_shift ? " and flow_shift " + significant(sampling.flow_shift, 4) : "";
    return (files.root / "scheduler" / "scheduler_config.json").string() +
           " is missing, so the run uses the default settings of the scheduler " + name + shift +
           "; the settings of the model may differ";
}

/// Returns a note if a run on the CPU needs more memory than is free, which may be its end. Otherwise returns an empty
/// string. A GPU that runs out of memory only refuses an allocation.
std::string shortage_note(std::int64_t planned_bytes, const MemoryLimit& limit, const DeviceCapability& device) {
    const std::int64_t free_bytes = device.memory_free_bytes;
    if (device.kind != DeviceKind::cpu || free_bytes == 0 || planned_bytes - limit.program_bytes <= free_bytes)
        return {};
    const std::string& cause = device.memory_limit.text;
    return "the run needs " + format_byte_size(planned_bytes - limit.program_bytes) + " more memory, but only " +
           format_byte_size(free_bytes) + " are free" + (cause.empty() ? "" : ": " + cause) +
           "; the system may end the program";
}

/// Reports unreadable images before anything is loaded.
void check_images(const VideoRequest& request, const PrepareOptions& options) {
    for (const auto& file : {request.image, request.last_image})
        if (file) options.check_image(*file);
    for (const FrameCondition& condition : request.conditions)
        if (!names_video(condition.file)) options.check_image(condition.file);
    for (const auto& file : request.reference_images) options.check_image(file);
}

/// Reports unreadable sound and an unknown encoder before anything is loaded. A survey has neither. Returns warnings
/// about the sound.
std::vector<std::string> check_sound_and_encoder(const VideoRequest& request, const PrepareOptions& options) {
    if (options.purpose == Purpose::survey) return {};
    std::vector<std::string> warnings;
    const std::filesystem::path& sound = request.finish.audio.file;
    if (!sound.empty() && options.check_sound && options.check_sound(sound) == FileExtent::cut)
        warnings.push_back(note_about_cut_sound(sound));
    const bool writes_nothing = options.purpose == Purpose::run && request.output.file.empty();
    if (!writes_nothing) check_encoder(request.output);
    return warnings;
}

/// Notes the sizes of pictures that become frames, which may be stretched.
void note_images(const VideoRequest& request, NotingReader& noting) {
    for (const auto& file : {request.image, request.last_image})
        if (file && names_pictures(*file)) noting(*file, 0);
}

/// Has the headers of the networks that finish a video read in another process before anything is loaded.
void check_networks(const FinishSteps& steps, const WeightCheck& check) {
    for (const auto& file : {steps.upscaler, steps.interpolator})
        if (check && !file.empty()) check(file);
}

}  // namespace

PresetList presets(const PrepareOptions& options) {
    return read_presets(options.resources_dir / "presets", user_dirs().config / "presets");
}

namespace {

/// Returns the function that plans the peak memory of requests for one model on one device. A request that exceeds the
/// limit that it sets counts as larger than any device.
PlannedPeak peak_on(const IdentifiedModel& model, const DeviceCapability& device) {
    return [&model, device, stored = stored_dtypes(model, Purpose::survey)](const VideoRequest& asked) {
        const ResolvedRequest request = resolve_request(asked, model.card, /*seed=*/0);
        ComputePolicy policy = resolve_compute_policy(precision_options(request.compute), stored, device, model.card);
        const MemoryJob job{.files = model.files, .family = *model.family, .request = request};
        try {
            fit_into_memory(job, memory_limit(request.compute, device), policy);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::out_of_memory) throw;
            return std::numeric_limits<std::int64_t>::max();
        }
        return plan_memory(job, /*program_bytes=*/0, policy).peak_bytes();
    };
}

/// Leaves out a size that follows from the inputs anyway, so that it goes on following them.
void leave_unset(VideoRequest& fitted, Size size) {
    if (fitted.width != size.width || fitted.height != size.height) return;
    fitted.width.reset();
    fitted.height.reset();
}

Json fields_that_differ(const VideoRequest& fitted, const VideoRequest& request) {
    const auto before = request_document(request);
    const auto after = request_document(fitted);
    const nlohmann::ordered_json unset;
    Json fields = Json::object();
    for (const char* key : {"width", "height", "num_frames", "vae_tiling"})
        if (after.value(key, unset) != before.value(key, unset)) fields[key] = Json(after.at(key));
    return fields;
}

}  // namespace

FieldsThatFit fields_that_fit(const IdentifiedModel& model, ReadClip read) {
    return [&model, read = std::move(read)](const VideoRequest& asked, const DeviceCapability& device) {
        try {
            VideoRequest request = asked;
            request.preset.reset();
            request.device = "auto";  // the request may name another device than the preset is made for
            const MemoryLimit limit{.free_bytes = device.memory_free_bytes};
            const Size largest = input_size(request, model.card, read);
            auto fitted = fit_video(request, model.card, largest, limit.bytes(), peak_on(model, device));
            if (!fitted) return Json::object();
            if (!request.width && !request.height) leave_unset(*fitted, largest);
            return fields_that_differ(*fitted, request);
        } catch (const Error&) {
            return Json::object();  // the plan reports it
        }
    };
}

namespace {

PresetChoice with_preset(const VideoRequest& request, const PrepareOptions& options, const IdentifiedModel& model) {
    if (!request.preset) return {.request = request, .notes = {}};
    return apply_preset(request, presets(options), choose_device(request.device, options.devices), model.card,
                        fields_that_fit(model, options.read_clip));
}

/// LoRAs and networks may be named without their folder, and a LoRA by the folder that contains only it.
void find_named_files(VideoRequest& request) {
    for (LoraRequest& lora : request.loras) lora.path = lora_weights(named_file(lora.path, kLoraKind));
    request.finish = with_found_networks(std::move(request.finish));
}

/// Returns the files of pictures, videos and sound from which a video is made.
std::vector<std::filesystem::path> sources_of(VideoRequest request) {
    std::vector<std::filesystem::path> sources;
    visit_paths(request, [&](PathUse use, const std::filesystem::path& path) {
        if (use == PathUse::input) sources.push_back(path);
    });
    return sources;
}

}  // namespace

FinishMemory finish_memory_of(const ResolvedRequest& request, const Device& device) {
    if (!request.finish.changes_frames()) return {};
    const NetworkSizes sizes = network_sizes(request.finish);
    const ResolvedContent& content = request.content;
    const FinishPlan plan = plan_finish(
        {.width = content.width, .height = content.height, .num_frames = content.num_frames, .rate = {content.fps, 1}},
        request.finish, network_scale(sizes));
    return finish_memory(plan, sizes, {}, device);
}

FinishSteps with_found_networks(FinishSteps steps) {
    for (std::filesystem::path* file : {&steps.upscaler, &steps.interpolator}) *file = named_file(*file, kUpscalerKind);
    return steps;
}

void check_finish(const FinishSteps& steps, const PrepareOptions& options) {
    const FinishSteps found = with_found_networks(steps);
    check_networks(found, options.check_weights);
    network_sizes(found);
}

void refuse_to_replace_sources(const VideoRequest& request) {
    refuse_to_replace(sources_of(request), request.output.file);
}

namespace {

/// Returns a note about a prompt that is longer than the model reads; empty if it is not. A token has at least one
/// byte, so short prompts need no tokenizer.
std::string cut_prompt_note(const IdentifiedModel& model, const ResolvedRequest& request) {
    const int length = request.sampling.max_sequence_length;
    const std::string& prompt = request.content.prompt;
    if (!model.card.takes_prompt || std::ssize(prompt) <= length) return {};
    const int count = model.family->count_tokens(model.files, prompt);
    if (count <= length) return {};
    return "the prompt has " + std::to_string(count) + " tokens; the model reads only the first " +
           std::to_string(length);
}

/// Returns the note for a run or a plan. A plan does not need the files of the tokenizer.
std::string cut_prompt_note(const IdentifiedModel& model, const ResolvedRequest& request, Purpose purpose) {
    if (purpose == Purpose::survey) return {};
    try {
        return cut_prompt_note(model, request);
    } catch (const Error&) {
        if (purpose == Purpose::run) throw;
        return {};
    }
}

}  // namespace

PreparedRun prepare_job(const VideoRequest& asked, const PrepareOptions& options) {
    if (options.purpose == Purpose::run) refuse_described_device(asked.device);
    refuse_to_replace_sources(asked);
    IdentifiedModel model = identify_model(asked.model, options.resources_dir, asked.components, options.check_weights);
    auto [request, notes] = with_preset(asked, options, model);
    find_named_files(request);
    NotingReader noting(options.read_clip);
    request = with_video_facts(std::move(request), model.card, std::ref(noting));
    // The card's defaults come from the model's files, so they are validated too.
    if (const auto faults = faults_of(with_defaults(request, model.card), model.card, options.purpose); !faults.empty())
        throw bad_request(faults);
    check_images(request, options);
    PreparedRun job;
    job.warnings = check_sound_and_encoder(request, options);
    note_images(request, noting);
    check_networks(request.finish, options.check_weights);
    job.request = resolve_request(request, model.card, draw_large_seed());
    const ResolvedCompute& compute = job.request.compute;
    std::ranges::move(noting.notes(asked, job.request.content, model.card.video_use), std::back_inserter(notes));
    model.files.require_complete();
    for (const auto& name : model.card.missing) model.files.component(name);  // throws with possible replacements
    const StoredDtypes stored = stored_dtypes(model, options.purpose);
    std::ranges::move(add_loras(model.files, job.request.content.loras, options.check_weights),
                      std::back_inserter(notes));
    const DeviceCapability device = choose_device(compute.device, options.devices);
    job.policy = resolve_compute_policy(precision_options(compute), stored, device, model.card);
    MemoryJob memory{.files = model.files, .family = *model.family, .request = job.request};
    memory.finish = finish_memory_of(job.request, job.policy.device());
    memory.touched_bytes = job.touched_bytes = options.touched_bytes;
    memory.reading_bytes = job.reading_bytes = noting.most_reading_bytes();
    job.continued_frames = noting.num_frames(job.request.content.continue_video);
    job.continued_count = noting.how_counted(job.request.content.continue_video);
    const TinyDecoderChoice tiny_decoder = choose_tiny_decoder(memory, model.card, options.check_weights);
    memory.preview_bytes = job.preview_bytes = tiny_decoder.preview_bytes;
    memory.draft_bytes = job.draft_bytes = tiny_decoder.draft_bytes;
    const MemoryLimit limit = memory_limit(compute, device);
    job.least_memory = fit_into_memory(memory, limit, job.policy);
    job.planned_memory_bytes = plan_memory(memory, limit.program_bytes, job.policy).peak_bytes();
    job.policy_summary = summarize(job.policy, stored, accumulation_name(compute.half_accumulation));
    job.libraries = library_versions();
    job.read_clip = with_warnings(options.read_clip);
    job.read_mask = with_warnings(options.read_mask);
    job.monitoring = monitoring_of(job.request);
    job.notes = notes_about(job.request, options.devices, model.card);
    std::ranges::move(notes, std::back_inserter(job.notes));
    std::ranges::copy(tiny_decoder.notes, std::back_inserter(job.notes));
    std::string cut = cut_prompt_note(model, job.request, options.purpose);
    if (!cut.empty()) job.notes.push_back(std::move(cut));
    std::string scheduler = default_scheduler_note(model.files, job.request.sampling, model.card);
    if (!scheduler.empty()) job.notes.push_back(std::move(scheduler));
    std::string shortage = shortage_note(job.planned_memory_bytes, limit, device);
    if (options.purpose == Purpose::run && !shortage.empty()) job.notes.push_back(std::move(shortage));
    job.tiny_decoder = tiny_decoder.file;
    job.files = std::move(model.files);
    job.family = model.family;
    job.card = std::move(model.card);
    return job;
}

}  // namespace kinescope
