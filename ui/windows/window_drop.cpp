#include "ui/windows/window_drop.h"

#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <QWidget>

#include "ui/widgets/drop_hint.h"

namespace kinescope::ui {
namespace {

bool isDrag(QEvent::Type type) {
    return type == QEvent::DragEnter || type == QEvent::DragMove || type == QEvent::Drop;
}

}  // namespace

WindowDrop::WindowDrop(const Theme& theme, QWidget& window, QWidget& page, std::function<DropOffer()> offer)
    : QObject(&window), window_(window), offer_(std::move(offer)), hint_(new DropHint(theme, &page)) {
    hint_->setObjectName(QStringLiteral("dropHint"));
    window_.setAcceptDrops(true);
    window_.installEventFilter(this);
}

void WindowDrop::passFilesOf(QWidget& field) {
    field.installEventFilter(this);
}

DropPlan WindowDrop::planOf(const QMimeData& mime) const {
    DropOffer offer = offer_();
    for (const QUrl& url : mime.urls()) {
        const QString file = url.toLocalFile();
        if (!file.isEmpty()) addFile(file, offer);
    }
    offer.isElsewhere = mime.hasUrls() && offer.files.isEmpty();
    if (!mime.hasUrls()) offer.text = mime.text();
    return planDrop(offer);
}

bool WindowDrop::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &window_ && event->type() == QEvent::DragLeave) hint_->hide();
    if (!isDrag(event->type())) return QObject::eventFilter(watched, event);
    auto* drop = static_cast<QDropEvent*>(event);
    if (watched != &window_) {
        if (!drop->mimeData()->hasUrls()) return false;
        event->ignore();  // the window handles it
        return true;
    }
    if (drop->source() != nullptr) return false;  // a drag inside Kinescope
    // A plan looks at the files, which may be slow, so it is not made again at each move.
    if (event->type() != QEvent::DragMove) plan_ = planOf(*drop->mimeData());
    const bool refused = plan_.action == DropPlan::Action::refuse;
    drop->acceptProposedAction();
    if (event->type() == QEvent::Drop) {
        hint_->hide();
        Q_EMIT dropped(DropPlan(plan_));  // a dialog of the receiver lets the next drag begin
    } else {
        hint_->showHint(refused ? DropHint::Answer::refused : DropHint::Answer::accepted, plan_.text);
    }
    return true;
}

}  // namespace kinescope::ui
