#include "ui/models/request_model.h"

#include <QDir>
#include <QFileInfo>
#include <QRandomGenerator>
#include <algorithm>
#include <chrono>
#include <utility>

#include "core/api/dtype_choice.h"
#include "core/api/extra_fields.h"
#include "core/api/guidance_fields.h"
#include "core/api/video_request_json.h"
#include "ui/models/computer_list_model.h"
#include "ui/models/explore_rule.h"
#include "ui/models/log_folder.h"
#include "ui/models/output_format.h"
#include "ui/models/preset_model.h"
#include "ui/models/vocabulary_rule.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

constexpr std::chrono::milliseconds kPlanDelay{250};
/// Limit of random seeds, which should be easy to type. Typed seeds can have any value.
constexpr int kSeedLimit = 1'000'000;

constexpr int kMostNumbers = 10'000;  ///< largest value of {n}

const QString kLogEnding = QStringLiteral(".jsonl");
const QString kTableEnding = QStringLiteral(".csv");

/// Returns true if there is a video of this name, or one of its logs.
bool isTaken(const QDir& dir, const QString& name, const QString& ending) {
    const QString stem = dir.filePath(name);
    return QFileInfo::exists(stem + ending) || QFileInfo::exists(stem + kTableEnding) ||
           !logOf(stem + kLogEnding).isEmpty();
}

/// Returns an unused name in `dir` for a video, without extension.
QString unusedName(OutputNameParts parts, const QString& pattern, const QDir& dir, const QString& ending) {
    const auto taken = [&](const QString& name) { return isTaken(dir, name, ending); };
    const QString first = outputName(parts, pattern);
    while (pattern.contains(QLatin1String("{n}")) && parts.number < kMostNumbers) {
        const QString name = outputName(parts, pattern);
        if (!taken(name)) return name;
        ++parts.number;
    }
    return freeName(first, taken);
}

/// Returns the files of a video in `dir` and of its logs, which have the same name.
OutputRequest filesNamed(const QString& name, const QDir& dir, const QString& ending, const RequestRules& rules) {
    const auto path = [&](const QDir& folder, const QString& end) {
        return std::filesystem::path(folder.filePath(name + end).toStdU16String());
    };
    OutputRequest output;
    output.file = path(dir, ending);
    output.numeric_log = rules.numericLog ? path(logFolder(), kLogEnding) : std::filesystem::path();
    output.numeric_csv = rules.numericCsv ? path(dir, kTableEnding) : std::filesystem::path();
    return output;
}

OutputRequest outputIn(const QDir& dir, const OutputNameParts& parts, const RequestRules& rules) {
    const OutputFormat& format = outputFormat(rules.format);
    const QString ending = QLatin1String(format.ending);
    OutputRequest output = filesNamed(unusedName(parts, rules.fileName, dir, ending), dir, ending, rules);
    output.codec = format.codec;
    output.crf = rules.crf;
    if (format.crfMost == 0) output.crf.reset();
    if (output.crf) output.crf = std::min(*output.crf, format.crfMost);
    output.settings = rules.settingsInFile;
    return output;
}

/// Returns the outputs that a file with a request asks for, under an unused name.
OutputRequest unusedOutput(const OutputRequest& asked, const RequestRules& rules) {
    const QFileInfo file(QDir::cleanPath(pathText(asked.file)));
    const QString ending = file.suffix().isEmpty() ? QString() : QLatin1Char('.') + file.suffix();
    const auto taken = [&](const QString& name) { return isTaken(file.dir(), name, ending); };
    OutputRequest output = filesNamed(freeName(file.completeBaseName(), taken), file.dir(), ending, rules);
    output.codec = asked.codec;
    output.crf = asked.crf;
    output.settings = asked.settings;
    return output;
}

std::string firstExample(const ModelCard& card) {
    return examplePrompts(card).value(0).toStdString();
}

/// Resets the settings that do not apply to another model.
void resetModelSettings(VideoRequest& request) {
    request.width.reset();
    request.height.reset();
    request.num_frames.reset();
    request.fps.reset();
    request.num_inference_steps.reset();
    request.guidance_scale.reset();
    request.guidance_scale_2.reset();
    request.guidance_start.reset();
    request.guidance_stop.reset();
    request.step_cache.reset();
    request.use_dynamic_cfg.reset();
    request.vae_tiling.reset();
    request.flow_shift.reset();
    request.scheduler.reset();
    request.negative_prompt.reset();
    request.max_sequence_length.reset();
    request.overrides.reset();
    request.dtype = request.text_encoder_dtype = request.vae_dtype = request.storage = DtypeChoice::automatic;
    request.half_accumulation = HalfAccumulation::forbidden;
    visit_extra_fields(request, [](const char*, auto& value) { value.reset(); });
    visit_guidance_fields(request, [](const char*, auto& value) { value.reset(); });
    request.guidance_method.reset();
    request.skip_layer_guidance_layers.reset();
    request.variation_of.reset();
    request.variation_strength.reset();
    request.decode = DecodeMode::full;
    request.preview_decoder.reset();
}

