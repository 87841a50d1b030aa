#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "core/api/described_device.h"
#include "core/api/dtype_choice.h"
#include "core/api/extra_fields.h"
#include "core/api/guidance_fields.h"
#include "core/api/joined.h"
#include "core/api/output_files.h"
#include "core/api/range_fault.h"
#include "core/api/scheduler_names.h"
#include "core/api/stream_name.h"
#include "core/api/utf8.h"
#include "core/api/video_endings.h"
#include "core/api/video_finish.h"
#include "core/api/video_parts.h"
#include "core/api/video_request.h"
#include "core/api/video_request_json.h"

namespace kinescope {
namespace {

template <class Names>
bool contains(const Names& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Returns the value of the form multiple * n + offset that is nearest to `value`, between the smallest positive one
/// and `largest`.
int nearest(int value, int multiple, int offset, int largest) {
    const int first = offset == 0 ? multiple : offset;
    const int last = std::max(first, (largest - offset) / multiple * multiple + offset);
    const int clamped = std::clamp(value, first, last);
    return std::clamp((clamped - offset + multiple / 2) / multiple * multiple + offset, first, last);
}

/// Returns a path by which two names of one file are compared: "a/./b/" is "a/b".
std::filesystem::path plain_path(const std::filesystem::path& path) {
    const std::filesystem::path plain = path.lexically_normal();
    return plain.has_filename() ? plain : plain.parent_path();
}

/// Collects the faults of one request for one model card. Unset values are valid.
class Validator {
public:
    Validator(const VideoRequest& request, const ModelCard& card) : request_(request), card_(card) {}

    std::vector<Fault> run() && {
        check_model();
        check_texts();
        check_images();
        check_side("width", request_.width);
        check_side("height", request_.height);
        check_num_frames();
        check_sampling();
        check_guidance_method();
        check_variation();
        check_extra_fields();
        check_device();
        check_output();
        check_finish();
        check_names();
        check_next_parts();
        return std::move(faults_);
    }

private:
    void add(std::string field, std::string message, std::string fix = {}) {
        faults_.push_back({std::move(field), std::move(message), std::move(fix)});
    }

    template <class Number>
    void check_range(const std::string& field, const std::optional<Number>& value, Number low, Number high) {
        if (auto fault = range_fault(field, value, low, high)) faults_.push_back(std::move(*fault));
    }

    void check_compute_dtype(const std::string& field, DtypeChoice value) {
        if (value == DtypeChoice::automatic || std::ranges::find(kComputeDtypes, value) != kComputeDtypes.end()) return;
        std::vector<std::string> known{to_string(DtypeChoice::automatic)};
        for (const DtypeChoice choice : kComputeDtypes) known.push_back(to_string(choice));
        add(field, field + " '" + to_string(value) + "' is unknown; choose one of " + joined(known, ", "),
            known.front());
    }

    void check_model() {
        if (request_.model.empty())
            add("model", "No model is set; specify a folder, a file or 'builtin'", kBuiltinModel);
    }

    void check_text(const std::string& field, const std::string& text) {
        if (const auto position = find_invalid_utf8(text)) {
            add(field, field + " is not valid UTF-8: the bytes at position " + std::to_string(*position) +
                           " are not a character; the text may use another encoding");
            return;
        }
        if (const std::size_t position = text.find('\0'); position != std::string::npos)
            add(field,
                field + " contains a NUL character (U+0000) at position " + std::to_string(position) + "; remove it");
        const std::size_t count = count_characters(text);
        if (count > kMaxPromptCharacters)
            add(field, field + " has " + std::to_string(count) + " characters; the limit is " +
                           std::to_string(kMaxPromptCharacters));
    }

    void check_names() {
        const nlohmann::ordered_json document = request_document(request_);
        for (const auto& [field, value] : document.items())
            if (field != "next_prompts") check_names_in(field, value);  // check_next_parts names the part
    }

    void check_names_in(const std::string& field, const nlohmann::ordered_json& value) {
        if (value.is_string()) check_name(field, value.get_ref<const std::string&>());
        if (!value.is_structured()) return;
        for (const auto& [key, member] : value.items()) {
            check_name(field, key);
            check_names_in(field, member);
        }
    }

    /// Files of jobs hold text in UTF-8 only, so a name in another encoding would come back as another file. The system
    /// reads a path up to its first NUL, which names another file, too.
    void check_name(const std::string& field, const std::string& name) {
        if (has_fault(field)) return;
        if (find_invalid_utf8(name))
            add(field, field + ": the name '" + name + "' is not valid UTF-8; rename the file or the folder");
        else if (name.find('\0') != std::string::npos)
            add(field, field + ": the name contains a NUL character (U+0000); remove it");
    }

    void check_texts() {
        const bool has_image = request_.image || request_.last_image || !request_.conditions.empty();
        const bool from_text = card_.takes_prompt && !has_image;
        if (from_text && is_blank(request_.prompt))
            add("prompt", "prompt is empty; describe what the video shows",
                card_.example_prompts.empty() ? "" : card_.example_prompts.front());
        check_text("prompt", request_.prompt);
        if (request_.negative_prompt) check_text("negative_prompt", *request_.negative_prompt);
    }

    bool can(Task task) const { return std::find(card_.tasks.begin(), card_.tasks.end(), task) != card_.tasks.end(); }

    void check_images() {
        const std::string name = card_.name.empty() ? "This model" : card_.name;
        const bool has_first = request_.image || request_.continue_video;
        if (request_.last_image && !has_first)
            add("image", "last_image is set without image; the first frame is required too");
        else if (request_.image && !can(Task::image_to_video) && !can(Task::first_last_frame_to_video))
            add("image", name + " makes video from text only; leave image out");
        else if (!has_first && !can(Task::text_to_video))
            add("image", name + " makes video from an image; image is required");
        if (request_.last_image && !can(Task::first_last_frame_to_video))
            add("last_image", name + " does not support a last frame; leave last_image out");
        else if (has_first && !request_.last_image && !can(Task::image_to_video) &&
                 can(Task::first_last_frame_to_video))
            add("last_image", name + " makes the frames between two images; last_image is required");
        if (request_.last_image && request_.image && request_.num_frames == 1)
            add("num_frames", "a video between two images needs more than one frame; num_frames is 1");
        check_conditions(name);
        check_video(name);
        check_control(name);
        check_continuation(name);
        check_start_of_variation();
    }

    void check_video(const std::string& name) {
        if (request_.video && card_.video_use == VideoUse::none)
            add("video", name + " does not take a video; leave video out or choose another model");
        if (request_.video && (request_.image || request_.last_image || !request_.conditions.empty()))
            add("video", "video excludes a start image, a last image and conditions; leave video or the images out");
        check_range("strength", request_.strength, 0.0, 1.0);
        if (!request_.strength) return;
        if (!request_.video || card_.video_use != VideoUse::start)
            return add("strength", "strength applies only to a video that the model changes; leave it out");
        const int steps = num_steps();
        if (*request_.strength >= 0 && steps >= 1 && static_cast<int>(steps * *request_.strength) < 1)
            add("strength",
                "strength " + text_of(*request_.strength) + " runs none of the " + text_of(steps) +
                    " steps; it must be at least 1 / " + text_of(steps),
                "1");
    }

    int num_steps() const { return request_.num_inference_steps.value_or(card_.default_num_inference_steps); }

    /// The number of steps that run: with a video that the model changes, not all.
    int num_steps_that_run() const {
        const bool starts_from_video = request_.video && card_.video_use == VideoUse::start;
        const double strength = request_.strength.value_or(card_.default_strength);
        return starts_from_video ? static_cast<int>(num_steps() * std::clamp(strength, 0.0, 1.0)) : num_steps();
    }

    void check_control(const std::string& name) {
        const bool takes_control = card_.video_use == VideoUse::control;
        if (request_.mask && !takes_control)
            add("mask", name + " does not take a mask; leave mask out or choose a VACE model");
        else if (request_.mask && !request_.video)
            add("mask", "mask is set without video; it marks the parts of the video that are generated anew");
        if (request_.control != ControlSource::ready && !takes_control)
            add("control", name + " does not take a control video; leave control out or choose a VACE model");
        else if (request_.control != ControlSource::ready && !request_.video)
            add("control", "control is set without video; it makes the control video from the video");
        if (!request_.reference_images.empty() && !takes_control)
            add("reference_images",
                name + " does not take reference images; leave reference_images out or choose a VACE model");
        const auto& scales = request_.conditioning_scale;
        if (!scales.empty() && !takes_control)
            return add("conditioning_scale", "conditioning_scale has no effect on this model; leave it out");
        if (scales.size() > 1 && static_cast<int>(scales.size()) != card_.num_control_blocks)
            add("conditioning_scale", "conditioning_scale must be one number or one for each of the " +
                                          text_of(card_.num_control_blocks) + " control blocks; it has " +
                                          std::to_string(scales.size()));
        for (const double scale : scales)
            if (!(scale >= 0 && scale <= 10))
                return add("conditioning_scale", "conditioning_scale must be 0 to 10; it is " + text_of(scale), "1");
    }

    /// A variation mixes initial noise, which must not contain parts of a video.
    void check_start_of_variation() {
        const bool starts_from_video = request_.video && card_.video_use == VideoUse::start;
        const bool holds_frames = request_.continue_video && card_.continuation == Continuation::last_latents;
        if (request_.variation_of && (starts_from_video || holds_frames))
            add("variation_of", "variation_of applies only to runs that start from noise; leave it out with a video");
    }

    void check_continuation(const std::string& name) {
        if (!request_.continue_video) return;
        if (card_.continuation == Continuation::none)
            return add("continue_video", name + " cannot continue a video; choose a model that takes an image");
        if (request_.image || request_.video || !request_.conditions.empty())
            add("continue_video",
                "continue_video excludes a start image, a video and conditions, because the video's last frames "
                "replace them");
        if (request_.num_frames.value_or(card_.default_num_frames) == 1)
            add("num_frames", "a continuation needs more than 1 frame, because the first one repeats the video's last",
                text_of(nearest(2 * card_.num_frames_multiple, card_.num_frames_multiple, card_.num_frames_offset,
                                card_.max_num_frames)));
    }

    void check_conditions(const std::string& name) {
        if (!request_.conditions.empty() && !card_.takes_conditions)
            return add("conditions", name + " does not support condition images or videos; leave conditions out");
        std::vector<int> taken;
        if (request_.image) taken.push_back(0);
        const int frames = request_.num_frames.value_or(card_.default_num_frames);
        if (frames < 1) return;  // check_num_frames reports it
        if (request_.last_image) taken.push_back(frames - 1);
        for (const FrameCondition& condition : request_.conditions) {
            if (condition.frame_index < 0 || condition.frame_index >= frames)
                return add("conditions", "conditions contains frame " + text_of(condition.frame_index) +
                                             "; the video has frames 0 to " + text_of(frames - 1));
            if (std::find(taken.begin(), taken.end(), condition.frame_index) != taken.end())
                return add("conditions", "frame " + text_of(condition.frame_index) + " has two conditions");
            if (!(condition.strength >= 0 && condition.strength <= 1))
                return add("conditions", "conditions contains the strength " + text_of(condition.strength) +
                                             "; strengths are 0 to 1");
            taken.push_back(condition.frame_index);
        }
    }

    void check_side(const std::string& field, const std::optional<int>& value) {
        if (!value) return;
        const int multiple = std::max(1, card_.size_multiple);
        const std::string fix = text_of(nearest(*value, multiple, 0, card_.max_side));
        if (*value < 1 || *value > card_.max_side)
            add(field,
                field + " must be " + text_of(multiple) + " to " + text_of(card_.max_side) + " px; it is " +
                    text_of(*value),
                fix);
        else if (*value % multiple != 0)
            add(field,
                field + " must be a multiple of " + text_of(multiple) + "; " + text_of(*value) + " is not, " + fix +
                    " is",
                fix);
    }

    void check_num_frames() {
        if (!request_.num_frames) return;
        const int value = *request_.num_frames;
        const int multiple = std::max(1, card_.num_frames_multiple);
        const int offset = card_.num_frames_offset;
        const std::string fix = text_of(nearest(value, multiple, offset, card_.max_num_frames));
        if (value < 1 || value > card_.max_num_frames)
            add("num_frames", "num_frames must be 1 to " + text_of(card_.max_num_frames) + "; it is " + text_of(value),
                fix);
        else if (value != 1 && (value - offset) % multiple != 0)
            add("num_frames",
                "num_frames must be " + text_of(multiple) + (offset == 0 ? " n" : " n + 1") + "; " + text_of(value) +
                    " is not, " + fix + " is",
                fix);
    }

    void check_sampling() {
        check_range("fps", request_.fps, 1, kMostFps);
        check_range("num_inference_steps", request_.num_inference_steps, 1, 1000);
        check_range("guidance_scale", request_.guidance_scale, 0.0, 100.0);
        if (request_.guidance_scale_2 && !card_.default_guidance_scale_2)
            add("guidance_scale_2", "guidance_scale_2 applies only to models with two experts; leave it out");
        check_range("guidance_scale_2", request_.guidance_scale_2, 0.0, 100.0);
        if (request_.use_dynamic_cfg.value_or(false) && !card_.default_use_dynamic_cfg)
            add("use_dynamic_cfg", "use_dynamic_cfg has no effect on this model; leave it out", "false");
        check_guidance_interval();
        check_range("step_cache", request_.step_cache, 0.0, 1.0);
        check_range("flow_shift", request_.flow_shift, 0.01, 100.0);
        if (request_.scheduler && !contains(card_.schedulers, short_scheduler_name(*request_.scheduler)))
            add("scheduler",
                "scheduler '" + *request_.scheduler + "' does not work with this model; choose one of " +
                    joined(card_.schedulers, ", "),
                card_.schedulers.empty() ? "" : card_.schedulers.front());
        if (!request_.scheduler && !card_.scheduler_fault.empty())
            add("scheduler", card_.scheduler_fault + "; choose another scheduler: " + joined(card_.schedulers, ", "),
                card_.schedulers.empty() ? "" : card_.schedulers.front());
        check_range("max_sequence_length", request_.max_sequence_length, 1, card_.max_sequence_length);
    }

    void check_guidance_interval() {
        check_range("guidance_start", request_.guidance_start, 0.0, 1.0);
        check_range("guidance_stop", request_.guidance_stop, 0.0, 1.0);
        if (request_.guidance_start.value_or(0.0) > request_.guidance_stop.value_or(1.0))
            add("guidance_stop", "guidance_stop must not be below guidance_start", "1");
    }

    std::string model_name() const { return card_.name.empty() ? "This model" : card_.name; }

    void check_guidance_method() {
        const GuidanceMethod method = request_.guidance_method.value_or(GuidanceMethod::standard);
        if (!contains_method(method)) {
            const auto name = [](GuidanceMethod known) { return to_string(known); };
            return add("guidance_method",
                       model_name() + " does not support guidance_method " + to_string(method) + "; choose one of " +
                           joined(card_.guidance_methods, ", ", name),
                       "standard");
        }
        for_each_guidance_field([&](const auto& field) {
            const auto& value = request_.*(field.member);
            if (field.method == method)
                check_range(field.name, value, field.min, field.max);
            else if (value)
                add(field.name, std::string(field.name) + " applies only to guidance_method " +
                                    to_string(field.method) + "; leave it out");
        });
        check_skip_layers(method);
        const int steps = num_steps_that_run();
        const int zero_steps = request_.zero_init_steps.value_or(0);
        if (method == GuidanceMethod::cfg_zero_star && steps > 0 && zero_steps >= steps)
            add("zero_init_steps",
                "zero_init_steps " + text_of(zero_steps) + " leaves out all of the " + text_of(steps) +
                    " steps that run, so that the result is noise; it must be less than " + text_of(steps),
                text_of(steps - 1));
        if (method == GuidanceMethod::nag && is_guided(request_))
            add("guidance_scale",
                "guidance_method nag replaces the second evaluation of guidance; set guidance_scale to 1", "1");
    }

    bool contains_method(GuidanceMethod method) const {
        return std::find(card_.guidance_methods.begin(), card_.guidance_methods.end(), method) !=
               card_.guidance_methods.end();
    }

    void check_skip_layers(GuidanceMethod method) {
        constexpr auto kField = "skip_layer_guidance_layers";
        if (method != GuidanceMethod::skip_layer) {
            if (request_.skip_layer_guidance_layers)
                add(kField, std::string(kField) + " applies only to guidance_method skip_layer; leave it out");
            return;
        }
        if (request_.skip_layer_guidance_start.value_or(0) > request_.skip_layer_guidance_stop.value_or(1))
            add("skip_layer_guidance_stop", "skip_layer_guidance_stop must not be below skip_layer_guidance_start",
                "1");
        if (!request_.skip_layer_guidance_layers) return;
        if (request_.skip_layer_guidance_layers->empty())
            add(kField, std::string(kField) + " is empty; name at least one block");
        for (const int layer : *request_.skip_layer_guidance_layers)
            if (layer < 0 || layer >= card_.num_blocks)
                return add(kField, std::string(kField) + " contains block " + text_of(layer) +
                                       "; the model has blocks 0 to " + text_of(card_.num_blocks - 1));
    }

    void check_variation() {
        if (request_.variation_of && !card_.offers_variations)
            return add("variation_of", model_name() + " does not support variations of a seed; leave it out");
        check_range("variation_strength", request_.variation_strength, 0.0, 1.0);
        if (request_.variation_strength && !request_.variation_of)
            add("variation_strength", "variation_strength has no effect without variation_of; leave it out");
    }

    void check_extra_fields() {
        visit_extra_fields(request_, [this](const char* name, const auto& value) {
            using Value = typename std::decay_t<decltype(value)>::value_type;
            const CardField* field = card_.extra_field(name);
            if (field)
                check_range(name, value, static_cast<Value>(field->min), static_cast<Value>(field->max));
            else if (value)
                add(name, std::string(name) + " has no effect on this model; leave it out");
        });
    }

    static bool is_device(std::string_view name) {
        if (name == "auto" || name == "cpu" || name == "cuda" || name == "mps") return true;
        if (parse_described_device(name)) return true;
        if (!name.starts_with("cuda:")) return false;
        const std::string_view index = name.substr(5);
        return !index.empty() && index.size() <= 2 && index.find_first_not_of("0123456789") == std::string_view::npos;
    }

    void check_device() {
        if (!is_device(request_.device))
            add("device",
                "device '" + request_.device +
                    "' is unknown; choose auto, cpu, cuda, cuda:N or mps; a plan also accepts a GPU described as " +
                    "smNN:NGiB, e.g. sm89:24GiB",
                "auto");
        check_compute_dtype("dtype", request_.dtype);
        check_compute_dtype("text_encoder_dtype", request_.text_encoder_dtype);
        check_compute_dtype("vae_dtype", request_.vae_dtype);
        if (request_.vae_tiling.value_or(false) && !card_.offers_vae_tiling)
            add("vae_tiling", "vae_tiling has no effect on this model; leave it out", "false");
        if (request_.max_memory_bytes && *request_.max_memory_bytes <= 0)
            add("max_memory", "max_memory must be more than 0 bytes; it is " + text_of(*request_.max_memory_bytes));
        check_tiny_decoder();
        check_range("threads", request_.threads, 1, 1024);
    }

    void check_tiny_decoder() {
        if (request_.decode != DecodeMode::draft || !card_.tiny_decoders.empty() || request_.preview_decoder) return;
        add("decode",
            "decode cannot be draft: no tiny decoder is known for the latents of " + model_name() +
                "; name its file with preview_decoder",
            "full");
    }

    void check_output() {
        std::string ending = request_.output.file.extension().string();
        std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
        if (ending == ".png") {
            if (request_.num_frames.value_or(card_.default_num_frames) != 1)
                add("output",
                    "output has the extension '.png', which is for a single frame; set num_frames to 1 or choose "
                    "another format",
                    ".mp4");
        } else if (!ending.empty() && !contains(kVideoEndings, ending))
            add("output",
                "output has the extension '" + ending + "', which is not supported; choose one of " +
                    joined(kVideoEndings, ", ") +
                    ", .png for a single frame, or no extension for a folder of PNG frames",
                ".mp4");
        refuse_stream();
        refuse_count_of_frames();
        check_range("crf", request_.output.crf, 0, 63);
        check_distinct_files();
    }

    void refuse_stream() {
        const std::filesystem::path& file = request_.output.file;
        const StreamName stream = stream_name(file);
        if (stream == StreamName::none) return;
        add("output", "output is '" + file.string() + "', but a video cannot be written to " +
                          (stream == StreamName::url ? "a URL" : "a pipe") + "; name a file or a folder");
    }

    /// The field for the number of frames is easily confused with the one for a file of frames.
    void refuse_count_of_frames() {
        const std::string name = request_.output.frames.string();
        const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
        if (!name.empty() && std::ranges::all_of(name, is_digit))
            add("frames", "frames is '" + name + "', but it names a file; num_frames is the number of frames");
    }

    void check_finish() {
        for (Fault& fault : validate(request_.finish, request_.output.file)) faults_.push_back(std::move(fault));
        if (request_.continue_video && !request_.finish.audio.file.empty())
            refuse_sound(request_.finish.audio.file, "a continued video");
    }

    void refuse_sound(const std::filesystem::path& file, const std::string& video) {
        if (!has_fault("audio"))
            add("audio", "audio: the sound of " + file.string() + " cannot be added to " + video +
                             " while it is made, because its length is not known yet; add it to the finished file");
    }

    /// The faults of the parts after the first one are those of requests that continue a video.
    void check_next_parts() {
        if (request_.next_prompts.empty()) return;
        const auto num_next = static_cast<std::int64_t>(request_.next_prompts.size());
        if (request_.next_prompts.size() > kMostNextPrompts)
            return add("next_prompts", "next_prompts has " + text_of(num_next) + " prompts; the limit is " +
                                           text_of(static_cast<std::int64_t>(kMostNextPrompts)));
        VideoRequest last = part_of(request_, num_parts(request_) - 1);
        last.continue_video = "part";
        if (!last.finish.audio.file.empty()) {
            refuse_sound(last.finish.audio.file, "a video of several parts");
            last.finish.audio = {};
        }
        add_faults_of_part(num_parts(request_), Validator(last, card_).run());
        for (int part = 1; part + 1 < num_parts(request_); ++part) {  // only the prompt can add a fault
            const VideoRequest next = part_of(request_, part);
            Validator validator(next, card_);
            validator.check_texts();
            add_faults_of_part(part + 1, validator.faults_);
        }
    }

    void add_faults_of_part(int number, const std::vector<Fault>& faults) {
        for (const Fault& fault : faults)
            if (!has_fault(fault.field)) add("next_prompts", "part " + text_of(number) + ": " + fault.message);
    }

    bool has_fault(const std::string& field) const {
        return std::ranges::any_of(faults_, [&](const Fault& fault) { return fault.field == field; });
    }

    /// Two results with the same path would overwrite each other.
    void check_distinct_files() {
        const OutputRequest& output = request_.output;
        for (auto later = kOutputFiles.begin(); later != kOutputFiles.end(); ++later) {
            const std::filesystem::path& file = output.*(later->second);
            for (auto earlier = kOutputFiles.begin(); earlier != later; ++earlier)
                if (!file.empty() && plain_path(file) == plain_path(output.*(earlier->second)))
                    add(later->first,
                        std::string(later->first) + " and " + earlier->first + " are the same file: " + file.string());
        }
    }

    const VideoRequest& request_;
    const ModelCard& card_;
    std::vector<Fault> faults_;
};

}  // namespace

std::vector<Fault> validate(const VideoRequest& request, const ModelCard& card) {
    return Validator(request, card).run();
}

}  // namespace kinescope
