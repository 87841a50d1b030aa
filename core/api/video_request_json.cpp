#include "core/api/video_request_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

#include "core/api/bounded_json.h"
#include "core/api/byte_size.h"
#include "core/api/extra_fields.h"
#include "core/api/guard_mode_names.h"
#include "core/api/guidance_fields.h"
#include "core/api/normal_path.h"

namespace kinescope {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kComponents = {"text_encoder",  "vae",       "image_encoder",  "transformer",
                                    "transformer_2", "tokenizer", "image_processor"};
constexpr std::array kContent = {"model",
                                 "loras",
                                 "preview_decoder",
                                 "prompt",
                                 "negative_prompt",
                                 "next_prompts",
                                 "image",
                                 "last_image",
                                 "conditions",
                                 "image_fit",
                                 "video",
                                 "strength",
                                 "mask",
                                 "control",
                                 "control_fit",
                                 "reference_images",
                                 "continue_video",
                                 "conditioning_scale",
                                 "seed",
                                 "variation_of",
                                 "preset",
                                 "upscale",
                                 "upscale_factor",
                                 "interpolate",
                                 "audio",
                                 "audio_start",
                                 "audio_fade_in",
                                 "audio_fade_out",
                                 "audio_loop",
                                 "interpolation_factor",
                                 "output",
                                 "overwrite",
                                 "settings_in_file",
                                 "numeric_log",
                                 "numeric_csv",
                                 "interpolation_fps",
                                 "latents",
                                 "originals",
                                 "frames",
                                 "preview_dir",
                                 "variation_strength"};
/// Options of the command line whose names are not those of their keys, without the dashes in front.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOptionKeys = {
    {{"steps", "num_inference_steps"},
     {"lora", "loras"},
     {"condition", "conditions"},
     {"reference_image", "reference_images"},
     {"continue", "continue_video"},
     {"next_prompt", "next_prompts"}}};
constexpr std::array kIgnored = {"reference", "task", "precision", "notes"};

constexpr std::array<std::pair<RaisedPrecision, const char*>, 2> kRaisedPrecisions = {
    {{RaisedPrecision::scaled, "scaled"}, {RaisedPrecision::float32, "float32"}}};
constexpr std::array<std::pair<OffloadMode, const char*>, 4> kOffloadModes = {
    {{OffloadMode::automatic, "auto"},
     {OffloadMode::none, "none"},
     {OffloadMode::blocks, "blocks"},
     {OffloadMode::components, "components"}}};
constexpr std::array<std::pair<DecodeMode, const char*>, 2> kDecodeModes = {
    {{DecodeMode::full, "full"}, {DecodeMode::draft, "draft"}}};
constexpr std::array<std::pair<PreviewMode, const char*>, 2> kPreviewModes = {
    {{PreviewMode::automatic, "auto"}, {PreviewMode::latent, "latent"}}};
constexpr std::array<GuidanceMethod, 5> kGuidanceMethods = {GuidanceMethod::standard, GuidanceMethod::cfg_zero_star,
                                                            GuidanceMethod::apg, GuidanceMethod::skip_layer,
                                                            GuidanceMethod::nag};

constexpr std::array<std::pair<ControlSource, const char*>, 4> kControlSources = {{{ControlSource::ready, "ready"},
                                                                                   {ControlSource::edges, "edges"},
                                                                                   {ControlSource::gray, "gray"},
                                                                                   {ControlSource::flow, "flow"}}};
constexpr std::array<std::pair<ImageFit, const char*>, 2> kImageFits = {
    {{ImageFit::crop, "crop"}, {ImageFit::stretch, "stretch"}}};
constexpr std::array<std::pair<ControlFit, const char*>, 2> kControlFits = {
    {{ControlFit::stretch, "stretch"}, {ControlFit::reference, "reference"}}};

/// A size in bytes: in JSON a number, or a string such as "12GiB".
struct ByteSize {
    std::optional<std::int64_t>& bytes;
};

/// The value of VideoRequest::reproducible: in JSON a boolean or a number of threads.
struct FixedThreads {
    std::optional<int>& count;
};
constexpr int kMostThreads = 1024;

