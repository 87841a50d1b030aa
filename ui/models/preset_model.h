#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/device_info.h"
#include "core/api/preset_info.h"
#include "core/api/video_request.h"
#include "ui/bridge/newest.h"

namespace kinescope::ui {

class EngineBridge;
class RequestModel;

/// What happens to a user preset of the same name.
enum class ExistingPreset { keep, replace };

struct SavedPreset {
    QString name;
    QString fault;         ///< why nothing was saved; empty: saved, or the name is taken
    bool isTaken = false;  ///< a user preset has this name, or one with the same file name, and is kept

    bool isWritten() const { return fault.isEmpty() && !isTaken; }
};

/// A file that may contain a preset.
struct PresetFile {
    QString path;
    QByteArray text;
    QString fault;  ///< why it could not be read; empty: it was read
};

/// A deleted user preset, for PresetModel::restore().
struct DeletedPreset {
    QString name;
    QString file;
    QByteArray content;
    QString fault;  ///< why nothing was deleted; empty: deleted
};

/// The presets for the request's model, and the selected one. Selecting a preset sets every field that any preset sets,
/// so that no value of the previous preset remains. LoRAs of a preset replace those of the request; LoRAs of the
/// previous preset are removed, others stay if the preset has none. Fields that differ from the preset (or, without
/// one, from the model's defaults) are marked as changed and can be reset.
class PresetModel : public QObject {
    Q_OBJECT

public:
    PresetModel(EngineBridge& bridge, RequestModel& request);

    const std::vector<PresetInfo>& presets() const { return presets_; }
    /// Returns the selected preset, or nullptr if none is selected and the values are the model's defaults.
    const PresetInfo* chosen() const;
    /// Returns true if a setting differs from the selected preset or, without a preset, from the model's default.
    bool isChanged() const { return !changedFields_.empty(); }
    /// Returns true if a field differs. `field` is its key in the request's JSON, or "size" for width and height.
    bool isChanged(std::string_view field) const;
    /// Returns why the automatic preset was selected: name, memory and capability of the device. Empty until they are
    /// known.
    QString reason() const;

    /// Returns why the selected preset does not suit this request. Empty if it does.
    QString doubt() const;

    /// Selects a preset by name. "auto" selects the best preset for the model and device; an empty name selects none.
    void choose(const QString& name);
    bool isAutomatic() const { return automatic_; }
    /// Selects a preset without changing the request.
    void setChosen(const QString& name);
    /// Resets all settings to the selected preset or the model's defaults.
    void reset();
    void resetField(std::string_view field);
    /// Keeps settings that were restored: neither the preset of a model that is being opened nor other values of the
    /// preset for a restored picture replace them.
    void keepSettings() { applyNext_ = followNext_ = false; }

    /// Receives what became of a preset. Files are written, one after another, and deleted on a background thread,
    /// because their folder may not respond.
    using Saved = std::function<void(const SavedPreset&)>;
    using Deleted = std::function<void(const DeletedPreset&)>;

    /// Saves the request's settings and LoRAs, see preset_fields_in(), as a user preset, then selects it unless the
    /// user has selected or saved another one meanwhile.
    void save(const QString& name, ExistingPreset existing, const Saved& done);
    /// Reads a file for importFrom(). A background thread should call it, because the file may be in a folder that does
    /// not respond.
    static PresetFile read(const QString& file);
    /// Adds a preset file to the user's presets, then selects it as save() does.
    void importFrom(const PresetFile& file, ExistingPreset existing, const Saved& done);
    /// Deletes a user preset.
    void remove(const QString& name, const Deleted& done);

    /// Writes the file of a deleted preset again. Selects the preset if no other one is selected. Passes an error
    /// message to `done`, or an empty string on success.
    void restore(const DeletedPreset& preset, const std::function<void(const QString& fault)>& done);

    /// Returns the folder of the user's presets, $XDG_CONFIG_HOME/kinescope/presets.
    static QString folder();

Q_SIGNALS:
    void changed();

private:
    void onPresetsFound(const std::vector<PresetInfo>& presets);
    void applyNext();
    void applyChosen(const std::set<std::string>& kept = {});
    void dropSettingsOfPresets();
    std::vector<LoraRequest> chosenLoras() const;
    void removeLoras(const std::vector<LoraRequest>& loras);
    void updateChanges();
    VideoRequest base() const;
    std::set<std::string> ownedFields() const;
    void followInput(const VideoRequest& before);
    void requestPresets();
    void write(const QString& name, const QByteArray& json, ExistingPreset existing, const Saved& done);

    EngineBridge& bridge_;
    RequestModel& request_;
    std::vector<PresetInfo> presets_;
    DeviceInfo device_;
    std::string computer_;  ///< that of device_; empty: this one
    std::string requestedModel_;
    std::string requestedDevice_;
    std::vector<std::filesystem::path> requestedInputs_;
    QString chosen_;
    Newest choice_;  ///< of the user: a preset, or one that is being written
    bool automatic_ = true;
    std::set<QString> being_deleted_;
    bool applyNext_ = false;   ///< apply the preset to the request when the presets arrive
    VideoRequest asked_;       ///< the request when applyNext() was called
    bool followNext_ = false;  ///< apply what another picture changes in the preset when the presets arrive
    std::set<std::string> changedFields_;
    QThreadPool files_;  ///< of one thread, so that the newest of two files of a name remains
};

/// Returns the settings and LoRAs of a request as a preset, as indented JSON. Excludes everything else that is specific
/// to one video. `card`: that of the request's model, with which the LoRAs are used.
QByteArray presetDocument(const QString& name, const VideoRequest& request, const DeviceInfo& device,
                          const ModelCard& card);

/// Returns the display name of a preset. The names of shipped presets are translated.
QString presetName(const PresetInfo& preset);
QString presetDescription(const PresetInfo& preset);

}  // namespace kinescope::ui
