#pragma once

#include <QCache>
#include <QStyledItemDelegate>

#include "core/api/job.h"
#include "ui/panels/queue_row.h"

namespace kinescope::ui {

class Theme;

/// Paints a job: thumbnail, prompt, facts, progress, and a link with the most useful action.
class QueueDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    QueueDelegate(const Theme& theme, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

Q_SIGNALS:
    /// Emitted when the user clicks the link of a row, see linkText().
    void linkActivated(const QModelIndex& index);

protected:
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;

private:
    /// The lines of a row, and the texts, fonts and width that they depend on.
    struct Row {
        QueueRowTexts texts;
        QueueRowFonts fonts;
        int width = 0;
        std::vector<QueueRowLine> lines;
    };

    std::vector<QueueRowLine> linesOf(const QModelIndex& index, int width) const;
    QRect linkRect(const QRect& row, const QModelIndex& index) const;
    void paintTexts(QPainter& painter, const QRect& area, const QModelIndex& index) const;
    void paintProgress(QPainter& painter, const QRect& row, const QModelIndex& index) const;

    const Theme& theme_;
    mutable QCache<JobId, Row> rows_;  ///< the view asks for the height of every row whenever a job changes
};

/// Returns the text of a job's link, e.g. "Continue" or "Try again". Empty if it has none.
QString linkText(const QModelIndex& index);
/// Returns "starts in about 5:02" for a waiting job. Empty if the time is unknown.
QString startText(const QModelIndex& index);

}  // namespace kinescope::ui
