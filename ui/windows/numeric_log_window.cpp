#include "ui/windows/numeric_log_window.h"

#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTableView>
#include <QThreadPool>
#include <QVBoxLayout>

#include "ui/widgets/language.h"
#include "ui/widgets/segmented.h"
#include "ui/windows/desktop.h"

namespace kinescope::ui {
namespace {

/// Filters rows by text in their site or note. In the mode Findings, shows only findings.
class LogFilter : public QSortFilterProxyModel {
public:
    LogFilter(const QLineEdit& text, const Segmented& kind, QObject* parent)
        : QSortFilterProxyModel(parent), text_(text), kind_(kind) {}
    void filterAgain() { invalidateFilter(); }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const QModelIndex index = sourceModel()->index(row, 0, parent);
        if (kind_.currentIndex() == 1 && !index.data(NumericLogModel::kFindingRole).toBool()) return false;
        return index.data(NumericLogModel::kTextRole).toString().contains(text_.text(), Qt::CaseInsensitive);
    }

private:
    const QLineEdit& text_;
    const Segmented& kind_;
};

}  // namespace

NumericLogWindow::NumericLogWindow(const Theme& theme, const Desktop& desktop, QWidget* parent)
    : QDialog(parent),
      desktop_(desktop),
      model_(new NumericLogModel(this)),
      name_(new QLabel(this)),
      note_(new QLabel(this)),
      filter_(new QLineEdit(this)),
      kind_(new Segmented(theme, this)),
      other_(new QPushButton(this)),
      table_(new QTableView(this)),
      details_(new QPlainTextEdit(this)) {
    shown_ = new LogFilter(*filter_, *kind_, this);
    shown_->setSourceModel(model_);
    setObjectName(QStringLiteral("numericLogWindow"));
    setModal(false);
    build();
    wire();
    inEveryLanguage(this, [this] { retranslate(); });
    resize(1000, 640);
}

void NumericLogWindow::build() {
    name_->setProperty("type", "subtitle");
    name_->setTextFormat(Qt::PlainText);
    note_->setObjectName(QStringLiteral("numericLogNote"));
    note_->setProperty("type", "caption");
    note_->setTextFormat(Qt::PlainText);
    filter_->setObjectName(QStringLiteral("numericLogFilterEdit"));
    filter_->setClearButtonEnabled(true);
    filter_->setMaximumWidth(240);
    kind_->setObjectName(QStringLiteral("numericLogKindButtons"));
    kind_->setItems({QString(), QString()});
    other_->setObjectName(QStringLiteral("openOtherLogButton"));
    other_->setAutoDefault(false);
    table_->setObjectName(QStringLiteral("numericLogTable"));
    table_->setModel(shown_);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setTabKeyNavigation(false);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->setColumnWidth(NumericLogModel::siteColumn, 320);
    for (const int column : {NumericLogModel::recordColumn, NumericLogModel::phaseColumn, NumericLogModel::dtypeColumn,
                             NumericLogModel::largestColumn, NumericLogModel::headroomColumn})
        table_->setColumnWidth(column, 90);
    table_->setColumnWidth(NumericLogModel::stepColumn, 56);
    details_->setObjectName(QStringLiteral("numericLogDetails"));
    details_->setReadOnly(true);
    details_->setTabChangesFocus(true);
    details_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    auto* titles = new QVBoxLayout;
    titles->addWidget(name_);
    titles->addWidget(note_);
    auto* row = new QHBoxLayout;
    row->addLayout(titles, 1);
    row->addWidget(filter_);
    row->addWidget(kind_);
    row->addWidget(other_);
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->addWidget(table_);
    parts->addWidget(details_);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 16);
    column->addLayout(row);
    column->addWidget(parts, 1);
}

void NumericLogWindow::wire() {
    const auto filterAgain = [this] {
        static_cast<LogFilter*>(shown_)->filterAgain();
        updateNote();
    };
    connect(filter_, &QLineEdit::textChanged, this, filterAgain);
    connect(kind_, &Segmented::currentChanged, this, filterAgain);
    connect(other_, &QPushButton::clicked, this, &NumericLogWindow::openOther);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &NumericLogWindow::showDetails);
}

void NumericLogWindow::retranslate() {
    setWindowTitle(tr("Numeric Log"));
    filter_->setPlaceholderText(tr("Filter"));
    filter_->setAccessibleName(tr("Filter"));
    kind_->setTexts({tr("All"), tr("Findings")});
    other_->setText(tr("Open another log…"));
    table_->setAccessibleName(tr("Records"));
    details_->setAccessibleName(tr("Selected record"));
    model_->retranslate();
    updateNote();
}

void NumericLogWindow::read(const QString& file) {
    showLog({});  // removes the records of the previous file
    file_ = file;
    isReading_ = true;
    name_->setText(QFileInfo(file).fileName());
    updateNote();
    QThreadPool::globalInstance()->start([window = QPointer(this), file, number = ++numReads_] {
        const NumericLogRows log = readNumericLog(file);
        QMetaObject::invokeMethod(qApp, [window, number, log] {
            if (window && window->numReads_ == number) window->showLog(log);
        });
    });
}

void NumericLogWindow::showLog(const NumericLogRows& log) {
    isReading_ = false;
    log_ = log;
    model_->setRows(std::move(log_.rows));
    log_.rows.clear();
    details_->clear();
    updateNote();
    if (shown_->rowCount() > 0) table_->setCurrentIndex(shown_->index(0, 0));
}

void NumericLogWindow::updateNote() {
    if (file_.isEmpty()) return;
    if (isReading_) return note_->setText(tr("Reading…"));
    if (!log_.problem.isEmpty()) return note_->setText(tr("Can't read this file: %1").arg(log_.problem));
    QString text = tr("%Ln records", nullptr, shown_->rowCount());
    if (log_.numSkipped > 0) text += tr(", %Ln invalid lines", nullptr, log_.numSkipped);
    if (log_.isCut) text += tr(", file not read completely");
    note_->setText(text);
}

void NumericLogWindow::showDetails() {
    details_->setPlainText(model_->details(shown_->mapToSource(table_->currentIndex()).row()));
}

void NumericLogWindow::openOther() {
    const QString file = desktop_.askFile(tr("Open Numeric Log"), QFileInfo(file_).path(),
                                          tr("Numeric logs") + QStringLiteral(" (*.jsonl)"));
    if (!file.isEmpty()) read(file);
}

}  // namespace kinescope::ui
