#pragma once

#include <QObject>
#include <QSize>
#include <QTimer>
#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "ui/bridge/engine_bridge.h"
#include "ui/models/output_name.h"
#include "ui/models/request_hints.h"
#include "ui/models/request_rules.h"

namespace kinescope::ui {

class PresetModel;

/// Chooses the outputs of a request. It looks at the disk, so that a background thread should call it.
using OutputNaming = std::function<OutputRequest()>;

enum class SeedMode { newEachRun, locked };

/// A number of frames that the model cannot generate. The request contains the nearest valid number instead.
struct RoundedFrames {
    int typed = 0;
    int before = 0;  ///< the number of frames before the user typed `typed`
};

/// The request of the form, with the model's card, the faults, the token count and the plan. Lives on the GUI thread;
/// answers of the engine arrive as signals.
class RequestModel : public QObject {
    Q_OBJECT

public:
    RequestModel(EngineBridge& bridge, QObject* parent = nullptr);

    /// Returns the request as entered. Unset values stand for the defaults of the model card.
    const VideoRequest& request() const { return request_; }
    /// Returns the request with all defaults filled in. Its seed may be unset.
    VideoRequest resolved() const;
    /// Fills in the defaults of the model, and the size that follows from the request's pictures or videos.
    VideoRequest filled(VideoRequest request) const;
    /// Returns the size to whose shape pictures at given frames are cropped. Empty if they are distorted instead, or if
    /// the size is not known.
    QSize cropSize() const;
    EngineBridge& bridge() const { return bridge_; }
    bool hasCard() const { return card_.has_value(); }
    const ModelCard& card() const { return *card_; }
    const std::vector<ModelCard>& models() const { return models_; }

    /// Changes fields; then validates and plans the request again.
    void edit(const std::function<void(VideoRequest&)>& change);
    /// Plans again, because new measurements may improve the estimate.
    void planAgain() { planTimer_.start(); }
    /// Sets how long after a change it plans. The usual time avoids a plan per keystroke.
    void setPlanDelay(std::chrono::milliseconds delay) { planTimer_.setInterval(delay); }
    /// Replaces the form by a restored request for its model. The settings of the model's preset do not replace those
    /// of the request, and the seed is kept for the next run. The threads, which affect the frames, are those of the
    /// request until another field changes.
    void restore(const VideoRequest& request);
    /// The same for the request of a video, with the device and the guard of the preferences.
    void restoreMade(VideoRequest request);
    /// Keeps the threads of a restored request when other fields change.
    void keepThreads() { hasOtherThreads_ = false; }
    /// Returns true if the request has the threads of a restored one instead of those of the preferences.
    bool hasOtherThreads() const { return hasOtherThreads_; }
    void chooseModel(const std::string& model);
    /// Sets the number of frames, rounded to one that the model can generate. `before` is stored in roundedFrames().
    void setFrames(int typed, int before);
    /// Restores the number of frames before it was rounded.
    void undoRounding();
    /// Resets all fields to the card's defaults, with its first example prompt.
    void resetToDefaults();
    /// Returns the content of the request, see content_document(), with all settings at the defaults of the model and
    /// the preferences.
    VideoRequest withoutSettings() const;
    /// Selects the next smaller size of the model card, if possible of the same orientation.
    void useSmallerSize();
    void useFewerFrames();

    /// Applies the preferences to this and all later requests.
    void setRules(const RequestRules& rules);
    const RequestRules& rules() const { return rules_; }
    PresetModel& presets() const { return *presets_; }

    SeedMode seedMode() const { return seedMode_; }
    void setSeedMode(SeedMode mode);
    void rollSeed();

