#pragma once

#include <QObject>
#include <QString>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/device_info.h"
#include "core/api/preset_info.h"
#include "core/api/video_request.h"

namespace kinescope::ui {

class EngineBridge;
class RequestModel;

/// The presets for the request's model, and the selected one. Selecting a preset sets every field that any preset sets,
/// so that no value of the previous preset remains. Fields that differ from the preset (or, without one, from the
/// model's defaults) are marked as changed and can be reset.
class PresetModel : public QObject {
    Q_OBJECT

public:
    PresetModel(EngineBridge& bridge, RequestModel& request);

    const std::vector<PresetInfo>& presets() const { return presets_; }
    /// nullptr: none; the values are the model's defaults.
    const PresetInfo* chosen() const;
    /// True if a setting differs from the selected preset or, without one, from the model's default.
    bool isChanged() const { return !changedFields_.empty(); }
    /// The same for one field, named as in the request's JSON; "size" means width and height.
    bool isChanged(std::string_view field) const;
    /// Why the automatic preset was selected: name, memory and capability of the device. Empty until they are known.
    QString reason() const;

    /// Why the selected preset does not suit this request; empty if it does.
    QString doubt() const;

    /// "auto": the best preset for the model and device; empty: none.
    void choose(const QString& name);
    bool isAutomatic() const { return automatic_; }
    /// Selects a preset without changing the request.
    void setChosen(const QString& name);
    /// Resets all settings to the selected preset or the model's defaults.
    void reset();
    void resetField(std::string_view field);
    /// Keeps the restored settings: the preset of a model that is being opened is not applied to them.
    void keepSettings() { applyNext_ = false; }

    // Files. All functions return the error; empty on success.

    /// Saves the request's settings (without prompt, seed, files and model) as a user preset.
    QString save(const QString& name);
    QString exportTo(const QString& file) const;
    /// Adds a preset file to the user's presets and selects it.
    QString importFrom(const QString& file);
    /// Deletes a user preset.
    QString remove(const QString& name);

    /// Folder of the user's presets: $XDG_CONFIG_HOME/kinescope/presets.
    static QString folder();

Q_SIGNALS:
    void changed();

private:
    void onPresetsFound(const std::vector<PresetInfo>& presets);
    void applyChosen();
    void dropSettingsOfPresets();
    void updateChanges();
    VideoRequest base() const;
    std::set<std::string> ownedFields() const;
    void requestPresets();
    QString write(const QString& name, const QByteArray& json);

    EngineBridge& bridge_;
    RequestModel& request_;
    std::vector<PresetInfo> presets_;
    DeviceInfo device_;
    std::string requestedModel_;
    std::string requestedDevice_;
    QString chosen_;
    bool automatic_ = true;
    bool applyNext_ = false;  ///< apply the preset to the request when the presets arrive
    std::set<std::string> changedFields_;
};

/// The settings of a request that belong in a preset, as indented JSON. Excludes everything specific to one video.
QByteArray presetDocument(const QString& name, const VideoRequest& request, const DeviceInfo& device);

/// The display name of a preset; those of shipped presets are translated.
QString presetName(const PresetInfo& preset);
QString presetDescription(const PresetInfo& preset);

}  // namespace kinescope::ui
