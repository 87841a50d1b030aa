#include "ui/models/preset_model.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/api/byte_size.h"
#include "core/api/dtype_choice.h"
#include "core/api/model_families.h"
#include "core/api/video_request_json.h"
#include "ui/bridge/engine_bridge.h"
#include "ui/models/computer_list_model.h"
#include "ui/models/in_pool.h"
#include "ui/models/lora_files.h"
#include "ui/models/model_folder_list.h"
#include "ui/models/request_model.h"
#include "ui/models/save_file.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

using Json = nlohmann::ordered_json;

/// Limits the size of imported files.
constexpr qint64 kLargestFile = 1 << 20;

/// The name by which the best preset is chosen.
const QString kAutomatic = QStringLiteral("auto");

/// Sets the settings among the fields. Another computer lists presets, too, and they must not set anything else.
VideoRequest withFields(VideoRequest request, const std::string& fields) {
    read_request(settings_in(parse_request_object(fields)), {}, request);
    return request;
}

/// Returns the LoRAs among the fields of a preset.
std::vector<LoraRequest> lorasOf(const std::string& fields) {
    const Json document = parse_request_object(fields);
    VideoRequest request;
    if (document.contains("loras")) read_request(Json{{"loras", document["loras"]}}, {}, request);
    return request.loras;
}

/// Returns the settings in which two requests differ.
std::set<std::string> differences(const VideoRequest& a, const VideoRequest& b) {
    std::set<std::string> keys;
    const Json settings_a = settings_document(a), settings_b = settings_document(b);
    for (const Json* settings : {&settings_a, &settings_b})
        for (const auto& [key, value] : settings->items())
            if (settings_a.value(key, Json()) != settings_b.value(key, Json())) keys.insert(key);
    return keys;
}

/// Returns the files whose aspect ratio decides about the size of the video. A path without a file is empty.
std::vector<std::filesystem::path> sizingInputs(const VideoRequest& request) {
    using Path = std::filesystem::path;
    return {request.image.value_or(Path()), request.last_image.value_or(Path()), request.video.value_or(Path()),
            request.continue_video.value_or(Path()),
            request.conditions.empty() ? Path() : request.conditions.front().file};
}

/// Converts a name to a file name that is valid on every system.
QString fileName(const QString& name) {
    static const QRegularExpression forbidden(QStringLiteral(R"([<>:"/\\|?*\x00-\x1f])"));
    QString file = name.simplified().replace(forbidden, QStringLiteral("-"));
    while (file.startsWith(QLatin1Char('.'))) file.remove(0, 1);
    return file.left(80);
}

/// A key of a preset file and whether its value is one that the engine can read.
struct KeyRule {
    const char* key;
    bool (*isValid)(const Json& value);
};

bool isText(const Json& value) {
    return value.is_string();
}

bool isSwitch(const Json& value) {
    return value.is_boolean();
}

bool isCapability(const Json& value) {
    return value.is_number() && value >= 0 && value <= 99;
}

bool isSize(const Json& value) {
    return value.is_string() && (value == "" || parse_byte_size(value.get<std::string>()));
}

bool isDeviceKind(const Json& value) {
    return value == "" || value == "cpu" || value == "cuda" || value == "mps";
}

bool isObject(const Json& value) {
    return value.is_object();
}

constexpr std::array kPresetKeys{KeyRule{"name", isText}, KeyRule{"description", isText}, KeyRule{"fit_memory", isSize},
                                 KeyRule{"match", isObject}, KeyRule{"lora_model", isObject}};
constexpr std::array kLoraModelKeys{KeyRule{"family", isText}, KeyRule{"variant", isText}};
constexpr std::array kMatchKeys{KeyRule{"device", isDeviceKind},
                                KeyRule{"capability_from", isCapability},
                                KeyRule{"capability_below", isCapability},
                                KeyRule{"memory_from", isSize},
                                KeyRule{"memory_below", isSize},
                                KeyRule{"native_dtype", isText},
                                KeyRule{"family", isText},
                                KeyRule{"needs_lora", isSwitch},
                                KeyRule{"automatic", isSwitch}};

