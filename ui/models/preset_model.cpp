#include "ui/models/preset_model.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSaveFile>
#include <algorithm>
#include <array>
#include <utility>

#include "core/api/video_request_json.h"
#include "ui/bridge/engine_bridge.h"
#include "ui/models/model_folder_list.h"
#include "ui/models/request_model.h"
#include "ui/models/words.h"

namespace kinescope::ui {
namespace {

using Json = nlohmann::ordered_json;

/// A strange file of gigabytes is not read into memory.
constexpr qint64 kLargestFile = 1 << 20;

/// What belongs to one video, or to this computer's folders, and not to a preset.
constexpr std::array kNotInPresets{"model",  "loras",   "prompt",      "negative_prompt", "image",       "last_image",
                                   "seed",   "preset",  "output",      "overwrite",       "numeric_log", "numeric_csv",
                                   "frames", "latents", "preview_dir", "settings_in_file"};

VideoRequest laidOver(VideoRequest request, const std::string& fields) {
    read_request(parse_request_object(fields), {}, request);
    return request;
}

Json settingsOf(const VideoRequest& request) {
    Json settings = request_document(request);
    for (const char* key : kNotInPresets) settings.erase(key);
    return settings;
}

/// A name that is a file's name on every system.
QString fileName(const QString& name) {
    static const QRegularExpression forbidden(QStringLiteral(R"([<>:"/\\|?*\x00-\x1f])"));
    QString file = name.simplified().replace(forbidden, QStringLiteral("-"));
    while (file.startsWith(QLatin1Char('.'))) file.remove(0, 1);
    return file.left(80);
}

QString readError(const std::exception& problem) {
    return QString::fromUtf8(problem.what());
}

}  // namespace

PresetModel::PresetModel(EngineBridge& bridge, RequestModel& request)
    : QObject(&request), bridge_(bridge), request_(request) {
    connect(&request_, &RequestModel::cardChanged, this, [this] {
        dropSettingsOfPresets();
        layNext_ = automatic_;
        chosen_.clear();
        ask();
    });
    connect(&request_, &RequestModel::requestChanged, this, [this] {
        if (request_.request().device != askedDevice_ && request_.hasCard()) ask();
        findChanges();
        Q_EMIT changed();
    });
    connect(&bridge_, &EngineBridge::presetsFound, this, &PresetModel::take);
    connect(&bridge_, &EngineBridge::devicesFound, this, [this](const std::vector<DeviceInfo>& devices) {
        if (!devices.empty()) device_ = devices.front();
        Q_EMIT changed();
    });
}

void PresetModel::ask() {
    askedModel_ = request_.request().model;
    askedDevice_ = request_.request().device;
    bridge_.askPresets(request_.request());
}

void PresetModel::take(const std::vector<PresetInfo>& presets) {
    presets_ = presets;
    if (automatic_) {
        const auto best = std::ranges::find(presets_, true, &PresetInfo::best);
        chosen_ = best == presets_.end() ? QString() : QString::fromStdString(best->name);
    }
    // The built-in model is small enough for every machine: its own values are the best.
    const bool own_values = automatic_ && askedModel_ == "builtin";
    if (own_values) chosen_.clear();
    if (std::exchange(layNext_, false)) lay();
    findChanges();
    Q_EMIT changed();
}

const PresetInfo* PresetModel::chosen() const {
    const auto found = std::ranges::find(presets_, chosen_.toStdString(), &PresetInfo::name);
    return found == presets_.end() ? nullptr : &*found;
}

bool PresetModel::isChanged(std::string_view field) const {
    if (field == "size") return isChanged("width") || isChanged("height");
    return changedFields_.contains(std::string(field));
}

/// Every setting as the chosen preset or the model has it.
VideoRequest PresetModel::base() const {
    const PresetInfo* preset = chosen();
    const VideoRequest own = request_.withoutSettings();
    return preset ? laidOver(own, preset->fields) : own;
}

std::set<std::string> PresetModel::ownedFields() const {
    std::set<std::string> owned;
    for (const PresetInfo& preset : presets_) {
        const Json fields = parse_request_object(preset.fields);
        for (const auto& [key, value] : fields.items()) owned.insert(key);
    }
    return owned;
}

void PresetModel::findChanges() {
    changedFields_.clear();
    if (!request_.hasCard()) return;
    const Json now = settingsOf(request_.resolved());
    const Json before = settingsOf(resolve_request(base(), request_.card()));
    for (const Json* settings : {&now, &before})
        for (const auto& [key, value] : settings->items())
            if (now.value(key, Json()) != before.value(key, Json())) changedFields_.insert(key);
}

QString PresetModel::reason() const {
    if (device_.id.empty()) return {};
    const QString name = QString::fromStdString(device_.name);
    const QString memory = bytesText(device_.memory_total_bytes);
    return device_.capability.empty()
               ? tr("Fits this computer: %1, %2").arg(name, memory)
               : tr("Fits this computer: %1, %2, %3").arg(name, memory, QString::fromStdString(device_.capability));
}

QString PresetModel::doubt() const {
    const PresetInfo* preset = chosen();
    if (!preset) return {};
    const VideoRequest& request = request_.request();
    if (preset->needs == PresetNeeds::lora && request.loras.empty())
        return tr("Fewer steps are for a distilled LoRA; none is given, so the frames will be unfinished.");
    if (!preset->fits && request.storage == "int8")
        return tr("Made for a processor: on this device int8 takes less memory, and no less time.");
    return preset->fits ? QString() : tr("Made for another kind of device than this one.");
}

void PresetModel::choose(const QString& name) {
    automatic_ = name == QLatin1String("auto");
    chosen_ = automatic_ ? QString() : name;
    if (automatic_) {
        layNext_ = true;
        ask();
    } else {
        lay();
    }
    findChanges();
    Q_EMIT changed();
}

void PresetModel::setChosen(const QString& name) {
    automatic_ = name == QLatin1String("auto");
    chosen_ = automatic_ ? QString() : name;
    layNext_ = false;
    findChanges();
    Q_EMIT changed();
}

void PresetModel::reset() {
    const VideoRequest before = base();
    request_.edit([&](VideoRequest& request) { request = before; });
}

void PresetModel::resetField(std::string_view field) {
    if (field == "size") {
        resetField("width");
        return resetField("height");
    }
    const std::string key(field);
    Json settings = settingsOf(request_.request());
    settings[key] = settingsOf(base()).value(key, Json());
    if (settings[key].is_null()) settings.erase(key);
    const VideoRequest reset = laidOver(request_.withoutSettings(), settings.dump());
    request_.edit([&](VideoRequest& request) { request = reset; });
}

/// The chosen preset's values in every field that any preset sets; the other settings stay.
void PresetModel::lay() {
    Json settings = settingsOf(request_.request());
    for (const std::string& key : ownedFields()) settings.erase(key);
    VideoRequest laid = laidOver(request_.withoutSettings(), settings.dump());
    if (chosen()) laid = laidOver(laid, chosen()->fields);
    request_.edit([&](VideoRequest& request) { request = laid; });
}

/// Another model: what a preset of the model before set does not apply to it.
void PresetModel::dropSettingsOfPresets() {
    if (askedModel_ == request_.request().model) return;
    chosen_.clear();
    lay();
    presets_.clear();
}

QString PresetModel::folder() {
    const QFileInfo settings(ModelFolderList::defaultSettingsFile());
    return settings.dir().filePath(QStringLiteral("presets"));
}

QString PresetModel::save(const QString& name) {
    return write(name, presetDocument(name.simplified(), request_.request(), device_));
}

QString PresetModel::write(const QString& name, const QByteArray& json) {
    const QString file_name = fileName(name);
    if (file_name.isEmpty()) return tr("A preset needs a name.");
    QDir().mkpath(folder());
    QSaveFile file(QDir(folder()).filePath(file_name + QStringLiteral(".json")));
    if (!file.open(QIODevice::WriteOnly) || file.write(json) < 0 || !file.commit()) return file.errorString();
    automatic_ = false;
    chosen_ = name.simplified();
    ask();
    return {};
}

QString PresetModel::exportTo(const QString& file) const {
    if (!chosen()) return tr("No preset is chosen.");
    QFile source(pathText(chosen()->file));
    QSaveFile target(file);
    if (!source.open(QIODevice::ReadOnly)) return source.errorString();
    const bool written = target.open(QIODevice::WriteOnly) && target.write(source.readAll()) >= 0 && target.commit();
    return written ? QString() : target.errorString();
}

QString PresetModel::importFrom(const QString& file) {
    QFile source(file);
    if (!QFileInfo(file).isFile()) return tr("%1 is no preset of Kinescope.").arg(QFileInfo(file).fileName());
    if (!source.open(QIODevice::ReadOnly)) return source.errorString();
    if (source.size() > kLargestFile) return tr("%1 is too large for a preset.").arg(QFileInfo(file).fileName());
    try {
        const Json preset = parse_request_object(source.readAll().toStdString());
        if (!preset.contains("request")) return tr("%1 is no preset of Kinescope.").arg(QFileInfo(file).fileName());
        parse_request(preset["request"].dump());  // says which keys it does not know
        const Json name = preset.value("name", Json());
        const QString stem = QFileInfo(file).baseName();
        const QString words = name.is_string() ? QString::fromStdString(name.get<std::string>()) : stem;
        layNext_ = true;
        source.seek(0);
        return write(words, source.readAll());
    } catch (const std::exception& problem) {
        return readError(problem);
    }
}

QString PresetModel::remove(const QString& name) {
    const auto found = std::ranges::find(presets_, name.toStdString(), &PresetInfo::name);
    if (found == presets_.end() || !found->own) return tr("Only presets of your own can be deleted.");
    QFile file(pathText(found->file));
    if (!file.remove()) return file.errorString();
    if (chosen_ == name) chosen_.clear();
    ask();
    return {};
}

QByteArray presetDocument(const QString& name, const VideoRequest& request, const DeviceInfo& device) {
    const std::string kind = device.id.substr(0, device.id.find(':'));
    Json document{{"name", name.toStdString()}, {"match", Json::object()}, {"request", settingsOf(request)}};
    if (!kind.empty()) document["match"]["device"] = kind;
    return QByteArray::fromStdString(document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

namespace {

struct ShippedWords {
    const char* name;
    const char* words;
    const char* description;
};

constexpr std::array kShipped{
    ShippedWords{"cpu", QT_TRANSLATE_NOOP("PresetWords", "Processor"),
                 QT_TRANSLATE_NOOP("PresetWords", "A short clip in few steps, in exact float32.")},
    ShippedWords{"cpu-bf16", QT_TRANSLATE_NOOP("PresetWords", "Processor with bf16"),
                 QT_TRANSLATE_NOOP("PresetWords", "A short clip in few steps, twice as fast as in float32.")},
    ShippedWords{"cpu-fast", QT_TRANSLATE_NOOP("PresetWords", "Processor, fast"),
                 QT_TRANSLATE_NOOP("PresetWords",
                                   "A short clip in few steps, with int8 in the denoiser. With widths as those of Wan "
                                   "a step takes about 40 % of the time of float32; the built-in model is too small "
                                   "to gain. It is rounded (55 dB from float32 on the built-in model).")},
    ShippedWords{"less-work", QT_TRANSLATE_NOOP("PresetWords", "Less work"),
                 QT_TRANSLATE_NOOP("PresetWords",
                                   "The model's own settings, but some steps use an earlier one's prediction again: "
                                   "on the built-in model up to 5 of 12, on some prompts none; 44 dB or more from the "
                                   "full run.")},
    ShippedWords{"wan-few-steps", QT_TRANSLATE_NOOP("PresetWords", "Few steps, with a distilled LoRA"),
                 QT_TRANSLATE_NOOP("PresetWords",
                                   "Four steps without guidance, for a LoRA that was distilled for that (lightx2v, "
                                   "CausVid, Lightning). Add the LoRA: without it the video stays unfinished.")},
    ShippedWords{"gpu-8gb", QT_TRANSLATE_NOOP("PresetWords", "Graphics card, 8 GB"),
                 QT_TRANSLATE_NOOP("PresetWords", "Short clips, one part of the model on the card at a time.")},
    ShippedWords{
        "gpu-12gb", QT_TRANSLATE_NOOP("PresetWords", "Graphics card, 12 GB"),
        QT_TRANSLATE_NOOP("PresetWords", "Clips of three seconds, one part of the model on the card at a time.")},
    ShippedWords{
        "gpu-16gb", QT_TRANSLATE_NOOP("PresetWords", "Graphics card, 16 GB"),
        QT_TRANSLATE_NOOP("PresetWords", "Clips of four seconds, one part of the model on the card at a time.")},
    ShippedWords{
        "gpu-24gb", QT_TRANSLATE_NOOP("PresetWords", "Graphics card, 24 GB and more"),
        QT_TRANSLATE_NOOP("PresetWords", "The model's own length, one part of the model on the card at a time.")},
};

const ShippedWords* shippedWords(const PresetInfo& preset) {
    if (preset.own) return nullptr;
    const auto found = std::ranges::find_if(kShipped, [&](const ShippedWords& row) { return preset.name == row.name; });
    return found == kShipped.end() ? nullptr : &*found;
}

}  // namespace

QString presetName(const PresetInfo& preset) {
    const ShippedWords* known = shippedWords(preset);
    return known ? QCoreApplication::translate("PresetWords", known->words) : QString::fromStdString(preset.name);
}

QString presetDescription(const PresetInfo& preset) {
    const ShippedWords* known = shippedWords(preset);
    return known ? QCoreApplication::translate("PresetWords", known->description)
                 : QString::fromStdString(preset.description);
}

}  // namespace kinescope::ui
