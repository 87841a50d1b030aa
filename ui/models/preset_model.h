#pragma once

#include <QObject>
#include <QString>
#include <string>
#include <vector>

#include "core/api/device_info.h"
#include "core/api/preset_info.h"
#include "core/api/video_request.h"

namespace kinescope::ui {

class EngineBridge;
class RequestModel;

/// The presets that can be chosen for the request, and the one that is. A chosen preset is laid over the request, so
/// that its values are seen in the fields; what is changed afterwards is told, and can be taken back.
class PresetModel : public QObject {
    Q_OBJECT

public:
    PresetModel(EngineBridge& bridge, RequestModel& request);

    const std::vector<PresetInfo>& presets() const { return presets_; }
    /// Null: none is chosen, the values are the model's own.
    const PresetInfo* chosen() const;
    /// The request has left the values of the chosen preset.
    bool isChanged() const;
    /// Why the best preset is the best: the device's name, memory and arithmetic. Empty before they are known.
    QString reason() const;

    /// Why the chosen preset will not do what it is for, for this request; empty: nothing speaks against it.
    QString doubt() const;

    /// "auto": the best one of each model and device; empty: none.
    void choose(const QString& name);
    bool isAutomatic() const { return automatic_; }
    /// Lays the chosen preset over the request again.
    void reset();

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
    void lay(const PresetInfo& preset);
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
};

/// A preset's settings out of a request: what depends on the machine and the taste, not on the one video. JSON,
/// indented.
QByteArray presetDocument(const QString& name, const VideoRequest& request, const DeviceInfo& device);

/// The name under which a preset is shown: the shipped ones have words of their own in each language.
QString presetName(const PresetInfo& preset);
QString presetDescription(const PresetInfo& preset);

}  // namespace kinescope::ui
