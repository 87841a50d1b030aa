#pragma once

#include <QStackedWidget>

namespace kinescope::ui {

/// A stack whose minimum size is that of the current page, so that a scroll area around it scrolls no further than this
/// page needs.
class PageStack : public QStackedWidget {
    Q_OBJECT

public:
    explicit PageStack(QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;
    /// Returns the minimum height, which a scroll area asks for here.
    int heightForWidth(int width) const override;
};

}  // namespace kinescope::ui
