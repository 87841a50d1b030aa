#pragma once

#include <QStyledItemDelegate>
#include <functional>

#include "ui/widgets/message_line.h"

namespace kinescope::ui {

class Theme;

/// Paints table rows: a hairline below each row, a raised background for the selection, and secondary text in all
/// columns except the first. A cell can have a severity icon before its text.
class RowDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using StateOf = std::function<Severity(const QModelIndex& index)>;

    RowDelegate(const Theme& theme, StateOf stateOf, QObject* parent);

    /// Returns the height of every row. It does not depend on the row's content.
    static int rowHeight(const QFontMetrics& metrics) { return metrics.height() + 22; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintGround(QPainter& painter, const QStyleOptionViewItem& option) const;

    const Theme& theme_;
    StateOf stateOf_;
};

}  // namespace kinescope::ui
