#include "ui/panels/precision_table.h"

#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/panels/precision_rows.h"
#include "ui/text/policy_words.h"
#include "ui/text/site_name.h"
#include "ui/text/words.h"
#include "ui/widgets/language.h"

namespace kinescope::ui {
namespace {

constexpr int kReasonColumn = 8;

QStringList cellsOf(const ComponentPolicy& part) {
    return {componentName(part.component),
            isAutomatic(part) ? PrecisionTable::tr("Auto") : dtypeName(part.requested),
            dtypeName(part.stored),
            dtypeName(part.storage),
            dtypeName(part.compute),
            dtypeName(part.accumulation),
            QString::fromStdString(part.attention),
            QString::fromStdString(part.device),
            asSentence(reasonOf(part))};
}

}  // namespace

PrecisionTable::PrecisionTable(QWidget* parent) : QDialog(parent), table_(new QTableWidget(this)) {
    setObjectName(QStringLiteral("precisionTableDialog"));
    table_->setObjectName(QStringLiteral("precisionTable"));
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setTabKeyNavigation(false);
    table_->setShowGrid(false);
    table_->setWordWrap(true);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    const auto fitRows = [this](int section) {
        if (section == kReasonColumn) table_->resizeRowsToContents();  // its text is wrapped
    };
    // Queued, because the rows are measured with the new widths only after all columns have theirs.
    connect(table_->horizontalHeader(), &QHeaderView::sectionResized, table_, fitRows, Qt::QueuedConnection);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->addWidget(table_);
    resize(960, 320);
    inEveryLanguage(this, [this] {
        setWindowTitle(tr("Precision of Each Component"));
        table_->setAccessibleName(tr("Precision of each component"));
        showRows();
    });
}

void PrecisionTable::setPolicy(const PolicySummary& policy) {
    policy_ = policy;
    showRows();
}

void PrecisionTable::showRows() {
    const QStringList columns{tr("Component"), tr("Requested"), tr("In the file"), tr("Stored in"), tr("Computes in"),
                              tr("Sums in"),   tr("Attention"), tr("Device"),      tr("Reason")};
    table_->setColumnCount(static_cast<int>(columns.size()));
    table_->setHorizontalHeaderLabels(columns);
    table_->setRowCount(static_cast<int>(policy_.size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
        const QStringList cells = cellsOf(policy_[static_cast<std::size_t>(row)]);
        for (int cell = 0; cell < cells.size(); ++cell) {
            auto* item = new QTableWidgetItem(cells[cell]);
            item->setToolTip(cells[cell]);
            table_->setItem(row, cell, item);
        }
    }
    table_->resizeColumnsToContents();
    table_->horizontalHeader()->setSectionResizeMode(kReasonColumn, QHeaderView::Stretch);
    table_->resizeRowsToContents();
}

}  // namespace kinescope::ui
