#include "ui/models/model_names.h"

#include <algorithm>

#include "ui/models/queue_model.h"
#include "ui/text/words.h"

namespace kinescope::ui {

ModelNames& ModelNames::of(EngineBridge& bridge) {
    if (auto* known = bridge.findChild<ModelNames*>(QString(), Qt::FindDirectChildrenOnly)) return *known;
    return *new ModelNames(bridge);
}

ModelNames::ModelNames(EngineBridge& bridge) : QObject(&bridge) {
    connect(&bridge, &EngineBridge::modelsFound, this, [this](const std::vector<ModelCard>& models) {
        cards_ = models;
        Q_EMIT changed();
    });
}

QString ModelNames::nameOf(const std::string& model) const {
    const auto card = std::ranges::find(cards_, model, &ModelCard::id);
    return card == cards_.end() ? modelPathText(model) : modelNameAmong(*card, cards_);
}

}  // namespace kinescope::ui
