#pragma once

#include <QDir>
#include <QObject>
#include <QTimer>
#include <functional>
#include <optional>
#include <vector>

#include "ui/bridge/engine_bridge.h"
#include "ui/models/request_hints.h"
#include "ui/models/request_rules.h"

namespace kinescope::ui {

class PresetModel;

enum class SeedMode { newEachRun, locked };

/// A number of frames that the model does not make, so that the request has the nearest one instead.
struct RoundedFrames {
    int typed = 0;
    int before = 0;  ///< the number before it was typed
};

/// The request of the form, with the model's card, the faults, the token count and the plan. Lives on the GUI thread;
/// answers of the engine arrive as signals.
class RequestModel : public QObject {
    Q_OBJECT

public:
    RequestModel(EngineBridge& bridge, QObject* parent = nullptr);

    /// The request as entered. Unset values default to the card.
    const VideoRequest& request() const { return request_; }
    /// The request with all defaults filled in. The seed may be unset.
    VideoRequest resolved() const;
    EngineBridge& bridge() const { return bridge_; }
    bool hasCard() const { return card_.has_value(); }
    const ModelCard& card() const { return *card_; }
    const std::vector<ModelCard>& models() const { return models_; }

    /// Changes fields; then validates and plans the request again.
    void edit(const std::function<void(VideoRequest&)>& change);
    /// Plans again, because new measurements may improve the estimate.
    void planAgain() { planTimer_.start(); }
    void chooseModel(const std::string& model);
    /// Sets the number of frames, rounded to one that the model makes. `before`: see RoundedFrames.
    void setFrames(int typed, int before);
    /// Restores the number of frames before it was rounded.
    void undoRounding();
    /// Resets all fields to the card's defaults, with its first example prompt.
    void resetToDefaults();
    /// The content of the request (model, prompt, images, LoRAs, seed) with all settings at the defaults of the model
    /// and the preferences.
    VideoRequest withoutSettings() const;
    /// Selects the next smaller size of the card; halves the number of frames.
    void useSmallerSize();
    void useFewerFrames();

    /// Applies the preferences to this and all later requests.
    void setRules(const RequestRules& rules);
    PresetModel& presets() const { return *presets_; }

    SeedMode seedMode() const { return seedMode_; }
    void setSeedMode(SeedMode mode);
    void rollSeed();

    const std::vector<Fault>& faults() const { return faults_; }
    /// The first fault of a field; nullptr: none.
    const Fault* faultOf(std::string_view field) const;
    /// Valid but unusual values, except those of the selected preset; empty if there are faults.
    std::vector<RequestHint> hints() const;
    /// The first of these hints for a field; nullptr: none.
    const RequestHint* hintOf(std::string_view field) const;
    /// Set if the number of frames was rounded.
    const std::optional<RoundedFrames>& roundedFrames() const { return roundedFrames_; }
    bool canRun() const { return hasCard() && faults_.empty() && !modelFault(); }
    /// Why the selected model can't be used, for example a truncated file or a missing component. nullptr: no known
    /// problem.
    const Error* modelFault() const;

    std::optional<int> tokens() const { return tokens_; }
    const std::optional<Plan>& plan() const { return plan_; }
    const std::optional<Error>& planError() const { return planError_; }
    const std::optional<Error>& cardError() const { return cardError_; }

    /// The request for a new run: draws the seed, names the files in `folder`, and creates the folder if needed.
    VideoRequest forRun(const QString& folder) const;
    /// The outputs of a request in `folder`: unused file names, and the other output settings of the form.
    OutputRequest outputFor(const VideoRequest& request, const QString& folder) const;
    /// Call it before a submission: draws a new seed if the current one was used, unless it is locked or was typed
    /// since. Between two runs the form shows the last seed.
    void prepareSeed();
    /// Marks the form's seed as used.
    void markSeedUsed() { spent_ = request_.seed; }
    /// Marks the seed as unused, because the run produced nothing.
    void releaseSeed() { spent_.reset(); }

Q_SIGNALS:
    void modelsChanged();
    /// The card or its texts changed.
    void cardChanged();
    /// A model could not be opened; the previous one stays.
    void cardRefused(const kinescope::Error& error);
    /// Another model was selected, and the changed settings of the form do not apply to it. `before`: the request as it
    /// was.
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

    void applyRules(VideoRequest& request) const;
    /// An unused path in `dir` for the video of a request, without extension.
    QString nameFor(const VideoRequest& request, const QDir& dir, const QString& ending) const;

    EngineBridge& bridge_;
    PresetModel* presets_;
    RequestRules rules_;
    VideoRequest request_;
    std::string awaited_;  ///< the model whose card is being loaded
    std::optional<ModelCard> card_;
    std::vector<ModelCard> models_;
    std::vector<RequestHint> hints_;
    std::optional<RoundedFrames> roundedFrames_;
    std::vector<Fault> faults_;
    std::optional<int> tokens_;
    std::optional<Plan> plan_;
    std::optional<Error> planError_;
    std::optional<Error> cardError_;
    SeedMode seedMode_ = SeedMode::newEachRun;
    std::optional<std::int64_t> spent_;  ///< the seed of the last submission
    QTimer planTimer_;
};

}  // namespace kinescope::ui
