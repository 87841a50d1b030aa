#pragma once

#include <QWidget>

#include "ui/widgets/message_line.h"

class QGridLayout;

namespace kinescope::ui {

class Theme;

/// A cell of a FactGrid: text, an optional note below it and an optional state icon before it.
struct Fact {
    QString text;
    QString note;
    Severity severity = Severity::none;
};

/// A read-only table with column headers, a hairline above each row and wrapped text.
class FactGrid : public QWidget {
    Q_OBJECT

public:
    explicit FactGrid(const Theme& theme, QWidget* parent = nullptr);

    /// Replaces the content. If `heads` is empty, there is no header row.
    void setFacts(const QStringList& heads, const QList<QList<Fact>>& rows);
    /// Sets the columns that share the remaining width, by default the last one. Must be called before setFacts().
    void setStretch(const QList<int>& columns) { stretch_ = columns; }

private:
    void addHeads(QGridLayout& grid, const QStringList& heads);
    void addRow(QGridLayout& grid, const QList<Fact>& facts);
    QWidget* makeCell(const Fact& fact, int column);

    const Theme& theme_;
    QWidget* content_ = nullptr;
    QList<int> stretch_;
};

}  // namespace kinescope::ui