/// Returns true if the LoRAs of a model probably fit another one: a file of the same model in another precision.
bool takesLorasOf(const ModelCard& card, const ModelCard& before) {
    return card.family == before.family && card.variant == before.variant;
}

/// Returns true for errors that can be fixed only by another model or by repairing this one.
bool isModelError(ErrorCode code) {
    switch (code) {
        case ErrorCode::file_not_found:
        case ErrorCode::file_unreadable:
        case ErrorCode::checkpoint_truncated:
        case ErrorCode::checkpoint_corrupt:
        case ErrorCode::component_missing:
        case ErrorCode::missing_keys:
        case ErrorCode::wrong_shape:
        case ErrorCode::model_unknown:
        case ErrorCode::lora_mismatch:
        case ErrorCode::bad_config:
        case ErrorCode::tokenizer_invalid:
            return true;
        default:
            return false;
    }
}

}  // namespace

RequestModel::RequestModel(EngineBridge& bridge, QObject* parent)
    : QObject(parent), bridge_(bridge), presets_(new PresetModel(bridge, *this)) {
    planTimer_.setSingleShot(true);
    setPlanDelay(kPlanDelay);
    connect(&planTimer_, &QTimer::timeout, this, &RequestModel::requestPlan);
    connect(&bridge_, &EngineBridge::modelsFound, this, &RequestModel::onModelsFound);
    connect(&bridge_, &EngineBridge::cardRead, this, [this](const std::string& model, const ModelCard& card) {
        if (model != awaited_) return;  // the user selected another model meanwhile
        awaited_.clear();
        setCard(card);
    });
    connect(&bridge_, &EngineBridge::cardFailed, this, [this](const std::string& model, const Error& error) {
        if (model == awaited_) onCardFailed(error);
    });
    connect(&bridge_, &EngineBridge::modelsFailed, this, [this](const Error& error) {
        if (awaited_.empty()) onCardFailed(error);
    });
    connect(&ComputerListModel::of(bridge_), &ComputerListModel::chosenChanged, this, [this] {
        plan_.reset();
        planError_.reset();
        Q_EMIT planChanged();
        planAgain();
    });
    connect(&bridge_, &EngineBridge::tokensCounted, this, [this](int tokens) {
        tokens_ = tokens;
        Q_EMIT tokensChanged();
    });
    connect(&bridge_, &EngineBridge::planMade, this, [this](const Plan& plan) {
        plan_ = plan;
        const bool fixed = modelFault() != nullptr;
        planError_.reset();
        Q_EMIT planChanged();
        if (fixed) Q_EMIT requestChanged();
        followInputSize(plan);
    });
    connect(&bridge_, &EngineBridge::planFailed, this, [this](const Error& error) {
        plan_.reset();
        planError_ = error;
        Q_EMIT planChanged();
        if (modelFault()) Q_EMIT requestChanged();
    });
    rollSeed();
}

VideoRequest RequestModel::readable() const {
    VideoRequest request = request_;
    if (!card_ || card_->takes_prompt) return request;
    request.prompt.clear();
    request.negative_prompt.reset();
    return request;
}

VideoRequest RequestModel::resolved() const {
    return filled(readable());
}

QSize RequestModel::cropSize() const {
    const VideoRequest request = resolved();
    if (request.image_fit != ImageFit::crop) return {};
    return {request.width.value_or(0), request.height.value_or(0)};
}

VideoRequest RequestModel::filled(VideoRequest request) const {
    if (!card_) return request;
    if (inputSize_ && !request.width && !request.height) {
        request.width = inputSize_->width;
        request.height = inputSize_->height;
    }
    return with_defaults(std::move(request), *card_);
}

void RequestModel::followInputSize(const Plan& plan) {
    const bool hasInput = request_.image || request_.last_image || !request_.conditions.empty() || request_.video ||
                          request_.continue_video;
    std::optional<Size> size;
    if (hasInput && !request_.width && !request_.height)
        size = Size{plan.request.width.value_or(0), plan.request.height.value_or(0)};
    if (!card_ || plan.card.id != card_->id || size == inputSize_) return;
    inputSize_ = size;
    Q_EMIT requestChanged();
}

