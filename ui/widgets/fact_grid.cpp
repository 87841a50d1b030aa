#include "ui/widgets/fact_grid.h"

#include <QGridLayout>
#include <QLabel>

#include "ui/widgets/hairline.h"
#include "ui/widgets/state_icon.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {

FactGrid::FactGrid(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
}

void FactGrid::setFacts(const QStringList& heads, const QList<QList<Fact>>& rows) {
    delete content_;
    content_ = new QWidget(this);
    auto* grid = new QGridLayout(content_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(6);
    if (!heads.isEmpty()) addHeads(*grid, heads);
    for (const QList<Fact>& row : rows) addRow(*grid, row);
    const int columns = grid->columnCount();
    for (const int column : stretch_.isEmpty() ? QList<int>{columns - 1} : stretch_) grid->setColumnStretch(column, 1);
    grid->setRowStretch(grid->rowCount(), 1);
    layout()->addWidget(content_);
}

void FactGrid::addHeads(QGridLayout& grid, const QStringList& heads) {
    for (int column = 0; column < heads.size(); ++column) {
        auto* head = new QLabel(heads[column], content_);
        head->setProperty("type", "caption");
        grid.addWidget(head, 0, column);
    }
}

void FactGrid::addRow(QGridLayout& grid, const QList<Fact>& facts) {
    const int line = grid.rowCount();
    const int columns = static_cast<int>(facts.size());
    grid.addWidget(makeHairline(content_), line, 0, 1, -1);
    if (columns == 1) return grid.addWidget(makeCell(facts.front(), 0), line + 1, 0, 1, -1);
    for (int column = 0; column < columns; ++column) grid.addWidget(makeCell(facts[column], column), line + 1, column);
}

QWidget* FactGrid::makeCell(const Fact& fact, int column) {
    auto* cell = new QWidget(content_);
    auto* text = new QLabel(cell);
    text->setTextFormat(Qt::PlainText);
    text->setText(fact.text);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (column > 0) text->setProperty("type", "note");
    auto* column_layout = new QVBoxLayout;
    column_layout->setSpacing(0);
    column_layout->addStretch(1);
    column_layout->addWidget(text);
    if (!fact.note.isEmpty()) {
        auto* note = new QLabel(cell);
        note->setTextFormat(Qt::PlainText);
        note->setText(fact.note);
        note->setProperty("type", "caption");
        note->setWordWrap(true);
        column_layout->addWidget(note);
    }
    column_layout->addStretch(1);
    auto* row = new QHBoxLayout(cell);
    row->setContentsMargins(0, 2, 0, 2);
    row->setSpacing(8);
    if (fact.severity != Severity::none)
        row->addWidget(new StateIcon(theme_, fact.severity, cell), 0, Qt::AlignVCenter);
    row->addLayout(column_layout, 1);
    return cell;
}

}  // namespace kinescope::ui
