#pragma once

#include <QList>
#include <QStringList>

class QDialog;
class QWidget;

namespace kinescope::ui {

/// The numbers behind a plot, as rows for a table or a file.
struct PlotTable {
    QStringList columns;
    QList<QStringList> rows;

    /// Tab-separated, with a head line: what a spreadsheet takes from the clipboard.
    QString text() const;
};

/// Shows the table in a window of its own, with Copy; not modal, deletes itself when closed.
QDialog* showPlotTable(const QString& title, const PlotTable& table, QWidget* parent);

}  // namespace kinescope::ui