void RequestModel::edit(const std::function<void(VideoRequest&)>& change) {
    VideoRequest changed = request_;
    change(changed);
    if (changed == request_) return;
    if (std::exchange(hasOtherThreads_, false)) changed.threads = rules_.threads;
    request_ = std::move(changed);
    check();
}

void RequestModel::restore(const VideoRequest& request) {
    dropped_.reset();
    hasOtherThreads_ = false;
    edit([&](VideoRequest& form) { form = request; });
    hasOtherThreads_ = request.threads != rules_.threads;
    presets_->keepSettings();
    releaseSeed();  // it is wanted, even if the last run used it
}

void RequestModel::restoreMade(VideoRequest request) {
    request.device = rules_.device;
    request.guard = rules_.guard;
    if (!request.threads) request.threads = rules_.threads;
    restore(request);
}

void RequestModel::chooseModel(const std::string& model) {
    if (card_ && card_->id == model) return;
    const auto known =
        std::find_if(models_.begin(), models_.end(), [&](const ModelCard& card) { return card.id == model; });
    const bool usable = known != models_.end() && !known->family.empty();  // unusable models are listed, too
    if (usable) {
        awaited_.clear();
        setCard(*known);
    } else {
        awaited_ = model;
        bridge_.askCard(model);
    }
}

void RequestModel::resetToDefaults() {
    edit([this](VideoRequest& request) {
        const std::string model = request.model;
        const auto seed = request.seed;
        request = {};
        request.model = model;
        request.seed = seed;
        applyRules(request);
        if (card_) request.prompt = firstExample(*card_);
    });
}

VideoRequest RequestModel::withoutSettings() const {
    VideoRequest content;
    read_request(content_document(request_), {}, content);
    applyRules(content);
    return content;
}

void RequestModel::useSmallerSize() {
    const VideoRequest now = resolved();
    const Size current{*now.width, *now.height};
    const auto area = [](Size size) { return size.width * size.height; };
    const auto isUpright = [](Size size) { return size.height > size.width; };
    const auto rank = [&](Size size) { return std::pair(isUpright(size) == isUpright(current), area(size)); };
    const Size* best = nullptr;
    for (const Size& size : card_->sizes) {
        if (area(size) < area(current) && (!best || rank(size) > rank(*best))) best = &size;
    }
    if (!best) return;
    edit([best](VideoRequest& request) {
        request.width = best->width;
        request.height = best->height;
    });
}

void RequestModel::useFewerFrames() {
    const int multiple = std::max(1, card_->num_frames_multiple);
    const int offset = card_->num_frames_offset;
    const int half = std::max(1, (*resolved().num_frames - offset) / 2 / multiple * multiple + offset);
    edit([half](VideoRequest& request) { request.num_frames = half; });
}

void RequestModel::setRules(const RequestRules& rules) {
    rules_ = rules;
    hasOtherThreads_ = false;
    edit([this](VideoRequest& request) { applyRules(request); });
}

void RequestModel::applyRules(VideoRequest& request) const {
    request.device = rules_.device;
    request.threads = rules_.threads;
    request.guard = rules_.guard;
}

void RequestModel::setSeedMode(SeedMode mode) {
    if (mode == seedMode_) return;
    seedMode_ = mode;
    Q_EMIT requestChanged();
}

void RequestModel::rollSeed() {
    edit([](VideoRequest& request) { request.seed = QRandomGenerator::global()->bounded(kSeedLimit); });
}

void RequestModel::setFrames(int typed, int before) {
    const bool isInRange = card_ && typed >= 1 && typed <= card_->max_num_frames;
    const int rounded = isInRange ? nearestFrames(typed, *card_) : typed;
    roundedFrames_ = rounded == typed ? std::nullopt : std::optional(RoundedFrames{typed, before});
    const bool sameAsNow = resolved().num_frames == rounded;
    edit([rounded](VideoRequest& request) { request.num_frames = rounded; });
    if (sameAsNow) Q_EMIT requestChanged();  // the form shows or removes the notice about rounding
}

void RequestModel::undoRounding() {
    if (!roundedFrames_) return;
    const int before = std::exchange(roundedFrames_, std::nullopt)->before;
    edit([before](VideoRequest& request) { request.num_frames = before; });
}

const RequestHint* RequestModel::hintOf(std::string_view field) const {
    const auto found = std::ranges::find(hints_, field, &RequestHint::field);
    return found == hints_.end() || !presets_->isChanged(field) ? nullptr : &*found;
}

