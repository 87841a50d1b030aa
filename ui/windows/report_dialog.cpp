#include "ui/windows/report_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/in_pool.h"
#include "ui/models/save_file.h"
#include "ui/widgets/language.h"
#include "ui/windows/desktop.h"

namespace kinescope::ui {

ReportDialog::ReportDialog(const Theme&, const Desktop& desktop, QWidget* parent)
    : QDialog(parent),
      desktop_(desktop),
      title_(new QLabel(this)),
      sentence_(new QLabel(this)),
      state_(new QLabel(this)),
      text_(new QPlainTextEdit(this)),
      close_(new QPushButton(this)),
      copy_(new QPushButton(this)),
      save_(new QPushButton(this)) {
    setObjectName(QStringLiteral("reportDialog"));
    build();
    connect(close_, &QPushButton::clicked, this, &QDialog::reject);
    connect(copy_, &QPushButton::clicked, this, [this] {
        QApplication::clipboard()->setText(text_->toPlainText());
        state_->setText(tr("Copied"));
    });
    connect(save_, &QPushButton::clicked, this, &ReportDialog::save);
    inEveryLanguage(this, [this] { retranslate(); });
    resize(820, 560);
}

void ReportDialog::build() {
    title_->setProperty("type", "title");
    sentence_->setWordWrap(true);
    state_->setObjectName(QStringLiteral("reportStateLabel"));
    state_->setProperty("type", "caption");
    text_->setObjectName(QStringLiteral("reportText"));
    text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text_->setTabChangesFocus(true);
    text_->setReadOnly(true);
    close_->setObjectName(QStringLiteral("closeReportButton"));
    copy_->setObjectName(QStringLiteral("copyProblemReportButton"));
    save_->setObjectName(QStringLiteral("saveProblemReportButton"));
    save_->setProperty("role", "primary");
    for (QPushButton* button : {copy_, save_}) button->setEnabled(false);
    auto* row = new QHBoxLayout;
    row->addWidget(state_, 1);
    row->addWidget(close_);
    row->addWidget(copy_);
    row->addWidget(save_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 20, 24, 16);
    column->setSpacing(12);
    column->addWidget(title_);
    column->addWidget(sentence_);
    column->addWidget(text_, 1);
    column->addLayout(row);
}

void ReportDialog::retranslate() {
    setWindowTitle(tr("Report a Problem"));
    title_->setText(tr("Report a Problem"));
    sentence_->setText(
        tr("This text describes your computer and the last run. You can edit it before you save it. Kinescope sends "
           "nothing: attach the file to your report yourself. The prompt is left out, but messages and file names can "
           "contain words of it."));
    text_->setAccessibleName(tr("Report text"));
    close_->setText(tr("Close"));
    copy_->setText(tr("Copy"));
    save_->setText(tr("Save…"));
    if (!ready_) state_->setText(tr("Checking this computer…"));
}

void ReportDialog::setReport(const QString& text) {
    ready_ = true;
    text_->setPlainText(text);
    text_->setReadOnly(false);
    state_->clear();
    for (QPushButton* button : {copy_, save_}) button->setEnabled(true);
}

void ReportDialog::save() {
    const QString to = desktop_.askSaveName(
        tr("Save report"), QDir::home().filePath(QStringLiteral("kinescope-problem-report.txt")), tr("Text (*.txt)"));
    if (to.isEmpty()) return;
    inPool(
        this, [to, text = text_->toPlainText().toUtf8()] { return saveFile(to, text); },
        [this, file = QDir::toNativeSeparators(to)](const QString& fault) {
            state_->setText(fault.isEmpty() ? tr("Saved to %1").arg(file) : tr("Can't save %1: %2").arg(file, fault));
        });
}

}  // namespace kinescope::ui
