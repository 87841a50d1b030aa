#include "core/jobs/plan/presets.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>
#include <tuple>

#include "core/api/byte_size.h"
#include "core/api/joined.h"
#include "core/api/video_request_json.h"
#include "core/base/config_reader.h"
#include "core/base/folder_entries.h"
#include "core/device/dtype.h"
#include "core/device/dtype_support.h"
#include "core/models/model_family.h"

namespace kinescope {

namespace {

using RequestJson = nlohmann::ordered_json;

constexpr int kTypicalCapability = 86;  ///< of a GPU that this computer does not have, times 10

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
    throw Error(ErrorCode::bad_config, "The preset " + file.string() + " is invalid: " + why, {},
                {{"path", file.string()}});
}

std::int64_t byte_size(const ConfigReader& reader, const char* key) {
    const std::string text = reader.text(key, "");
    if (text.empty()) return 0;
    const auto bytes = parse_byte_size(text);
    if (!bytes) reader.refuse(key, "expected a size such as 12GiB");
    return *bytes;
}

/// Throws Error(bad_config) for an unknown family, because the preset would never be offered.
void check_family(const ConfigReader& reader, const std::string& family) {
    if (family.empty()) return;
    if (std::ranges::find(model_families(), family, &ModelFamily::name) != model_families().end()) return;
    reader.refuse("family", "it must be one of " + joined(model_families(), ", ", &ModelFamily::name));
}

std::string kind_name(DeviceKind kind) {
    switch (kind) {
        case DeviceKind::cuda:
            return "cuda";
        case DeviceKind::mps:
            return "mps";
        case DeviceKind::cpu:
            break;
    }
    return "cpu";
}

std::optional<DeviceKind> read_device_kind(const ConfigReader& reader) {
    const std::string name = reader.text("device", "");
    if (name.empty()) return std::nullopt;
    for (const DeviceKind kind : {DeviceKind::cpu, DeviceKind::cuda, DeviceKind::mps})
        if (name == kind_name(kind)) return kind;
    reader.refuse("device", "it must be cpu, cuda or mps");
}

Preset::Match read_match(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    Preset::Match match{.device_kind = read_device_kind(reader),
                        .capability_from = reader.number("capability_from", 0, {0, 99}),
                        .capability_below = reader.number("capability_below", 0, {0, 99}),
                        .memory_from_bytes = byte_size(reader, "memory_from"),
                        .memory_below_bytes = byte_size(reader, "memory_below"),
                        .native_dtype = reader.text("native_dtype", ""),
                        .family = reader.text("family", ""),
                        .needs = reader.flag("needs_lora", false) ? PresetNeeds::lora : PresetNeeds::nothing,
                        .choice = reader.flag("automatic", true) ? Preset::Choice::automatic : Preset::Choice::by_name};
    check_family(reader, match.family);
    return match;
}

Preset::LoraModel read_lora_model(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    return {.family = reader.text("family", ""), .variant = reader.text("variant", "")};
}

Preset read_preset(const std::filesystem::path& file, Preset::Origin origin) {
    const Json json = read_json(file);
    if (!json.is_object()) refuse(file, "it is not a JSON object");
    const ConfigReader reader(json, file);
    Preset preset{.name = reader.text("name", file.stem().string()),
                  .description = reader.text("description", ""),
                  .match = read_match(json.value("match", Json::object()), file),
                  .request = json.value("request", Json::object()),
                  .fit_memory_bytes = byte_size(reader, "fit_memory"),
                  .lora_model = read_lora_model(json.value("lora_model", Json::object()), file),
                  .origin = origin,
                  .file = file};
    VideoRequest unused;
    const auto faults = read_request(RequestJson(preset.request), {}, unused);
    if (!faults.empty()) refuse(file, faults.front().message);
    // A preset from elsewhere must not set the prompt or name other files than LoRAs, which the window shows; earlier
    // versions saved inputs, too.
    preset.request = Json(preset_fields_in(RequestJson(preset.request)));
    return preset;
}

/// Returns the JSON files of a folder, sorted by file name.
std::vector<std::filesystem::path> json_files(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code ignored;
    for (const auto& entry : entries_of(folder, ignored))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

/// Returns a sort key that orders numbers by their value: gpu-8gb before gpu-12gb.
std::tuple<std::string, int, std::string> order_of(const Preset& preset) {
    const std::string& name = preset.name;
    const auto digit = std::min(name.find_first_of("0123456789"), name.size());
    int number = 0;
    std::from_chars(name.data() + digit, name.data() + name.size(), number);
    return {name.substr(0, digit), number, name};
}

}  // namespace

PresetList read_presets(const std::filesystem::path& shipped, const std::filesystem::path& user) {
    std::map<std::string, Preset> presets;
    PresetList list;
    const auto add = [&presets](Preset preset) { presets.insert_or_assign(preset.name, std::move(preset)); };
    for (const auto& file : json_files(shipped)) add(read_preset(file, Preset::Origin::shipped));
    for (const auto& file : json_files(user)) {
        try {
            add(read_preset(file, Preset::Origin::user));
        } catch (const Error& error) {
            list.faults.push_back(error.message());
        }
    }
    for (auto& [name, preset] : presets) list.presets.push_back(std::move(preset));
    std::ranges::sort(list.presets, {}, order_of);
    return list;
}

namespace {

bool fits(const Preset::Match& match, const DeviceCapability& device) {
    const double capability = device.compute_major + device.compute_minor / 10.0;
    const std::int64_t memory = device.memory_total_bytes;
    const auto dtype = parse_dtype(match.native_dtype);
    return (!match.device_kind || match.device_kind == device.kind) && capability >= match.capability_from &&
           (match.capability_below == 0 || capability < match.capability_below) && memory >= match.memory_from_bytes &&
           (match.memory_below_bytes == 0 || memory < match.memory_below_bytes) &&
           (match.native_dtype.empty() || (dtype && compute_support(device, *dtype) == DtypeSupport::native));
}

bool fits(const Preset::Match& match, const ModelCard& card) {
    return match.family.empty() || match.family == card.family;
}

/// Returns a sort key that is larger for more specific presets.
auto rank(const Preset& preset) {
    return std::tuple(preset.origin == Preset::Origin::user, !preset.match.native_dtype.empty(),
                      !preset.match.family.empty(), preset.match.memory_from_bytes, preset.match.capability_from);
}

}  // namespace

const Preset* best_preset(const std::vector<Preset>& presets, const DeviceCapability& device, const ModelCard& card) {
    const Preset* best = nullptr;
    for (const Preset& preset : presets) {
        const bool may = preset.match.choice == Preset::Choice::automatic;
        if (may && fits(preset.match, device) && fits(preset.match, card) &&
            (best == nullptr || rank(preset) > rank(*best)))
            best = &preset;
    }
    return best;
}

namespace {

[[noreturn]] void throw_unknown(const std::string& name, const PresetList& list, const ModelCard& card) {
    std::string words = "preset '" + name + "' does not exist; it may be auto";
    for (const Preset& preset : list.presets)
        if (fits(preset.match, card)) words += ", " + preset.name;
    for (const std::string& fault : list.faults) words += "; " + fault;
    throw bad_request({{"preset", words, "auto"}});
}

const Preset& find_preset(const PresetList& list, const std::string& name, const ModelCard& card) {
    const auto found = std::ranges::find(list.presets, name, &Preset::name);
    if (found == list.presets.end()) throw_unknown(name, list, card);
    if (fits(found->match, card)) return *found;
    throw bad_request(
        {{"preset",
          "preset '" + name + "' is for models of the family " + found->match.family + "; this is " + card.family,
          "auto"}});
}

std::string machine_words(const DeviceCapability& device) {
    return device_id(device) + " (" + device.name + ", " + format_byte_size(device.memory_total_bytes) + ")";
}

/// Returns a memory range such as "10.0 GiB to 14.0 GiB", or an empty string if the range has no bounds.
std::string memory_words(const Preset::Match& match) {
    const std::string from = format_byte_size(match.memory_from_bytes);
    const std::string below = format_byte_size(match.memory_below_bytes);
    if (match.memory_below_bytes == 0) return match.memory_from_bytes == 0 ? "" : from + " or more";
    return match.memory_from_bytes == 0 ? "below " + below : from + " to " + below;
}

std::string capability_words(const Preset::Match& match) {
    std::string words;
    if (match.capability_from > 0) words = "compute capability " + Json(match.capability_from).dump() + " or higher";
    if (match.capability_below > 0)
        words += (words.empty() ? "compute capability below " : ", below ") + Json(match.capability_below).dump();
    return words;
}

/// Returns a description of the machines that a preset is for, or an empty string if it is for all machines.
std::string machines_of(const Preset::Match& match) {
    const std::string dtype = match.native_dtype.empty() ? "" : "native " + match.native_dtype;
    const std::string kind = match.device_kind ? kind_name(*match.device_kind) : "";
    return joined(std::array{kind, capability_words(match), memory_words(match), dtype}, ", ");
}

std::string value_words(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Returns a list of the settings. Adds the model card's default to each setting that differs from it.
std::string settings_words(const Json& settings, const ModelCard& card) {
    const RequestJson own = request_document(with_defaults(VideoRequest(), card));
    std::string words;
    for (const auto& [key, value] : settings.items()) {
        words.append(words.empty() ? "" : ", ").append(key).append(" ").append(value_words(value));
        const bool is_other = own.contains(key) && value.is_number() && own[key].get<double>() != value.get<double>();
        if (is_other) words.append(" (the model's default: ").append(own[key].dump()).append(")");
    }
    return words.empty() ? "sets no value that the request leaves unset" : "sets " + words;
}

bool takes_loras(const ModelCard& card, const Preset::LoraModel& model) {
    return model.family.empty() || (model.family == card.family && model.variant == card.variant);
}

/// Returns warnings about a preset that does not fit the device, the model or the request.
std::vector<std::string> preset_warnings(const Preset& preset, const VideoRequest& request,
                                         const DeviceCapability& device, const ModelCard& card) {
    std::vector<std::string> notes;
    if (!fits(preset.match, device))
        notes.push_back("preset " + preset.name + " is made for " + machines_of(preset.match) + "; this is " +
                        machine_words(device));
    if (preset.request.contains("loras") && !takes_loras(card, preset.lora_model))
        notes.push_back("preset " + preset.name + ": its LoRAs are left out, because they are for " +
                        preset.lora_model.variant + "; this is " + card.variant);
    if (preset.match.needs == PresetNeeds::lora && request.loras.empty())
        notes.push_back(
            "preset " + preset.name +
            ": its number of steps needs a distilled LoRA; none is given, so the frames will be unfinished");
    return notes;
}

/// Returns the device whose memory determines the settings: the user's own if the preset is made for it, otherwise a
/// typical one. All of its memory counts as free, so that the same request always gets the same settings.
DeviceCapability device_to_fit(const Preset& preset, DeviceCapability device) {
    if (!fits(preset.match, device)) {
        device = DeviceCapability();
        device.kind = DeviceKind::cuda;
        device.compute_major = kTypicalCapability / 10;
        device.compute_minor = kTypicalCapability % 10;
        device.memory_total_bytes = preset.fit_memory_bytes;
    }
    device.memory_free_bytes = device.memory_total_bytes;
    return device;
}

/// Returns the preset's fields for a model, including those that are computed for this request.
Json fields_of(const Preset& preset, const VideoRequest& request, const DeviceCapability& device, const ModelCard& card,
               const FieldsThatFit& fit) {
    Json fields = preset.request;
    if (!takes_loras(card, preset.lora_model)) fields.erase("loras");
    if (preset.fit_memory_bytes > 0) fields.update(fit(request, device_to_fit(preset, device)));
    return fields;
}

/// Returns those of `fields` that the request leaves unset.
Json unset_fields(const Json& fields, const VideoRequest& request) {
    const RequestJson own = request_document(request);
    const RequestJson untouched = request_document(VideoRequest());
    Json open = Json::object();
    for (const auto& [key, value] : fields.items())
        if (own.value(key, RequestJson()) == untouched.value(key, RequestJson())) open[key] = value;
    return open;
}

VideoRequest with_fields(VideoRequest request, const Json& fields) {
    read_request(RequestJson(fields), {}, request);
    return request;
}

/// Removes numbers above the model's defaults, because shipped presets reduce the work for small machines.
void drop_larger_values(Json& fields, const ModelCard& card) {
    const auto drop = [&fields](const char* key, int most) {
        if (fields.contains(key) && fields[key] > most) fields.erase(key);
    };
    drop("num_frames", card.default_num_frames);
    drop("num_inference_steps", card.default_num_inference_steps);
}

/// Replaces each value that the model does not support with the value that the validation suggests, or removes it.
Json fitted(const Preset& preset, Json fields, const VideoRequest& asked, const ModelCard& card) {
    if (preset.origin == Preset::Origin::shipped) drop_larger_values(fields, card);
    const VideoRequest request = with_fields(asked, fields);
    for (const Fault& fault : validate(request, card)) {
        if (!fields.contains(fault.field)) continue;
        const Json fix = try_parse_json(fault.fix);
        if (fix.is_number())
            fields[fault.field] = fix;
        else
            fields.erase(fault.field);
    }
    return fields;
}

}  // namespace

PresetChoice apply_preset(const VideoRequest& request, const PresetList& list, const DeviceCapability& device,
                          const ModelCard& card, const FieldsThatFit& fit) {
    PresetChoice choice{.request = request, .notes = {}};
    choice.request.preset.reset();
    if (!request.preset) return choice;
    choice.notes = list.faults;
    const Preset* best = best_preset(list.presets, device, card);
    const bool is_automatic = *request.preset == "auto";
    if (is_automatic && best == nullptr) {
        choice.notes.push_back("no preset matches " + machine_words(device));
        return choice;
    }
    const Preset& preset = is_automatic ? *best : find_preset(list, *request.preset, card);
    const Json fields =
        fitted(preset, unset_fields(fields_of(preset, choice.request, device, card, fit), choice.request),
               choice.request, card);
    choice.request = with_fields(std::move(choice.request), fields);
    choice.notes.push_back("preset " + preset.name + ", " +
                           (is_automatic ? "because it matches " + machine_words(device) : "as requested") + ": " +
                           settings_words(fields, card));
    if (!preset.description.empty()) choice.notes.push_back("preset " + preset.name + ": " + preset.description);
    std::ranges::move(preset_warnings(preset, choice.request, device, card), std::back_inserter(choice.notes));
    return choice;
}

std::vector<PresetInfo> describe_presets(const VideoRequest& request, const std::vector<Preset>& presets,
                                         const DeviceCapability& device, const ModelCard& card,
                                         const FieldsThatFit& fit) {
    const Preset* best = best_preset(presets, device, card);
    std::vector<PresetInfo> rows;
    for (const Preset& preset : presets) {
        if (!fits(preset.match, card)) continue;
        const Json fields = fitted(preset, fields_of(preset, request, device, card, fit), request, card);
        rows.push_back({.name = preset.name,
                        .description = preset.description,
                        .fields = fields.dump(),
                        .file = preset.file,
                        .written = preset.request.dump(),
                        .machine = machines_of(preset.match),
                        .family = preset.match.family,
                        .needs = preset.match.needs,
                        .fits = fits(preset.match, device),
                        .own = preset.origin == Preset::Origin::user,
                        .best = &preset == best});
    }
    return rows;
}

std::string suggest_preset(const VideoRequest& request, const std::vector<Preset>& presets,
                           const DeviceCapability& device, const ModelCard& card, const FieldsThatFit& fit) {
    const Preset* best = best_preset(presets, device, card);
    if (request.preset || best == nullptr) return {};
    const Json fields =
        fitted(*best, unset_fields(fields_of(*best, request, device, card, fit), request), request, card);
    if (fields.empty()) return {};
    return "no preset is used; --preset " + best->name + " matches " + machine_words(device) + ": " +
           settings_words(fields, card);
}

}  // namespace kinescope
