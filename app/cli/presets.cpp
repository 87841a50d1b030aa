#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/table.h"
#include "core/api/bounded_json.h"
#include "core/api/joined.h"

namespace kinescope::cli {
namespace {

Json fields_of(const std::string& text) {
    return parse_ordered_json(text);
}

Json preset_json(const PresetInfo& preset) {
    return {{"name", preset.name},
            {"description", preset.description},
            {"device", preset.machine},
            {"family", preset.family},
            {"needs_lora", preset.needs == PresetNeeds::lora},
            {"request", fields_of(preset.written)},
            {"request_for_model", fields_of(preset.fields)},
            {"file", preset.file.string()},
            {"fits", preset.fits},
            {"own", preset.own},
            {"auto", preset.best}};
}

/// Returns what the preset sets for the model, e.g. "step_cache 0.1, dtype fp32".
std::string settings_of(const PresetInfo& preset) {
    const Json fields = fields_of(preset.fields);
    std::vector<std::string> words;
    for (const auto& [key, value] : fields.items())
        words.push_back(key + " " + (value.is_string() ? value.get<std::string>() : value.dump()));
    return joined(words, ", ");
}

std::string models_of(const PresetInfo& preset) {
    const std::string family = preset.family.empty() ? "any" : preset.family;
    return preset.needs == PresetNeeds::lora ? family + ", with a LoRA" : family;
}

void print(std::ostream& out, const std::vector<PresetInfo>& presets) {
    Table table({"preset", "device", "model", "sets", "chosen by auto"});
    for (const PresetInfo& preset : presets)
        table.add({preset.name, preset.machine.empty() ? "any" : preset.machine, models_of(preset), settings_of(preset),
                   preset.best ? "yes" : ""});
    table.print(out);
    out << '\n';
    for (const PresetInfo& preset : presets)
        if (!preset.description.empty()) out << preset.name << ": " << preset.description << '\n';
}

}  // namespace

int list_presets(const Session& session, const PresetsArguments& arguments) {
    VideoRequest request;
    request.model = arguments.model;
    request.device = arguments.device;
    const std::vector<PresetInfo> presets = make_quiet_engine(session)->catalog().presets(request);
    Json rows = Json::array();
    for (const PresetInfo& preset : presets) rows.push_back(preset_json(preset));
    print_json(session, {{"presets", rows}});
    if (session.format == OutputFormat::human) print(session.out, presets);
    return kDone;
}

}  // namespace kinescope::cli
