#pragma once

#include <QDir>
#include <QObject>
#include <QTimer>
#include <functional>
#include <optional>
#include <vector>

#include "ui/bridge/engine_bridge.h"
#include "ui/models/request_rules.h"

namespace kinescope::ui {

class PresetModel;

enum class SeedMode { newEachRun, locked };

/// The request that is being written, with everything that is known about it: the model's card, the faults, the number
/// of tokens, the plan. Lives on the GUI thread; answers of the engine arrive later and are told by a signal.
class RequestModel : public QObject {
    Q_OBJECT

public:
    RequestModel(EngineBridge& bridge, QObject* parent = nullptr);

    /// As typed: unset values are the card's.
    const VideoRequest& request() const { return request_; }
    /// Every value set; the seed may be unset.
    VideoRequest resolved() const;
    bool hasCard() const { return card_.has_value(); }
    const ModelCard& card() const { return *card_; }
    const std::vector<ModelCard>& models() const { return models_; }

    /// Changes fields of the request; checks and plans it anew.
    void edit(const std::function<void(VideoRequest&)>& change);
    /// The time that it takes may be known better now.
    void planAgain() { askTimer_.start(); }
    void chooseModel(const std::string& model);
    /// Every field as the model's card has it, its first example as prompt.
    void startAnew();
    /// What the video is made of (model, prompt, pictures, LoRAs, seed), with every setting as the model and the
    /// preferences have it.
    VideoRequest withoutSettings() const;
    /// The largest size of the card below the present one; the length halved.
    void useSmallerSize();
    void useFewerFrames();

    /// Where every request is computed, and what is written of it, from now on.
    void setRules(const RequestRules& rules);
    PresetModel& presets() const { return *presets_; }

    SeedMode seedMode() const { return seedMode_; }
    void setSeedMode(SeedMode mode);
    void rollSeed();

    const std::vector<Fault>& faults() const { return faults_; }
    /// The first fault of a field, null when it has none.
    const Fault* faultOf(std::string_view field) const;
    bool canRun() const { return hasCard() && faults_.empty() && !modelFault(); }
    /// Why the chosen model cannot make anything as it is: a file that ends early, a part that is not there. Null: no
    /// such thing is known.
    const Error* modelFault() const;

    std::optional<int> tokens() const { return tokens_; }
    const std::optional<Plan>& plan() const { return plan_; }
    const std::optional<Error>& planError() const { return planError_; }
    const std::optional<Error>& cardError() const { return cardError_; }

    /// The request for a run that starts now: seed drawn, files named in `folder`, made if need be.
    VideoRequest forRun(const QString& folder) const;
    /// To be called before a request is given away: a seed that made a video already is drawn anew, unless it is
    /// locked or was typed since. Between two videos the form shows the seed of the last one.
    void prepareSeed();
    /// The seed of the form was given away.
    void spendSeed() { spent_ = request_.seed; }
    /// The run that it was given to made nothing.
    void takeSeedBack() { spent_.reset(); }

Q_SIGNALS:
    void modelsChanged();
    /// Another card, or other words of the same.
    void cardChanged();
    /// A model could not be opened; the one before stays.
    void cardRefused(const kinescope::Error& error);
    void requestChanged();
    void tokensChanged();
    void planChanged();

private:
    void takeModels(const std::vector<ModelCard>& models);
    void takeCard(const ModelCard& card);
    void takeCardError(const Error& error);
    void check();
    void ask();

    void takeRules(VideoRequest& request) const;
    /// The path in `dir` for the next video, without ending.
    QString freeName(const QDir& dir, const QString& ending) const;

    EngineBridge& bridge_;
    PresetModel* presets_;
    RequestRules rules_;
    VideoRequest request_;
    std::string awaited_;  ///< the model whose card was asked for and is not here yet
    std::optional<ModelCard> card_;
    std::vector<ModelCard> models_;
    std::vector<Fault> faults_;
    std::optional<int> tokens_;
    std::optional<Plan> plan_;
    std::optional<Error> planError_;
    std::optional<Error> cardError_;
    SeedMode seedMode_ = SeedMode::newEachRun;
    std::optional<std::int64_t> spent_;  ///< the seed that was given away last
    QTimer askTimer_;
};

}  // namespace kinescope::ui