/// A file that may be named without its folder, see named_file.
struct NamedFile {
    std::filesystem::path& path;
};

template <class Visitor>
void visit_finish(FinishSteps& finish, Visitor&& visit) {
    visit("upscale", NamedFile{finish.upscaler});
    visit("upscale_factor", finish.upscale_factor);
    visit("interpolate", NamedFile{finish.interpolator});
    visit("interpolation_factor", finish.interpolation_factor);
    visit("interpolation_fps", finish.interpolation_fps);
    visit("audio", finish.audio.file);
    visit("audio_start", finish.audio.start);
    visit("audio_fade_in", finish.audio.fade_in);
    visit("audio_fade_out", finish.audio.fade_out);
    visit("audio_loop", finish.audio.length);
}

/// Calls `visit(key, value)` for every key of a request, in the order of the fields. Used for reading and writing.
template <class Visitor>
void visit_fields(VideoRequest& request, Visitor&& visit) {
    visit("model", request.model);
    visit("loras", request.loras);
    visit("prompt", request.prompt);
    visit("negative_prompt", request.negative_prompt);
    visit("image", request.image);
    visit("last_image", request.last_image);
    visit("conditions", request.conditions);
    visit("image_fit", request.image_fit);
    visit("video", request.video);
    visit("strength", request.strength);
    visit("mask", request.mask);
    visit("reference_images", request.reference_images);
    visit("conditioning_scale", request.conditioning_scale);
    visit("control", request.control);
    visit("control_fit", request.control_fit);
    visit("continue_video", request.continue_video);
    visit("next_prompts", request.next_prompts);
    visit("width", request.width);
    visit("height", request.height);
    visit("num_frames", request.num_frames);
    visit("fps", request.fps);
    visit("num_inference_steps", request.num_inference_steps);
    visit("guidance_scale", request.guidance_scale);
    visit("guidance_scale_2", request.guidance_scale_2);
    visit("use_dynamic_cfg", request.use_dynamic_cfg);
    visit("guidance_start", request.guidance_start);
    visit("guidance_stop", request.guidance_stop);
    visit("step_cache", request.step_cache);
    visit("flow_shift", request.flow_shift);
    visit("scheduler", request.scheduler);
    visit("seed", request.seed);
    visit("max_sequence_length", request.max_sequence_length);
    visit("variation_of", request.variation_of);
    visit("variation_strength", request.variation_strength);
    visit("guidance_method", request.guidance_method);
    visit("skip_layer_guidance_layers", request.skip_layer_guidance_layers);
    visit_guidance_fields(request, visit);
    visit_extra_fields(request, visit);
    visit("preset", request.preset);
    visit("device", request.device);
    visit("dtype", request.dtype);
    visit("storage", request.storage);
    visit("text_encoder_dtype", request.text_encoder_dtype);
    visit("vae_dtype", request.vae_dtype);
    visit("allow_half_accumulation", request.half_accumulation);
    visit("guard", request.guard);
    visit("overrides", request.overrides);
    visit("offload", request.offload);
    visit("vae_tiling", request.vae_tiling);
    visit("decode", request.decode);
    visit("previews", request.previews);
    visit("preview_decoder", request.preview_decoder);
    visit("max_memory", ByteSize{request.max_memory_bytes});
    visit("threads", request.threads);
    visit("reproducible", FixedThreads{request.reproducible});
    visit_finish(request.finish, visit);
    visit("output", request.output.file);
    visit("overwrite", request.output.overwrite);
    visit("codec", request.output.codec);
    visit("crf", request.output.crf);
    visit("settings_in_file", request.output.settings);
    visit("numeric_log", request.output.numeric_log);
    visit("numeric_csv", request.output.numeric_csv);
    visit("latents", request.output.latents);
    visit("frames", request.output.frames);
    visit("preview_dir", request.output.preview_dir);
    visit("originals", request.originals);
}

/// Writes the fields that are set.
class Writer {
public:
    explicit Writer(Json& json) : json_(json) {}

