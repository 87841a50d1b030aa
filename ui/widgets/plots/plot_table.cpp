#include "ui/widgets/plots/plot_table.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QDialog>
#include <QHeaderView>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace kinescope::ui {

QString PlotTable::text() const {
    QStringList lines{columns.join(QLatin1Char('\t'))};
    for (const QStringList& row : rows) lines << row.join(QLatin1Char('\t'));
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QDialog* showPlotTable(const QString& title, const PlotTable& table, QWidget* parent) {
    auto* dialog = new QDialog(parent);
    dialog->setObjectName("plotTableDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->resize(420, 480);
    auto* view = new QTableWidget(static_cast<int>(table.rows.size()), static_cast<int>(table.columns.size()), dialog);
    view->setObjectName("plotTableView");
    view->setAccessibleName(title);
    view->setHorizontalHeaderLabels(table.columns);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->verticalHeader()->hide();
    view->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    for (int row = 0; row < view->rowCount(); ++row) {
        for (int column = 0; column < view->columnCount(); ++column) {
            auto* item = new QTableWidgetItem(table.rows[row].value(column));
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            view->setItem(row, column, item);
        }
    }
    auto* copy = new QPushButton(QCoreApplication::translate("PlotTable", "Copy"), dialog);
    copy->setObjectName("copyPlotTableButton");
    QObject::connect(copy, &QPushButton::clicked, dialog,
                     [text = table.text()] { QApplication::clipboard()->setText(text); });
    auto* column = new QVBoxLayout(dialog);
    column->addWidget(view, 1);
    column->addWidget(copy, 0, Qt::AlignRight);
    dialog->show();
    return dialog;
}

}  // namespace kinescope::ui
