#pragma once

#include <QStyledItemDelegate>

namespace kinescope::ui {

class Theme;

/// A job as a painted row: picture, words, what it is, how far it is, and the one thing that helps it on as a link.
class QueueDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    QueueDelegate(const Theme& theme, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

Q_SIGNALS:
    /// The link of a row: see linkText.
    void linkActivated(const QModelIndex& index);

protected:
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;

private:
    QRect linkRect(const QRect& row, const QModelIndex& index) const;
    void paintWords(QPainter& painter, const QRect& words, const QModelIndex& index) const;
    void paintProgress(QPainter& painter, const QRect& words, const QModelIndex& index) const;

    const Theme& theme_;
};

/// "Continue", "Try again"; empty where a job needs no help.
QString linkText(const QModelIndex& index);

}  // namespace kinescope::ui