    void operator()(const char* key, const std::string& value) {
        if (!value.empty() || std::string_view(key) == "prompt") json_[key] = value;
    }
    void operator()(const char* key, const std::filesystem::path& value) { (*this)(key, value.string()); }
    void operator()(const char* key, const ByteSize& value) { (*this)(key, value.bytes); }
    void operator()(const char* key, const NamedFile& value) { (*this)(key, value.path); }
    void operator()(const char* key, const std::vector<LoraRequest>& value) {
        for (const auto& [path, scale] : value) json_[key].push_back({{"path", path.string()}, {"scale", scale}});
    }
    void operator()(const char* key, const std::vector<FrameCondition>& value) {
        for (const auto& [file, frame_index, strength, num_frames] : value) {
            json_[key].push_back({{num_frames > 0 ? "video" : "image", file.string()},
                                  {"frame_index", frame_index},
                                  {"strength", strength}});
            if (num_frames > 0) json_[key].back()["num_frames"] = num_frames;
        }
    }
    void operator()(const char* key, const std::vector<std::filesystem::path>& value) {
        for (const auto& path : value) json_[key].push_back(path.string());
    }
    void operator()(const char* key, const std::map<std::filesystem::path, std::filesystem::path>& value) {
        for (const auto& [copy, original] : value) json_[key][copy.string()] = original.string();
    }
    void operator()(const char* key, const std::vector<std::string>& value) {
        if (!value.empty()) json_[key] = value;
    }
    void operator()(const char* key, const std::vector<double>& value) {
        if (value.size() == 1)
            json_[key] = value.front();
        else if (!value.empty())
            json_[key] = value;
    }
    void operator()(const char* key, HalfAccumulation value) {
        if (value == HalfAccumulation::allowed) json_[key] = true;
    }
    void operator()(const char* key, const FixedThreads& value) {
        if (!value.count) return;
        if (*value.count > 0)
            json_[key] = *value.count;
        else
            json_[key] = true;
    }
    void operator()(const char* key, const std::optional<std::vector<OverrideRequest>>& value) {
        if (!value) return;
        json_[key] = Json::array();
        for (const auto& [component, site, precision] : *value)
            json_[key].push_back(
                {{"component", component}, {"site", site}, {"precision", name_of(kRaisedPrecisions, precision)}});
    }
    void operator()(const char* key, OverwriteMode value) {
        if (value == OverwriteMode::overwrite) json_[key] = true;
    }
    void operator()(const char* key, SettingsInFile value) {
        if (value == SettingsInFile::left_out) json_[key] = false;
    }
    void operator()(const char* key, AudioLength value) {
        if (value == AudioLength::loop) json_[key] = true;
    }
    void operator()(const char* key, ControlSource value) {
        if (value != ControlSource::ready) json_[key] = name_of(kControlSources, value);
    }
    void operator()(const char* key, ImageFit value) {
        if (value != ImageFit::crop) json_[key] = name_of(kImageFits, value);
    }
    void operator()(const char* key, ControlFit value) {
        if (value != ControlFit::stretch) json_[key] = name_of(kControlFits, value);
    }
    void operator()(const char* key, DtypeChoice value) { json_[key] = name_of(kDtypeChoiceNames, value); }
    void operator()(const char* key, GuardMode value) { json_[key] = name_of(kGuardModes, value); }
    void operator()(const char* key, OffloadMode value) { json_[key] = name_of(kOffloadModes, value); }
    /// The defaults are left out.
    void operator()(const char* key, DecodeMode value) {
        if (value != DecodeMode::full) json_[key] = name_of(kDecodeModes, value);
    }
    void operator()(const char* key, PreviewMode value) {
        if (value != PreviewMode::automatic) json_[key] = name_of(kPreviewModes, value);
    }
    void operator()(const char* key, const std::optional<GuidanceMethod>& value) {
        if (value) json_[key] = to_string(*value);
    }
    void operator()(const char* key, const std::optional<std::filesystem::path>& value) {
        if (value) json_[key] = value->string();
    }
    template <class Value>
    void operator()(const char* key, const std::optional<Value>& value) {
        if (value) json_[key] = *value;
    }

private:
    template <class Names, class Value>
    static const char* name_of(const Names& names, Value value) {
        for (const auto& [candidate, name] : names)
            if (candidate == value) return name;
        return names.front().second;
    }

