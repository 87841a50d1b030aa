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

/// The presets for the request's model, and the chosen one. Choosing a preset sets every field that any preset sets, so
/// that nothing of the preset before remains; the values appear in the fields. Fields that differ from the preset (or,
/// without one, from the model's own values) are marked as changed and can be reset.
class PresetModel : public QObject {
    Q_OBJECT

public:
    PresetModel(EngineBridge& bridge, RequestModel& request);

    const std::vector<PresetInfo>& presets() const { return presets_; }
    /// Null: none is chosen, the values are the model's own.
    const PresetInfo* chosen() const;
    /// Some setting differs from the chosen preset or, without one, from the model's own value.
    bool isChanged() const { return !changedFields_.empty(); }
    /// The same of one field, by its key in the request's JSON; "size" stands for width and height.
    bool isChanged(std::string_view field) const;
    /// Why the best preset is the best: the device's name, memory and arithmetic. Empty before they are known.
    QString reason() const;

    /// Why the chosen preset will not do what it is for, for this request; empty: nothing speaks against it.
    QString doubt() const;

    /// "auto": the best one of each model and device; empty: none.
    void choose(const QString& name);
    bool isAutomatic() const { return automatic_; }
    /// As choose(), but the request keeps its values.
    void setChosen(const QString& name);
    /// Sets every setting as the chosen preset or the model has it.
    void reset();
    void resetField(std::string_view field);
    /// The request's settings come from elsewhere: the preset of a model that is being opened is not applied to them.
    void keepSettings() { layNext_ = false; }

    // Files. Each returns what went wrong; empty: done.

    /// The request's settings (not its words, seed, files and model) as a preset of the user's.
    QString save(const QString& name);
    QString exportTo(const QString& file) const;
    /// A file made by exportTo, or written by hand; it becomes one of the user's presets, and is chosen.
    QString importFrom(const QString& file);
    /// Deletes one of the user's own.
    QString remove(const QString& name);

    /// Where the user's presets lie: $XDG_CONFIG_HOME/kinescope/presets.
    static QString folder();

Q_SIGNALS:
    void changed();

private:
    void take(const std::vector<PresetInfo>& presets);
    void lay();
    void dropSettingsOfPresets();
    void findChanges();
    VideoRequest base() const;
    std::set<std::string> ownedFields() const;
    void ask();
    QString write(const QString& name, const QByteArray& json);

    EngineBridge& bridge_;
    RequestModel& request_;
    std::vector<PresetInfo> presets_;
    DeviceInfo device_;
    std::string askedModel_;
    std::string askedDevice_;
    QString chosen_;
    bool automatic_ = true;
    bool layNext_ = false;  ///< the answer that is awaited is laid over the request
    std::set<std::string> changedFields_;
};

/// A preset's settings out of a request: what depends on the machine and the taste, not on the one video. JSON,
/// indented.
QByteArray presetDocument(const QString& name, const VideoRequest& request, const DeviceInfo& device);

/// The name under which a preset is shown: the shipped ones have words of their own in each language.
QString presetName(const PresetInfo& preset);
QString presetDescription(const PresetInfo& preset);

}  // namespace kinescope::ui
