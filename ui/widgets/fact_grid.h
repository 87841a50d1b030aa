#pragma once

#include <QWidget>

#include "ui/widgets/message_line.h"

class QGridLayout;

namespace kinescope::ui {

class Theme;

/// One cell of a FactGrid: words, a smaller line under them, and the shape of a state before them.
struct Fact {
    QString text;
    QString note;
    Severity severity = Severity::none;
};

/// A small table for reading: heads in small letters, a hairline above each row, words that wrap in the last column.
class FactGrid : public QWidget {
    Q_OBJECT

public:
    explicit FactGrid(const Theme& theme, QWidget* parent = nullptr);

    /// Replaces everything. Empty heads: no line of heads.
    void setFacts(const QStringList& heads, const QList<QList<Fact>>& rows);
    /// Columns that share what room is left; the last one unless set.
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
