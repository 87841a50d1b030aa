#pragma once

#include <QList>
#include <QStringList>

class QDialog;
class QWidget;

namespace kinescope::ui {

/// The values of a plot as table rows.
struct PlotTable {
    QStringList columns;
    QList<QStringList> rows;

    /// Returns tab-separated text with a header line, to paste into a spreadsheet.
    QString text() const;
};

/// Shows the table in a non-modal dialog with a Copy button. The dialog deletes itself when closed.
QDialog* showPlotTable(const QString& title, const PlotTable& table, QWidget* parent);

}  // namespace kinescope::ui
