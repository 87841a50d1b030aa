#include "ui/models/settings_restorer.h"

#include <utility>

#include "ui/models/preset_model.h"

namespace kinescope::ui {
namespace {

/// What every model can take: the words, the pictures, the seed.
VideoRequest whatFitsAll(const VideoRequest& request) {
    VideoRequest fitting;
    fitting.prompt = request.prompt;
    fitting.image = request.image;
    fitting.last_image = request.last_image;
    fitting.seed = request.seed;
    return fitting;
}

}  // namespace

SettingsRestorer::SettingsRestorer(RequestModel& request, QObject* parent) : QObject(parent), request_(request) {
    connect(&request_, &RequestModel::cardChanged, this, &SettingsRestorer::takeCard);
    connect(&request_, &RequestModel::cardRefused, this, [this] {
        if (coming_ && request_.hasCard()) put(*std::exchange(coming_, std::nullopt));
    });
}

void SettingsRestorer::restore(const VideoRequest& request) {
    before_ = request_.request();
    begin(request);
}

void SettingsRestorer::undo() {
    if (before_) begin(*std::exchange(before_, std::nullopt));
}

void SettingsRestorer::begin(VideoRequest request) {
    request.output = {};
    coming_ = std::move(request);
    if (request_.hasCard() && request_.card().id == coming_->model) return takeCard();
    request_.chooseModel(coming_->model);
}

void SettingsRestorer::takeCard() {
    if (!coming_) return;
    if (coming_->model == request_.card().id) return put(*std::exchange(coming_, std::nullopt));
    // Either another model was chosen, or this one replaces the wanted one, which is refused with the same call.
    QMetaObject::invokeMethod(
        this,
        [this, model = coming_->model] {
            if (coming_ && coming_->model == model) coming_.reset();
        },
        Qt::QueuedConnection);
}

void SettingsRestorer::put(VideoRequest request) {
    const std::string& here = request_.card().id;
    const QString missing = request.model == here ? QString() : QString::fromStdString(request.model);
    request.model = here;
    if (!missing.isEmpty() && !validate(request, request_.card()).empty()) {
        request = whatFitsAll(request);
        request.model = here;
    }
    request_.presets().keepSettings();
    request_.edit([&](VideoRequest& form) { form = request; });
    Q_EMIT restored(missing);
}

}  // namespace kinescope::ui
