#include "ui/widgets/open_list.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QEvent>

namespace kinescope::ui {
namespace {

/// The list closes before the entry that was clicked counts as chosen, so that the call waits for the event loop.
class CloseFilter : public QObject {
public:
    CloseFilter(QComboBox& combo, const std::function<void()>& update) : QObject(&combo), update_(update) {
        combo.view()->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Hide) QMetaObject::invokeMethod(this, update_, Qt::QueuedConnection);
        return QObject::eventFilter(watched, event);
    }

private:
    std::function<void()> update_;
};

}  // namespace

bool isListOpen(const QComboBox& combo) {
    return combo.view()->isVisible();
}

void whenListCloses(QComboBox& combo, const std::function<void()>& update) {
    new CloseFilter(combo, update);
}

}  // namespace kinescope::ui