/// Returns the first key whose value is not valid, or an empty string. The engine skips a preset with such a key.
QString invalidKey(const Json& object, std::span<const KeyRule> rules) {
    for (const KeyRule& rule : rules) {
        const Json value = object.value(rule.key, Json());
        if (!value.is_null() && !rule.isValid(value)) return QLatin1String(rule.key);
    }
    return {};
}

QString invalidKey(const Json& preset) {
    QString key = invalidKey(preset, kPresetKeys);
    const Json match = preset.value("match", Json()), loraModel = preset.value("lora_model", Json());
    if (key.isEmpty() && !match.is_null()) key = invalidKey(match, kMatchKeys);
    if (key.isEmpty() && !loraModel.is_null()) key = invalidKey(loraModel, kLoraModelKeys);
    return key;
}

/// Returns the model family of a preset if this version does not know it, otherwise an empty string. The engine would
/// never offer the preset.
QString unknownFamily(const Json& preset) {
    const Json match = preset.value("match", Json());
    const Json value = match.is_object() ? match.value("family", Json()) : Json();
    const std::string family = value.is_string() ? value.get<std::string>() : std::string();
    const auto known = model_family_names();
    const bool isKnown = family.empty() || std::ranges::find(known, family) != known.end();
    return isKnown ? QString() : QString::fromStdString(family);
}

/// Writes a preset file and its folder.
SavedPreset writeFile(const QString& name, const QString& file, const QByteArray& json, ExistingPreset existing) {
    QDir().mkpath(QFileInfo(file).absolutePath());
    if (existing == ExistingPreset::keep && QFileInfo::exists(file)) return {name, {}, true};
    return {name, saveFile(file, json)};
}

DeletedPreset deleteFile(const QString& name, const QString& path) {
    QFile file(path);
    const bool isOpen = file.open(QIODevice::ReadOnly);
    const QByteArray content = isOpen ? file.readAll() : QByteArray();
    const bool isRead = isOpen && file.error() == QFileDevice::NoError;
    if (!isRead || !file.remove()) return {name, {}, {}, file.errorString()};
    return {name, path, content, {}};
}

/// Returns why a file that was read cannot be imported. Otherwise sets the name of the preset.
QString faultOf(const PresetFile& file, QString& name) {
    const QString own = QFileInfo(file.path).fileName();
    try {
        const Json preset = parse_request_object(file.text.toStdString());
        if (!preset.contains("request")) return PresetModel::tr("%1 is not a Kinescope preset.").arg(own);
        parse_request(preset["request"].dump());  // throws for unknown keys
        if (const QString key = invalidKey(preset); !key.isEmpty())
            return PresetModel::tr("%1 can't be used, because its “%2” is not valid.", "file, key").arg(own, key);
        if (const QString family = unknownFamily(preset); !family.isEmpty())
            return PresetModel::tr(
                       "%1 is for models of the family “%2”, which this version of Kinescope does not know.",
                       "file, model family")
                .arg(own, family);
        const Json words = preset.value("name", Json());
        name = (words.is_string() ? QString::fromStdString(words.get<std::string>()) : QFileInfo(file.path).baseName())
                   .simplified();
        return {};
    } catch (const std::exception& problem) {
        return QString::fromUtf8(problem.what());
    }
}

}  // namespace

PresetModel::PresetModel(EngineBridge& bridge, RequestModel& request)
    : QObject(&request), bridge_(bridge), request_(request) {
    files_.setMaxThreadCount(1);
    connect(&request_, &RequestModel::cardChanged, this, [this] {
        dropSettingsOfPresets();
        applyNext_ = false;
        chosen_.clear();
        if (automatic_) applyNext();
        requestPresets();
    });
    connect(&request_, &RequestModel::requestChanged, this, [this] {
        const VideoRequest& now = request_.request();
        const bool hasOtherInputs = sizingInputs(now) != requestedInputs_;
        if (request_.hasCard() && (hasOtherInputs || now.device != requestedDevice_)) {
            followNext_ = followNext_ || hasOtherInputs;
            requestPresets();
        }
        updateChanges();
        Q_EMIT changed();
    });
    connect(&bridge_, &EngineBridge::presetsFound, this, &PresetModel::onPresetsFound);
    connect(&bridge_, &EngineBridge::devicesFound, this, [this](const std::vector<DeviceInfo>& devices) {
        if (!devices.empty()) device_ = devices.front();
        Q_EMIT changed();
    });
    connect(&ComputerListModel::of(bridge_), &ComputerListModel::chosenChanged, this, [this] {
        device_ = {};  // until the selected computer answers
        computer_ = ComputerListModel::of(bridge_).chosen();
        Q_EMIT changed();
    });
}