std::vector<RequestHint> RequestModel::hints() const {
    std::vector<RequestHint> shown = hints_;
    std::erase_if(shown, [this](const RequestHint& hint) { return !presets_->isChanged(hint.field); });
    return shown;
}

const Fault* RequestModel::faultOf(std::string_view field) const {
    const auto found =
        std::find_if(faults_.begin(), faults_.end(), [field](const Fault& fault) { return fault.field == field; });
    return found == faults_.end() ? nullptr : &*found;
}

OutputNameParts RequestModel::namePartsOf(const VideoRequest& request) const {
    const VideoRequest full = filled(request);
    return {.date = QDate::currentDate(),
            .prompt = QString::fromStdString(full.prompt),
            .seed = full.seed.value_or(0),
            .time = QTime::currentTime(),
            .model = card_ ? QString::fromStdString(card_->name) : QString(),
            .size = {full.width.value_or(0), full.height.value_or(0)},
            .frames = full.num_frames.value_or(0)};
}

bool RequestModel::haveSameName(const VideoRequest& a, const VideoRequest& b) const {
    return outputName(namePartsOf(a), rules_.fileName) == outputName(namePartsOf(b), rules_.fileName);
}

OutputNaming RequestModel::naming(const VideoRequest& request, const QString& folder) const {
    return [parts = namePartsOf(request), rules = rules_, folder] { return outputIn(QDir(folder), parts, rules); };
}

OutputNaming RequestModel::importedNaming(const VideoRequest& request, const QString& folder) const {
    if (request.output.file.empty()) return naming(request, folder);
    return [asked = request.output, rules = rules_] { return unusedOutput(asked, rules); };
}

VideoRequest RequestModel::forRun(const QString& folder) const {
    for (const QString& needed : {folder, logFolder()}) QDir().mkpath(needed);
    VideoRequest request = readable();
    request.output = naming(request, folder)();
    return request;
}

void RequestModel::prepareSeed() {
    const bool used = spent_ && spent_ == request_.seed;
    if (!request_.seed || (used && seedMode_ == SeedMode::newEachRun)) rollSeed();
}

const Error* RequestModel::modelFault() const {
    return planError_ && isModelError(planError_->code()) ? &*planError_ : nullptr;
}

void RequestModel::onModelsFound(const std::vector<ModelCard>& models) {
    models_ = models;
    Q_EMIT modelsChanged();
    if (!card_ && awaited_.empty() && !models.empty()) setCard(models.front());
}

void RequestModel::onCardFailed(const Error& error) {
    awaited_.clear();
    if (!card_ && !models_.empty()) setCard(models_.front());
    cardError_ = error;
    Q_EMIT requestChanged();
    Q_EMIT cardRefused(error);
}

void RequestModel::setCard(const ModelCard& card) {
    const VideoRequest before = request_;
    const bool isOther = card_ && card_->id != card.id;
    const bool losesLoras = isOther && !request_.loras.empty() && !takesLorasOf(card, *card_);
    const bool wasChanged = isOther && (presets_->isChanged() || losesLoras);
    if (isOther) resetModelSettings(request_);
    if (isOther && std::exchange(hasOtherThreads_, false)) request_.threads = rules_.threads;
    if (losesLoras) request_.loras.clear();
    dropped_ = wasChanged && before != request_ ? std::optional(before) : std::nullopt;
    card_ = card;
    cardError_.reset();
    request_.model = card.id;
    inputSize_.reset();
    if (request_.prompt.empty()) request_.prompt = firstExample(card);
    tokens_.reset();
    plan_.reset();
    planError_.reset();
    Q_EMIT cardChanged();
    check();
    if (dropped_) Q_EMIT settingsDropped(*std::exchange(dropped_, std::nullopt));
}

void RequestModel::check() {
    if (card_) {
        const VideoRequest asked = readable();
        faults_ = validate(asked, *card_);
        const auto prompts = ui::numPrompts(asked.prompt);
        if (!prompts) faults_.push_back({"prompt", "the prompt has too many combinations of alternatives", {}});
        numPrompts_ = prompts.value_or(1);
        const VideoRequest now = resolved();
        hints_ = faults_.empty() ? requestHints(now, *card_) : std::vector<RequestHint>();
        if (roundedFrames_ && now.num_frames != nearestFrames(roundedFrames_->typed, *card_)) roundedFrames_.reset();
        planTimer_.start();
    }
    Q_EMIT requestChanged();
}

void RequestModel::requestPlan() {
    const VideoRequest asked = readable();
    bridge_.askTokens(asked.model, longestPrompt(asked.prompt));
    if (faults_.empty()) bridge_.askPlan(asked);
}

}  // namespace kinescope::ui
