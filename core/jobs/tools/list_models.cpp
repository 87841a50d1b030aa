#include "core/jobs/tools/list_models.h"

#include <exception>

#include "core/api/error.h"
#include "core/api/joined.h"
#include "core/base/log_line.h"
#include "core/jobs/prepare.h"
#include "core/jobs/translate_error.h"
#include "core/models/discovery/model_folders.h"
#include "core/models/discovery/model_scan.h"

namespace kinescope {

namespace {

ModelCard card_of(const std::string& model, const std::filesystem::path& resources_dir, const WeightCheck& check) {
    try {
        const IdentifiedModel identified = identify_model(model, resources_dir, {}, check);
        ModelCard card = identified.card;
        card.recognized_by = identified.files.layout + "; " + *identified.family->match(identified.files);
        if (!identified.files.reasons.empty())
            card.recognized_by += "; " + joined(identified.files.reasons, "; ", &LocalizableMessage::text);
        for (const auto& [name, component] : identified.files.components)
            if (!component.missing.empty()) card.missing.push_back(name);
        return card;
    } catch (...) {  // a model with an unknown fault does not hide the others
        ModelCard card;
        card.id = model;
        card.name = std::filesystem::path(model).filename().string();
        card.recognized_by = translate_error(std::current_exception()).message();
        return card;
    }
}

/// Lists an unusable model folder like a model that cannot be used, so that a mistyped name is noticed.
ModelCard card_of_unusable(const UnusableFolder& folder) {
    ModelCard card;
    card.id = folder.path.string();
    card.name = (folder.path.has_filename() ? folder.path : folder.path.parent_path()).filename().string();
    card.recognized_by = "the model folder " + folder.fault +
                         "; it is named in KINESCOPE_MODELS or under model_folders in settings.json";
    return card;
}

}  // namespace

std::vector<ModelCard> list_models(const std::filesystem::path& resources_dir, const WeightCheck& check) {
    std::vector<ModelCard> cards;
    if (std::filesystem::exists(resources_dir / "demo_model" / "model_index.json"))
        cards.push_back(card_of(kBuiltinModel, resources_dir, check));
    const ModelFolders configured = configured_model_folders();
    for (const auto& model : find_models(scanned_folders(configured), check))
        cards.push_back(card_of(model.string(), resources_dir, check));
    for (const auto& list : configured.unusable_lists) cards.push_back(card_of(list.string(), resources_dir, check));
    for (const UnusableFolder& folder : configured.unusable) {
        log_warning("the model folder " + folder.path.string() + " " + folder.fault);
        cards.push_back(card_of_unusable(folder));
    }
    return cards;
}

}  // namespace kinescope
