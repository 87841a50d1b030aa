#pragma once

#include <QObject>

namespace kinescope::ui {

/// An application-wide event filter. Makes tooltips show their text as it is: a prompt or a file name with HTML tags
/// must not load pictures.
class PlainToolTips : public QObject {
    Q_OBJECT

public:
    explicit PlainToolTips(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace kinescope::ui