    Json& json_;
};

/// Reads existing keys and collects a fault for each value of the wrong type. Null unsets a field.
class Reader {
public:
    Reader(const Json& json, const std::filesystem::path& base) : json_(json), base_(base) {}

    template <class Field>
    void operator()(const char* key, Field&& field) {
        seen_.insert(key);
        const auto found = json_.find(key);
        if (found == json_.end()) return;
        if (found->is_null()) return unset(field);
        const std::string expected = read(*found, field);
        if (expected.empty()) return;
        const bool is_random = key == std::string_view("seed") && *found == "random";  // valid on the command line
        faults_.push_back({key,
                           std::string(key) + " must be " + expected + (is_random ? ", or null for a random one" : "") +
                               "; it is " + found->dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 80),
                           {}});
    }

    void ignore(const char* key) { seen_.insert(key); }

    std::vector<Fault> faults() && {
        for (const auto& item : json_.items())
            if (!seen_.contains(item.key()))
                faults_.push_back(
                    {item.key(),
                     "'" + item.key().substr(0, 80) + "' is not a known key of a request" + meant_key(item.key()),
                     {}});
        return std::move(faults_);
    }

private:
    /// Returns "; the key is num_frames" for a key with the name of an option, such as "num-frames" or "--num-frames".
    std::string meant_key(std::string name) const {
        name.erase(0, name.find_first_not_of('-'));
        std::ranges::replace(name, '-', '_');
        for (const auto& [option, key] : kOptionKeys)
            if (name == option) name = key;
        return seen_.contains(name) ? "; the key is " + name : "";
    }

    template <class Value>
    static void unset(std::optional<Value>& field) {
        field.reset();
    }
    static void unset(ByteSize& field) { field.bytes.reset(); }
    static void unset(FixedThreads& field) { field.count.reset(); }
    template <class Value>
    static void unset(Value&) {}

    /// The command line passes on numbers that no type holds as text.
    static bool is_large_number(const Json& json) {
        constexpr std::size_t kDigits = std::numeric_limits<std::uint64_t>::digits10;
        if (!json.is_string()) return false;
        const auto& text = json.get_ref<const std::string&>();
        return text.size() > kDigits && text.find_first_not_of("0123456789") == std::string::npos;
    }

    // Each read() returns a description of the expected type, or an empty string for a valid value.
    template <class Value>
    std::string read(const Json& json, std::optional<Value>& field) {
        Value value{};
        std::string expected = read(json, value);
        if (expected.empty()) field = std::move(value);
        return expected;
    }
    std::string read(const Json& json, std::string& field) {
        if (!json.is_string()) return "a string";
        field = json.get<std::string>();
        return {};
    }
    std::string read(const Json& json, std::filesystem::path& field) {
        if (!json.is_string()) return "a path";
        const std::filesystem::path path = json.get<std::string>();
        field = path.empty() || base_.empty() ? path : normal_path(base_ / path);
        return {};
    }
    template <class Integer>
    requires std::is_integral_v<Integer> std::string read(const Json& json, Integer& field) {
        if (!json.is_number_integer() && !is_large_number(json)) return "a whole number";
        if (is_large_number(json) || (json.is_number_unsigned() && json.get<std::uint64_t>() > kLargest<Integer>))
            return "a whole number up to " + std::to_string(kLargest<Integer>);
        if (!json.is_number_unsigned() && std::cmp_less(json.get<std::int64_t>(), std::numeric_limits<Integer>::min()))
            return std::is_unsigned_v<Integer> ? "0 or more" : "a whole number";
        field = json.get<Integer>();
        return {};
    }
    std::string read(const Json& json, double& field) {
        if (!json.is_number()) return "a number";
        field = json.get<double>();
        return {};
    }
    /// A name is relative to the base only if that file exists; otherwise, the folders of models have it.
    std::string read(const Json& json, const NamedFile& field) {
        std::string expected = read(json, field.path);
        if (!expected.empty()) return expected;
        const std::filesystem::path name = json.get<std::string>();
        std::error_code ignored;
        if (!name.has_parent_path() && !std::filesystem::exists(field.path, ignored)) field.path = name;
        return {};
    }
    std::string read(const Json& json, ByteSize& field) {
        if (!json.is_string()) return read(json, field.bytes);
        field.bytes = parse_byte_size(json.get<std::string>());
        return field.bytes ? "" : "a size such as 12GiB";
    }
    std::string read(const Json& json, std::vector<LoraRequest>& field) {
        constexpr auto kExpected = "a list of {path, scale}, with scales from -100 to 100";
        if (!json.is_array()) return kExpected;
        field.clear();
        for (const Json& entry : json) {
            LoraRequest lora;
            const Json path = entry.is_object() ? entry.value("path", Json()) : Json();
            const Json scale = entry.is_object() ? entry.value("scale", Json(1.0)) : Json();
            if (!read(path, NamedFile{lora.path}).empty() || lora.path.empty() || !read(scale, lora.scale).empty())
                return kExpected;
            if (!(lora.scale >= -100 && lora.scale <= 100)) return kExpected;
            field.push_back(std::move(lora));
        }
        return {};
    }
    std::string read(const Json& json, std::vector<FrameCondition>& field) {
        constexpr auto kExpected =
            "a list of up to 100 {image or video, frame_index, strength}, with strengths from 0 to 1";
        constexpr std::size_t kMost = 100;
        if (!json.is_array() || json.size() > kMost) return kExpected;
        field.clear();
        for (const Json& entry : json) {
            FrameCondition one;
            const auto value = [&](const char* key, Json fallback) {
                return entry.is_object() ? entry.value(key, std::move(fallback)) : Json();
            };
            // The file decides what it is; the two names exist for readers of the request.
            const char* name = entry.is_object() && entry.contains("video") ? "video" : "image";
            if (!read(value(name, {}), one.file).empty() || one.file.empty() ||
                !read(value("frame_index", 0), one.frame_index).empty() ||
                !read(value("strength", 1.0), one.strength).empty() || !(one.strength >= 0 && one.strength <= 1) ||
                !read(value("num_frames", 0), one.num_frames).empty() || one.num_frames < 0)
                return kExpected;
            field.push_back(std::move(one));
        }
        return {};
    }
    std::string read(const Json& json, std::vector<std::filesystem::path>& field) {
        constexpr auto kExpected = "a list of up to 16 paths";
        constexpr std::size_t kMost = 16;
        if (!json.is_array() || json.size() > kMost) return kExpected;
        field.clear();
        for (const Json& entry : json) {
            std::filesystem::path path;
            if (!read(entry, path).empty() || path.empty()) return kExpected;
            field.push_back(std::move(path));
        }
        return {};
    }
    /// The paths are those of other folders and computers, so they do not depend on the base.
    std::string read(const Json& json, std::map<std::filesystem::path, std::filesystem::path>& field) {
        constexpr auto kExpected = "an object with up to 200 paths";
        constexpr std::size_t kMost = 200;
        if (!json.is_object() || json.size() > kMost) return kExpected;
        field.clear();
        for (const auto& [copy, original] : json.items()) {
            if (!original.is_string() || original.get<std::string>().empty()) return kExpected;
            field[copy] = original.get<std::string>();
        }
        return {};
    }
    std::string read(const Json& json, std::vector<std::string>& field) {
        return read_list(json, field, "a list of up to 100 strings");
    }
    std::string read(const Json& json, std::vector<double>& field) {
        const Json list = json.is_number() ? Json::array({json}) : json;
        return read_list(list, field, "a number or a list of up to 100 numbers");
    }
    std::string read(const Json& json, bool& field) {
        if (!json.is_boolean()) return "true or false";
        field = json.get<bool>();
        return {};
    }
    std::string read(const Json& json, HalfAccumulation& field) {
        if (!json.is_boolean()) return "true or false";
        field = json.get<bool>() ? HalfAccumulation::allowed : HalfAccumulation::forbidden;
        return {};
    }
    std::string read(const Json& json, FixedThreads& field) {
        int count = 0;
        if (!json.is_boolean() && (!read(json, count).empty() || count < 1 || count > kMostThreads))
            return "true, false, or a number of threads up to " + std::to_string(kMostThreads);
        field.count = json == false ? std::nullopt : std::optional(count);
        return {};
    }
    std::string read(const Json& json, std::vector<OverrideRequest>& field) {
        constexpr auto kExpected = "a list of up to 10000 {component, site, precision: scaled or float32}";
        constexpr std::size_t kMost = 10'000;
        if (!json.is_array() || json.size() > kMost) return kExpected;
        for (const Json& entry : json) {
            OverrideRequest one;
            const auto value = [&](const char* key) { return entry.is_object() ? entry.value(key, Json()) : Json(); };
            if (!read(value("component"), one.component).empty() || one.component.empty() ||
                !read(value("site"), one.site).empty() ||
                !read_name(value("precision"), kRaisedPrecisions, one.precision).empty())
                return kExpected;
            field.push_back(std::move(one));
        }
        return {};
    }
    std::string read(const Json& json, OverwriteMode& field) {
        if (!json.is_boolean()) return "true or false";
        field = json.get<bool>() ? OverwriteMode::overwrite : OverwriteMode::refuse;
        return {};
    }
    std::string read(const Json& json, SettingsInFile& field) {
        if (!json.is_boolean()) return "true or false";
        field = json.get<bool>() ? SettingsInFile::kept : SettingsInFile::left_out;
        return {};
    }
    std::string read(const Json& json, AudioLength& field) {
        if (!json.is_boolean()) return "true or false";
        field = json.get<bool>() ? AudioLength::loop : AudioLength::once;
        return {};
    }
    std::string read(const Json& json, ControlSource& field) { return read_name(json, kControlSources, field); }
    std::string read(const Json& json, ImageFit& field) { return read_name(json, kImageFits, field); }
    std::string read(const Json& json, ControlFit& field) { return read_name(json, kControlFits, field); }
    std::string read(const Json& json, DtypeChoice& field) { return read_name(json, kDtypeChoiceNames, field); }
    std::string read(const Json& json, GuardMode& field) { return read_name(json, kGuardModes, field); }
    std::string read(const Json& json, OffloadMode& field) { return read_name(json, kOffloadModes, field); }
    std::string read(const Json& json, DecodeMode& field) { return read_name(json, kDecodeModes, field); }
    std::string read(const Json& json, PreviewMode& field) { return read_name(json, kPreviewModes, field); }
    std::string read(const Json& json, GuidanceMethod& field) {
        const auto method = json.is_string() ? guidance_method_from(json.get<std::string>()) : std::nullopt;
        if (method) {
            field = *method;
            return {};
        }
        std::string expected;
        for (const GuidanceMethod known : kGuidanceMethods)
            expected += (expected.empty() ? "" : " or ") + to_string(known);
        return expected;
    }
    std::string read(const Json& json, std::vector<int>& field) {
        return read_list(json, field, "a list of up to 100 whole numbers");
    }
    template <class Value>
    std::string read_list(const Json& json, std::vector<Value>& field, const char* expected) {
        constexpr std::size_t kMost = 100;
        if (!json.is_array() || json.size() > kMost) return expected;
        field.clear();
        for (const Json& entry : json)
            if (!read(entry, field.emplace_back()).empty()) return expected;
        return {};
    }

    template <class Names, class Value>
    static std::string read_name(const Json& json, const Names& names, Value& field) {
        std::string expected;
        for (const auto& [value, name] : names) {
            if (json == name) {
                field = value;
                return {};
            }
            expected += (expected.empty() ? "" : " or ") + std::string(name);
        }
        return expected;
    }

    template <class Integer>
    static constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<Integer>::max());

    const Json& json_;
    const std::filesystem::path& base_;
    std::set<std::string> seen_;
    std::vector<Fault> faults_;
};

