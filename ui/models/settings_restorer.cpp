#include "ui/models/settings_restorer.h"

#include <utility>

namespace kinescope::ui {
namespace {

/// Returns a request with only the fields that every model supports: prompt, images, seed, guard.
VideoRequest commonFields(const VideoRequest& request) {
    VideoRequest common;
    common.prompt = request.prompt;
    common.image = request.image;
    common.last_image = request.last_image;
    common.seed = request.seed;
    common.guard = request.guard;
    return common;
}

}  // namespace

SettingsRestorer::SettingsRestorer(RequestModel& request, UnansweredRequest unanswered, QObject* parent)
    : QObject(parent), request_(request), unanswered_(unanswered) {
    connect(&request_, &RequestModel::cardChanged, this, &SettingsRestorer::onCardChanged);
    connect(&request_, &RequestModel::cardRefused, this, &SettingsRestorer::onCardRefused);
}

void SettingsRestorer::restore(const VideoRequest& request, RestoredFrom from) {
    before_ = request_.request();
    begin(request, from);
}

void SettingsRestorer::undo() {
    if (before_) begin(*std::exchange(before_, std::nullopt), RestoredFrom::form);
}

void SettingsRestorer::begin(VideoRequest request, RestoredFrom from) {
    request.output = {};
    from_ = from;
    pending_ = std::move(request);
    if (request_.hasCard() && request_.card().id == pending_->model) return onCardChanged();
    request_.chooseModel(pending_->model);
}

void SettingsRestorer::onCardChanged() {
    if (!pending_) return;
    if (pending_->model == request_.card().id) return apply(*std::exchange(pending_, std::nullopt));
    // Either the user selected another model, or this one replaces a refused model.
    QMetaObject::invokeMethod(
        this,
        [this, model = pending_->model] {
            if (pending_ && pending_->model == model) pending_.reset();
        },
        Qt::QueuedConnection);
}

void SettingsRestorer::onCardRefused(const Error& error) {
    if (!pending_ || !request_.hasCard()) return;
    const VideoRequest request = *std::exchange(pending_, std::nullopt);
    if (error.code() != ErrorCode::engine_lost || unanswered_ == UnansweredRequest::restoredInPart)
        return apply(request);
    before_.reset();
    emitLater([this, request, error] { Q_EMIT unanswered(request, error); });
}

/// The notice about the refused model must come first: it disappears when the model in its place can be used.
void SettingsRestorer::emitLater(const std::function<void()>& emit) {
    QMetaObject::invokeMethod(this, emit, Qt::QueuedConnection);
}

void SettingsRestorer::apply(VideoRequest request) {
    const std::string& here = request_.card().id;
    const QString missing = request.model == here ? QString() : QString::fromStdString(request.model);
    request.model = here;
    if (!missing.isEmpty() && !validate(request, request_.card()).empty()) {
        request = commonFields(request);
        request.model = here;
    }
    replacedGuard_.reset();
    if (from_ == RestoredFrom::video) {
        if (request.guard != request_.rules().guard) replacedGuard_ = request.guard;
        request_.restoreMade(request);
    } else {
        request_.restore(request);
        if (from_ == RestoredFrom::job) request_.keepThreads();
    }
    if (missing.isEmpty()) return Q_EMIT restored(missing);
    emitLater([this, missing] { Q_EMIT restored(missing); });
}

}  // namespace kinescope::ui
