#pragma once

#include <QStyledItemDelegate>
#include <functional>

#include "ui/widgets/message_line.h"

namespace kinescope::ui {

class Theme;

/// Rows of a table as the pages show them: a hairline below each, the chosen one on a raised ground, first column in
/// the text's colour, the others quieter. A cell may carry a state: then its shape stands before the words.
class RowDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using StateOf = std::function<Severity(const QModelIndex& index)>;

    RowDelegate(const Theme& theme, StateOf stateOf, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintGround(QPainter& painter, const QStyleOptionViewItem& option) const;

    const Theme& theme_;
    StateOf stateOf_;
};

}  // namespace kinescope::ui