void set_component(VideoRequest& request, const std::string& name, const std::filesystem::path& file) {
    std::erase_if(request.components, [&](const auto& component) { return component.first == name; });
    request.components.emplace_back(name, file);
}

void take_model_from(const std::filesystem::path& base, VideoRequest& request) {
    if (request.model.empty() || request.model == kBuiltinModel || base.empty()) return;
    request.model = normal_path(base / request.model).string();
}

bool is_content(std::string_view key) {
    return std::ranges::find(kContent, key) != kContent.end() ||
           std::ranges::find(kComponents, key) != kComponents.end();
}

template <class Predicate>
Json members_if(const Json& document, Predicate&& takes) {
    Json taken = Json::object();
    for (const auto& [key, value] : document.items())
        if (takes(key)) taken[key] = value;
    return taken;
}

}  // namespace

Json request_document(const VideoRequest& request) {
    Json json = Json::object();
    VideoRequest copy = request;
    visit_fields(copy, Writer(json));
    for (const auto& [component, file] : request.components) json[component] = file.string();
    return json;
}

Json content_document(const VideoRequest& request) {
    return members_if(request_document(request), is_content);
}

Json settings_document(const VideoRequest& request) {
    return settings_in(request_document(request));
}

Json settings_in(const Json& document) {
    return members_if(document, std::not_fn(is_content));
}