    const std::vector<Fault>& faults() const { return faults_; }
    /// Returns the first fault of a field, or nullptr if there is none.
    const Fault* faultOf(std::string_view field) const;
    /// Returns hints about valid but unusual values. Omits values of the selected preset. Empty if there are faults.
    std::vector<RequestHint> hints() const;
    /// Returns the first of hints() for a field, or nullptr if there is none.
    const RequestHint* hintOf(std::string_view field) const;
    /// Returns the rounding of the number of frames, or nullopt if it was not rounded.
    const std::optional<RoundedFrames>& roundedFrames() const { return roundedFrames_; }
    bool canRun() const { return hasCard() && faults_.empty() && !modelFault(); }
    /// Returns why the selected model can't be used, for example because of a truncated file or a missing component.
    /// Returns nullptr if there is no known problem.
    const Error* modelFault() const;

    /// Returns the number of prompts that the alternatives in the prompt make, 1 without any.
    int numPrompts() const { return numPrompts_; }
    std::optional<int> tokens() const { return tokens_; }
    const std::optional<Plan>& plan() const { return plan_; }
    const std::optional<Error>& planError() const { return planError_; }
    const std::optional<Error>& cardError() const { return cardError_; }

    /// Returns the request for a new run: draws the seed, names the files in `folder`, and creates the folder if
    /// needed.
    VideoRequest forRun(const QString& folder) const;
    /// Returns how the outputs of a request in `folder` are chosen: unused file names, and the format of the
    /// preferences.
    OutputNaming naming(const VideoRequest& request, const QString& folder) const;
    /// Returns true if the rule for file names gives both requests the same name.
    bool haveSameName(const VideoRequest& a, const VideoRequest& b) const;
    /// The same for a request that comes from a file: the video that it names, under an unused name, in its format. The
    /// other files are those of naming(), because the request may name any file of the user. Without a video, all are
    /// those of naming().
    OutputNaming importedNaming(const VideoRequest& request, const QString& folder) const;
    /// Draws a new seed if the last submission used the current one, unless it is locked or was typed again. Must be
    /// called before each submission: between two runs, the form shows the seed of the last video.
    void prepareSeed();
    /// Marks the form's seed as used.
    void markSeedUsed() { spent_ = request_.seed; }
    /// Marks the seed as unused, because the run produced nothing or the user wants it again.
    void releaseSeed() { spent_.reset(); }

Q_SIGNALS:
    void modelsChanged();
    /// Emitted when the model card or its translated texts have changed.
    void cardChanged();
    /// Emitted when a model could not be opened. The previous model stays selected.
    void cardRefused(const kinescope::Error& error);
    /// Emitted when another model was selected to which the changed settings of the form do not apply, unless a
    /// restored request has replaced them. `before` is the request before the change.
    void settingsDropped(const kinescope::VideoRequest& before);
    void requestChanged();
    void tokensChanged();
    void planChanged();

private:
    void onModelsFound(const std::vector<ModelCard>& models);
    void setCard(const ModelCard& card);
    void onCardFailed(const Error& error);
    void check();
    void requestPlan();

    /// Takes over the size that the engine chose by a picture or video of the request.
    void followInputSize(const Plan& plan);
    /// Returns the request without the texts that the model does not read.
    VideoRequest readable() const;
    void applyRules(VideoRequest& request) const;
    OutputNameParts namePartsOf(const VideoRequest& request) const;

    EngineBridge& bridge_;
    PresetModel* presets_;
    RequestRules rules_;
    VideoRequest request_;
    bool hasOtherThreads_ = false;  ///< until the next change
    std::string awaited_;           ///< the model whose card is being loaded
    std::optional<ModelCard> card_;
    std::optional<VideoRequest> dropped_;  ///< the request before a change of the model, until settingsDropped()
    std::vector<ModelCard> models_;
    std::optional<Size> inputSize_;  ///< the size that follows from a picture or video; unset: the card's
    std::vector<RequestHint> hints_;
    std::optional<RoundedFrames> roundedFrames_;
    std::vector<Fault> faults_;
    int numPrompts_ = 1;
    std::optional<int> tokens_;
    std::optional<Plan> plan_;
    std::optional<Error> planError_;
    std::optional<Error> cardError_;
    SeedMode seedMode_ = SeedMode::newEachRun;
    std::optional<std::uint64_t> spent_;  ///< the seed of the last submission
    QTimer planTimer_;
};

}  // namespace kinescope::ui