void PresetModel::requestPresets() {
    requestedModel_ = request_.request().model;
    requestedDevice_ = request_.request().device;
    requestedInputs_ = sizingInputs(request_.request());
    VideoRequest asked = request_.withoutSettings();  // a preset computes only what the request leaves unset
    asked.device = requestedDevice_;
    bridge_.askPresets(asked);
}

void PresetModel::onPresetsFound(const std::vector<PresetInfo>& presets) {
    const bool wasChosen = chosen() != nullptr;
    const VideoRequest before = base();
    presets_ = presets;
    if (automatic_) {
        const auto best = std::ranges::find(presets_, true, &PresetInfo::best);
        chosen_ = best == presets_.end() ? QString() : QString::fromStdString(best->name);
    }
    // The built-in model runs on every computer with its own defaults.
    const bool own_values = automatic_ && requestedModel_ == kBuiltinModel;
    if (own_values) chosen_.clear();
    const bool follows = std::exchange(followNext_, false);
    if (std::exchange(applyNext_, false)) {
        applyChosen(differences(asked_, request_.request()));
    } else if (follows && wasChosen && chosen()) {
        followInput(before);
    }
    updateChanges();
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

/// Returns the request with the settings and LoRAs of the selected preset, or with the model's defaults if none is
/// selected.
VideoRequest PresetModel::base() const {
    VideoRequest own = request_.withoutSettings();
    if (auto loras = chosenLoras(); !loras.empty()) own.loras = std::move(loras);
    const PresetInfo* preset = chosen();
    return preset ? withFields(own, preset->fields) : own;
}

std::vector<LoraRequest> PresetModel::chosenLoras() const {
    return chosen() ? lorasOf(chosen()->fields) : std::vector<LoraRequest>();
}

void PresetModel::removeLoras(const std::vector<LoraRequest>& loras) {
    request_.edit([&](VideoRequest& request) {
        for (const LoraRequest& lora : loras) removeLora(request, lora.path);
    });
}

std::set<std::string> PresetModel::ownedFields() const {
    std::set<std::string> owned;
    for (const PresetInfo& preset : presets_) {
        const Json fields = parse_request_object(preset.fields);
        for (const auto& [key, value] : fields.items()) owned.insert(key);
    }
    return owned;
}

void PresetModel::updateChanges() {
    changedFields_.clear();
    if (!request_.hasCard()) return;
    const VideoRequest unchanged = base();
    changedFields_ = differences(request_.filled(unchanged), request_.resolved());
    if (unchanged.loras != request_.request().loras) changedFields_.insert("loras");
}

QString PresetModel::reason() const {
    if (device_.id.empty()) return {};
    QStringList facts{QString::fromStdString(device_.name), bytesText(device_.memory_total_bytes)};
    if (!device_.capability.empty()) facts << QString::fromStdString(device_.capability);
    const QString device = facts.join(QStringLiteral(", "));
    return computer_.empty() ? tr("Suits this computer: %1", "device").arg(device)
                             : tr("Suits “%1”: %2", "computer, device").arg(QString::fromStdString(computer_), device);
}

QString PresetModel::doubt() const {
    const PresetInfo* preset = chosen();
    if (!preset) return {};
    const VideoRequest& request = request_.request();
    if (preset->needs == PresetNeeds::lora && request.loras.empty())
        return tr("This preset is for a distilled LoRA. Without one, the frames stay noisy.");
    if (!preset->fits && request.storage == DtypeChoice::int8)
        return tr("This preset is for CPUs. On this device, int8 saves memory but not time.");
    const std::vector<LoraRequest> written =
        preset->written.empty() ? std::vector<LoraRequest>() : lorasOf(preset->written);
    if (!written.empty() && chosenLoras().empty()) {
        const QString loras = lorasText(written);
        return computer_.empty() ? tr("LoRAs of another model are left out: %1.").arg(loras)
                                 : tr("LoRAs on “%1” are left out: %2.", "computer, LoRAs")
                                       .arg(QString::fromStdString(computer_), loras);
    }
    return preset->fits ? QString() : tr("This preset is for another type of device.");
}

void PresetModel::choose(const QString& name) {
    const std::vector<LoraRequest> previous = chosenLoras();
    choice_.begin();
    automatic_ = name == kAutomatic;
    chosen_ = automatic_ ? QString() : name;
    removeLoras(previous);
    if (automatic_) {
        applyNext();
        requestPresets();
    } else {
        applyChosen();
    }
    updateChanges();
    Q_EMIT changed();
}

void PresetModel::setChosen(const QString& name) {
    choice_.begin();
    automatic_ = name == kAutomatic;
    chosen_ = automatic_ ? QString() : name;
    applyNext_ = false;
    updateChanges();
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
    Json settings = settings_document(request_.request());
    settings[key] = settings_document(base()).value(key, Json());
    if (settings[key].is_null()) settings.erase(key);
    const VideoRequest reset = withFields(request_.withoutSettings(), settings.dump());
    request_.edit([&](VideoRequest& request) { request = reset; });
}

/// Applies the selected preset when the presets arrive. Keeps the settings that the user changes until then.
void PresetModel::applyNext() {
    applyNext_ = true;
    asked_ = request_.request();
}

/// Applies the selected preset to all fields that any preset sets, except `kept`; the other settings stay.
void PresetModel::applyChosen(const std::set<std::string>& kept) {
    Json settings = settings_document(request_.request());
    for (const std::string& key : ownedFields())
        if (!kept.contains(key)) settings.erase(key);
    VideoRequest applied = withFields(request_.withoutSettings(), settings.dump());
    if (chosen()) {
        Json fields = parse_request_object(chosen()->fields);
        for (const std::string& key : kept) fields.erase(key);
        applied = withFields(applied, fields.dump());
        if (auto loras = chosenLoras(); !loras.empty()) applied.loras = std::move(loras);
    }
    request_.edit([&](VideoRequest& request) { request = applied; });
}

/// Applies the settings in which the selected preset now differs from `before`, except those that the user has changed.
void PresetModel::followInput(const VideoRequest& before) {
    const VideoRequest now = base();
    const Json wanted = settings_document(now);
    Json settings = settings_document(request_.request());
    for (const std::string& key : differences(before, now)) {
        if (isChanged(key == "width" || key == "height" ? "size" : key)) continue;
        if (wanted.contains(key))
            settings[key] = wanted[key];
        else
            settings.erase(key);
    }
    const VideoRequest followed = withFields(request_.withoutSettings(), settings.dump());
    request_.edit([&](VideoRequest& request) { request = followed; });
}

/// Resets the settings that the preset of the previous model has set.
void PresetModel::dropSettingsOfPresets() {
    if (requestedModel_ == request_.request().model) return;
    chosen_.clear();
    applyChosen();
    presets_.clear();
}

QString PresetModel::folder() {
    const QFileInfo settings(ModelFolderList::defaultSettingsFile());
    return settings.dir().filePath(QStringLiteral("presets"));
}

void PresetModel::save(const QString& name, ExistingPreset existing, const Saved& done) {
    const ModelCard card = request_.hasCard() ? request_.card() : ModelCard();
    write(name.simplified(), presetDocument(name.simplified(), request_.request(), device_, card), existing, done);
}

void PresetModel::write(const QString& name, const QByteArray& json, ExistingPreset existing, const Saved& done) {
    const QString file_name = fileName(name);
    if (file_name.isEmpty()) return done({name, tr("Enter a name for the preset.")});
    if (name == kAutomatic)
        return done({name, tr("“%1” stands for the automatic preset. Enter another name.").arg(name)});
    const QString file = QDir(folder()).filePath(file_name + QStringLiteral(".json"));
    choice_.begin();
    inPool(
        files_, this, [name, file, json, existing] { return writeFile(name, file, json, existing); },
        [this, isNewest = choice_.current(), done](const SavedPreset& saved) {
            if (saved.isWritten()) {
                if (isNewest()) {
                    automatic_ = false;
                    chosen_ = saved.name;
                }
                requestPresets();
            }
            done(saved);
        });
}

PresetFile PresetModel::read(const QString& file) {
    const QString own = QFileInfo(file).fileName();
    QFile source(file);
    if (!QFileInfo(file).isFile()) return {file, {}, tr("%1 is not a Kinescope preset.").arg(own)};
    if (!source.open(QIODevice::ReadOnly)) return {file, {}, source.errorString()};
    if (source.size() > kLargestFile) return {file, {}, tr("%1 is too large for a preset.").arg(own)};
    return {file, source.readAll(), {}};
}

void PresetModel::importFrom(const PresetFile& file, ExistingPreset existing, const Saved& done) {
    const QString own = QFileInfo(file.path).fileName();
    if (!file.fault.isEmpty()) return done({own, file.fault});
    QString name;
    if (const QString fault = faultOf(file, name); !fault.isEmpty()) return done({own, fault});
    write(name, file.text, existing, [this, previous = chosenLoras(), done](const SavedPreset& saved) {
        if (saved.isWritten() && chosen_ == saved.name) {
            removeLoras(previous);
            applyNext();
        }
        done(saved);
    });
}

void PresetModel::remove(const QString& name, const Deleted& done) {
    const auto found = std::ranges::find(presets_, name.toStdString(), &PresetInfo::name);
    if (found == presets_.end() || !found->own)
        return done({name, {}, {}, tr("Only your own presets can be deleted.")});
    if (!being_deleted_.insert(name).second) return;
    inPool(
        files_, this, [name, file = pathText(found->file)] { return deleteFile(name, file); },
        [this, done](const DeletedPreset& deleted) {
            being_deleted_.erase(deleted.name);
            if (deleted.fault.isEmpty()) {
                if (chosen_ == deleted.name) chosen_.clear();
                requestPresets();
            }
            done(deleted);
        });
}

void PresetModel::restore(const DeletedPreset& preset, const std::function<void(const QString&)>& done) {
    inPool(
        files_, this, [preset] { return writeFile(preset.name, preset.file, preset.content, ExistingPreset::keep); },
        [this, done](const SavedPreset& saved) {
            if (saved.isTaken) return done(tr("You already have a preset “%1”.").arg(saved.name));
            if (saved.isWritten()) {
                if (!automatic_ && chosen_.isEmpty()) chosen_ = saved.name;
                requestPresets();
            }
            done(saved.fault);
        });
}

QByteArray presetDocument(const QString& name, const VideoRequest& request, const DeviceInfo& device,
                          const ModelCard& card) {
    const std::string kind = device.id.substr(0, device.id.find(':'));
    Json document{{"name", name.toStdString()},
                  {"match", Json::object()},
                  {"request", preset_fields_in(request_document(request))}};
    if (!kind.empty()) document["match"]["device"] = kind;
    if (!request.loras.empty()) document["lora_model"] = {{"family", card.family}, {"variant", card.variant}};
    return QByteArray::fromStdString(document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

namespace {

struct ShippedPreset {
    const char* name;
    const char* words;
    const char* description;
};

constexpr std::array kShipped{
    ShippedPreset{"cpu", QT_TRANSLATE_NOOP("PresetWords", "CPU"),
                  QT_TRANSLATE_NOOP("PresetWords", "Short clips with few steps, in float32.")},
    ShippedPreset{"cpu-bf16", QT_TRANSLATE_NOOP("PresetWords", "CPU with bf16"),
                  QT_TRANSLATE_NOOP("PresetWords", "Short clips with few steps, twice as fast as in float32.")},
    ShippedPreset{
        "cpu-fast", QT_TRANSLATE_NOOP("PresetWords", "CPU, fast"),
        QT_TRANSLATE_NOOP("PresetWords",
                          "Short clips with few steps and an int8 denoiser. For models as wide as Wan, a step "
                          "takes about 40 % of the float32 time; with the built-in model about 80 %. "
                          "Less precise: PSNR 55 dB against float32 on the built-in model.")},
    ShippedPreset{
        "less-work", QT_TRANSLATE_NOOP("PresetWords", "Step cache"),
        QT_TRANSLATE_NOOP("PresetWords",
                          "The model's own settings, but some steps reuse an earlier prediction: up to 6 of 12 steps "
                          "on the built-in model, depending on the prompt. PSNR against the full run: 42 dB or more.")},
    ShippedPreset{"wan-few-steps", QT_TRANSLATE_NOOP("PresetWords", "Few steps, with a distilled LoRA"),
                  QT_TRANSLATE_NOOP("PresetWords",
                                    "Four steps without guidance, for a distilled LoRA (lightx2v, CausVid, Lightning). "
                                    "Add the LoRA; without it, the video stays noisy.")},
    ShippedPreset{"ltx-few-steps", QT_TRANSLATE_NOOP("PresetWords", "Few steps, for distilled models"),
                  QT_TRANSLATE_NOOP("PresetWords", "Eight steps without guidance, for a distilled model or LoRA.")},
    ShippedPreset{"gpu-8gb", QT_TRANSLATE_NOOP("PresetWords", "Graphics card, 8 GB"),
                  QT_TRANSLATE_NOOP(
                      "PresetWords",
                      "The largest frame size and video length that this model can generate in the available memory.")},
    ShippedPreset{"gpu-12gb", QT_TRANSLATE_NOOP("PresetWords", "Graphics card, 12 GB"),
                  QT_TRANSLATE_NOOP(
                      "PresetWords",
                      "The largest frame size and video length that this model can generate in the available memory.")},
    ShippedPreset{"gpu-16gb", QT_TRANSLATE_NOOP("PresetWords", "Graphics card, 16 GB"),
                  QT_TRANSLATE_NOOP(
                      "PresetWords",
                      "The largest frame size and video length that this model can generate in the available memory.")},
    ShippedPreset{"gpu-24gb", QT_TRANSLATE_NOOP("PresetWords", "Graphics card, 24 GB"),
                  QT_TRANSLATE_NOOP(
                      "PresetWords",
                      "The largest frame size and video length that this model can generate in the available memory.")},
    ShippedPreset{"gpu-32gb", QT_TRANSLATE_NOOP("PresetWords", "Graphics card, 32 GB"),
                  QT_TRANSLATE_NOOP(
                      "PresetWords",
                      "The largest frame size and video length that this model can generate in the available memory.")},
    ShippedPreset{"gpu-80gb", QT_TRANSLATE_NOOP("PresetWords", "Graphics card, 40 GB or more"),
                  QT_TRANSLATE_NOOP(
                      "PresetWords",
                      "The largest frame size and video length that this model can generate in the available memory.")},
};

const ShippedPreset* shippedPreset(const PresetInfo& preset) {
    if (preset.own) return nullptr;
    const auto found =
        std::ranges::find_if(kShipped, [&](const ShippedPreset& row) { return preset.name == row.name; });
    return found == kShipped.end() ? nullptr : &*found;
}

}  // namespace

QString presetName(const PresetInfo& preset) {
    const ShippedPreset* known = shippedPreset(preset);
    return known ? QCoreApplication::translate("PresetWords", known->words) : QString::fromStdString(preset.name);
}

QString presetDescription(const PresetInfo& preset) {
    const ShippedPreset* known = shippedPreset(preset);
    return known ? QCoreApplication::translate("PresetWords", known->description)
                 : QString::fromStdString(preset.description);
}

}  // namespace kinescope::ui