Json preset_fields_in(const Json& document) {
    return members_if(document, [](std::string_view key) { return key == "loras" || !is_content(key); });
}

std::vector<Fault> read_request(const Json& json, const std::filesystem::path& base, VideoRequest& request) {
    Reader reader(json, base);
    visit_fields(request, reader);
    for (const char* component : kComponents) {
        std::filesystem::path file;
        reader(component, file);
        if (!file.empty()) set_component(request, component, file);
    }
    for (const char* key : kIgnored) reader.ignore(key);
    if (json.contains("model")) take_model_from(base, request);
    return std::move(reader).faults();
}

namespace {

/// Counts the lines in a message of the parser, "parse error at line 1, column 5: ...", from another number on.
std::string counted_from(int first_line, std::string message) {
    constexpr std::string_view kBegin = "parse error at line ";
    int line = 0;
    if (!message.starts_with(kBegin)) return message;
    const char* const number = message.data() + kBegin.size();
    const auto [end, error] = std::from_chars(number, message.data() + message.size(), line);
    if (error != std::errc()) return message;
    const auto digits = static_cast<std::size_t>(end - number);
    return message.replace(kBegin.size(), digits, std::to_string(line + first_line - 1));
}

}  // namespace

Json parse_request_object(std::string_view text, int first_line) {
    try {
        Json json = parse_ordered_json(text);
        if (json.is_object()) return json;
    } catch (const JsonError& problem) {
        throw Error(ErrorCode::bad_request,
                    "The request is not valid JSON: " + counted_from(first_line, problem.what()));
    }
    throw Error(ErrorCode::bad_request, "The request is not a JSON object");
}

