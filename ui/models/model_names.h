#pragma once

#include <QObject>
#include <string>
#include <vector>

#include "ui/bridge/engine_bridge.h"

namespace kinescope::ui {

/// The names of the listed models, so that a model has the same name in lists of models, of jobs and of videos.
class ModelNames : public QObject {
    Q_OBJECT

public:
    /// Returns the names that belong to an engine. Creates them with the first call.
    static ModelNames& of(EngineBridge& bridge);

    /// Returns the display name of a model: "Wan 2.1 T2V 1.3B", with the folder if several models have this name. A
    /// model that is not in the list has the name of its folder or file.
    QString nameOf(const std::string& model) const;

Q_SIGNALS:
    void changed();

private:
    explicit ModelNames(EngineBridge& bridge);

    std::vector<ModelCard> cards_;
};

}  // namespace kinescope::ui