OutputRequest without_files(const OutputRequest& output) {
    OutputRequest kept;
    kept.codec = output.codec;
    kept.crf = output.crf;
    kept.settings = output.settings;
    return kept;
}

std::optional<VideoRequest> request_in_comment(std::string_view comment) {
    const nlohmann::json json = try_parse_json(comment);
    if (!json.is_object() || !json.contains("request")) return std::nullopt;
    return parse_request(json["request"].dump());
}

int stopped_step_in_comment(std::string_view comment) {
    const nlohmann::json json = try_parse_json(comment);
    const auto step = json.is_object() ? json.find("stopped_after_step") : json.end();
    if (step == json.end() || !step->is_number_integer()) return 0;
    const auto number = step->get<std::int64_t>();
    return number > 0 && number <= std::numeric_limits<int>::max() ? static_cast<int>(number) : 0;
}

std::string comment_with(std::string_view comment, const VideoRequest& request) {
    nlohmann::json json = try_parse_json(comment);
    json["request"] = request_document(request);
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string to_json(const VideoRequest& request) {
    return request_document(request).dump(-1, ' ', false, Json::error_handler_t::replace);
}

VideoRequest parse_request(std::string_view text, const std::filesystem::path& base) {
    VideoRequest request;
    if (const auto faults = read_request(parse_request_object(text), base, request); !faults.empty())
        throw bad_request(faults);
    return request;
}

}  // namespace kinescope
