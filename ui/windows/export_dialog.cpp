#include "ui/windows/export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>
#include <cmath>

#include "ui/models/output_format.h"
#include "ui/text/error_catalog.h"
#include "ui/text/words.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/named.h"
#include "ui/widgets/text_lines.h"
#include "ui/widgets/theme.h"
#include "ui/windows/desktop.h"

namespace kinescope::ui {
namespace {

constexpr int kWidth = 560;
constexpr int kThousandths = 1000;

QString sizeText(const ExportEstimate& estimate) {
    const QString bytes = bytesText(estimate.bytes);
    const bool isExact = estimate.num_tried >= estimate.num_frames;
    return isExact ? ExportDialog::tr("Size: %1").arg(bytes) : ExportDialog::tr("Estimated size: %1").arg(bytes);
}

}  // namespace

ExportDialog::ExportDialog(const Parts& parts, const QString& video, const QString& folder, QWidget* parent)
    : QDialog(parent),
      parts_(parts),
      exporter_(parts.bridge),
      choice_{.video = video, .format = exportFormats(video).front()},
      title_(new QLabel(this)),
      source_(named(new QLabel(this), "exportSourceLabel")),
      formatLabel_(new QLabel(this)),
      format_(named(new QComboBox(this), "exportFormatCombo")),
      note_(named(new QLabel(this), "exportNoteLabel")),
      qualityLabel_(new QLabel(this)),
      slider_(named(new QSlider(Qt::Horizontal, this), "exportCrfSlider")),
      spin_(named(new QSpinBox(this), "exportCrfSpin")),
      nameLabel_(new QLabel(this)),
      name_(named(new QLineEdit(this), "exportNameEdit")),
      choose_(named(new QPushButton(this), "chooseExportNameButton")),
      settings_(named(new QCheckBox(this), "exportSettingsCheck")),
      size_(named(new QLabel(this), "exportSizeLabel")),
      progress_(named(new QProgressBar(this), "exportProgressBar")),
      message_(named(new MessageLine(parts.theme, this), "exportMessage")),
      close_(named(new QPushButton(this), "closeExportButton")),
      export_(named(new QPushButton(this), "startExportButton")) {
    setObjectName(QStringLiteral("exportDialog"));
    choice_.target = freeExportName(folder, choice_.format, video);
    folder_ = QFileInfo(choice_.target).absolutePath();
    build();
    wire();
    inEveryLanguage(this, [this] { retranslate(); });
    updateFields();
    updateEstimate();
}

void ExportDialog::build() {
    title_->setProperty("type", "title");
    source_->setProperty("type", "caption");
    source_->setWordWrap(true);
    source_->setTextFormat(Qt::PlainText);
    note_->setProperty("type", "caption");
    note_->setWordWrap(true);
    size_->setProperty("type", "strong");
    progress_->setRange(0, kThousandths);
    progress_->setTextVisible(false);
    progress_->hide();
    settings_->setChecked(true);
    formatLabel_->setBuddy(format_);
    qualityLabel_->setBuddy(spin_);
    nameLabel_->setBuddy(name_);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(1, 1);
    grid->addWidget(formatLabel_, 0, 0);
    grid->addWidget(format_, 0, 1);
    grid->addWidget(note_, 1, 1);
    grid->addWidget(qualityLabel_, 2, 0);
    grid->addWidget(makeQualityRow(), 2, 1);
    grid->addWidget(nameLabel_, 3, 0);
    grid->addWidget(makeNameRow(), 3, 1);
    grid->addWidget(settings_, 4, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 20, 24, 16);
    column->setSpacing(12);
    column->addWidget(title_);
    column->addWidget(source_);
    column->addLayout(grid);
    column->addWidget(size_);
    column->addWidget(progress_);
    column->addWidget(message_);
    column->addWidget(makeButtons());
    column->setSizeConstraint(QLayout::SetMinimumSize);
    resize(kWidth, sizeHint().height());
}

QWidget* ExportDialog::makeQualityRow() {
    auto* holder = new QWidget(this);
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(slider_, 1);
    row->addWidget(spin_);
    return holder;
}

QWidget* ExportDialog::makeNameRow() {
    auto* holder = new QWidget(this);
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(name_, 1);
    row->addWidget(choose_);
    return holder;
}

QWidget* ExportDialog::makeButtons() {
    auto* holder = new QWidget(this);
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(0, 8, 0, 0);
    row->setSpacing(8);
    export_->setProperty("role", "primary");
    export_->setDefault(true);
    close_->setAutoDefault(false);
    choose_->setAutoDefault(false);
    row->addStretch(1);
    row->addWidget(close_);
    row->addWidget(export_);
    return holder;
}

void ExportDialog::wire() {
    connect(format_, &QComboBox::activated, this, [this] { setFormat(format_->currentData().toString()); });
    connect(slider_, &QSlider::valueChanged, spin_, &QSpinBox::setValue);
    connect(spin_, &QSpinBox::valueChanged, slider_, &QSlider::setValue);
    connect(spin_, &QSpinBox::valueChanged, this, [this](int crf) {
        choice_.crf = crf;
        onChoiceChanged();
    });
    connect(name_, &QLineEdit::textEdited, this, &ExportDialog::setTarget);
    connect(choose_, &QPushButton::clicked, this, &ExportDialog::chooseTarget);
    connect(settings_, &QCheckBox::toggled, this, [this](bool kept) {
        choice_.settings = kept ? SettingsInFile::kept : SettingsInFile::left_out;
        onChoiceChanged();
    });
    connect(close_, &QPushButton::clicked, this, [this] { exporter_.isRunning() ? exporter_.cancel() : reject(); });
    connect(export_, &QPushButton::clicked, this, &ExportDialog::startOrAsk);
    connect(message_, &MessageLine::fixActivated, this, [this] {
        if (!saved_.isEmpty()) return parts_.desktop.showInFolder(saved_);
        confirmed_ = choice_.target;
        start();
    });
    connect(&exporter_, &VideoExporter::progressed, this,
            [this](double share) { progress_->setValue(static_cast<int>(std::lround(share * kThousandths))); });
    connect(&exporter_, &VideoExporter::finished, this, &ExportDialog::onFinished);
    connect(&exporter_, &VideoExporter::failed, this, &ExportDialog::onFailed);
    connect(&exporter_, &VideoExporter::estimated, this,
            [this](const ExportEstimate& estimate) { size_->setText(sizeText(estimate)); });
    connect(&exporter_, &VideoExporter::estimateFailed, this, [this](const Error& error) {
        size_->setText(tr("The size can't be estimated."));
        message_->setMessage(Severity::warning, errorText(error).sentence);
    });
}

void ExportDialog::retranslate() {
    setWindowTitle(tr("Export Video"));
    title_->setText(tr("Export video"));
    const QFileInfo video(choice_.video);
    const QString name = video.fileName();
    setBreakableText(*source_, video.isDir() ? name : tr("%1, %2", "name, size").arg(name, bytesText(video.size())));
    formatLabel_->setText(tr("&Format"));
    format_->setAccessibleName(tr("Format"));
    qualityLabel_->setText(tr("&Quality (CRF)"));
    for (QWidget* part : {static_cast<QWidget*>(slider_), static_cast<QWidget*>(spin_)})
        part->setAccessibleName(tr("Quality (CRF)"));
    spin_->setToolTip(tr("Lower values give better quality and larger files."));
    slider_->setToolTip(spin_->toolTip());
    nameLabel_->setText(tr("&Save as"));
    name_->setAccessibleName(tr("Save as"));
    choose_->setText(tr("Choose…"));
    choose_->setAccessibleName(tr("Choose where to save"));
    settings_->setText(tr("Store the settings in the video so that they can be restored later"));
    progress_->setAccessibleName(tr("Progress"));
    export_->setText(tr("Export"));
    fillFormats();
    updateFields();
}

void ExportDialog::fillFormats() {
    format_->clear();
    for (const QString& id : exportFormats(choice_.video)) format_->addItem(exportFormatName(id, choice_.video), id);
}

void ExportDialog::setFormat(const QString& format) {
    if (format == choice_.format) return;
    choice_.format = format;
    choice_.crf.reset();
    const QFileInfo target(choice_.target);
    choice_.target = nameInFormat(choice_.target, format, choice_.video);
    if (QFileInfo::exists(choice_.target))
        choice_.target = freeExportName(target.absolutePath(), format, choice_.video);
    onChoiceChanged();
}

/// Offers another export, because the last one had other settings.
void ExportDialog::onChoiceChanged() {
    saved_.clear();
    message_->clear();
    updateFields();
    updateEstimate();
}

/// Sets the file to write. Its extension selects the format.
void ExportDialog::setTarget(const QString& target) {
    choice_.target = QDir::fromNativeSeparators(target.trimmed());
    saved_.clear();
    message_->clear();
    const QString format = formatOfName(choice_.target, choice_.format, choice_.video);
    if (format != choice_.format) {
        choice_.format = format;
        choice_.crf.reset();
        updateEstimate();
    }
    updateFields();
}

void ExportDialog::chooseTarget() {
    const QString chosen =
        parts_.desktop.askSaveName(tr("Export video"), choice_.target, exportFilter(choice_.format, choice_.video));
    if (chosen.isEmpty()) return;
    setTarget(chosen);
    folder_ = QFileInfo(choice_.target).absolutePath();
    const QString complete = nameInFormat(choice_.target, choice_.format, choice_.video);
    if (complete == choice_.target) confirmed_ = complete;  // the file dialog has already asked whether to replace it
    setTarget(complete);
}

void ExportDialog::updateFields() {
    const bool running = exporter_.isRunning();
    const bool original = choice_.format == QLatin1String(kOriginalFormat);
    const auto crf = exportCrf(choice_.format);
    const QSignalBlocker quiet[] = {QSignalBlocker(format_), QSignalBlocker(spin_), QSignalBlocker(slider_)};
    format_->setCurrentIndex(format_->findData(choice_.format));
    note_->setText(original ? tr("An exact copy of the file.") : formatNote(outputFormat(choice_.format)));
    const int most = original ? 0 : outputFormat(choice_.format).crfMost;
    spin_->setRange(0, most);
    slider_->setRange(0, most);
    spin_->setValue(choice_.crf.value_or(crf.value_or(0)));
    slider_->setValue(spin_->value());
    for (QWidget* part :
         {static_cast<QWidget*>(qualityLabel_), static_cast<QWidget*>(slider_), static_cast<QWidget*>(spin_)})
        part->setEnabled(crf.has_value() && !running);
    const QString shown = QDir::toNativeSeparators(choice_.target);
    if (QDir::toNativeSeparators(name_->text().trimmed()) != shown) name_->setText(shown);
    for (QWidget* part : {static_cast<QWidget*>(format_), static_cast<QWidget*>(name_), static_cast<QWidget*>(choose_)})
        part->setEnabled(!running);
    settings_->setEnabled(!running && !original);
    progress_->setVisible(running);
    export_->setEnabled(!running && !choice_.target.isEmpty() && saved_.isEmpty());
    close_->setText(running ? tr("Stop") : saved_.isEmpty() ? tr("Cancel") : tr("Close"));
}

void ExportDialog::updateEstimate() {
    size_->setText(tr("Estimating the size…"));
    ExportChoice tried = choice_;
    tried.target = QStringLiteral("sample") + exportEnding(choice_.format, choice_.video);
    exporter_.estimate(exportRequest(tried));
}

/// Starts the export. If a file with the typed name exists, asks first whether to replace it; the file dialog has asked
/// already.
void ExportDialog::startOrAsk() {
    const QString complete = nameInFormat(choice_.target, choice_.format, choice_.video);
    setTarget(QDir::cleanPath(QDir(folder_).filePath(complete)));
    folder_ = QFileInfo(choice_.target).absolutePath();
    if (QFileInfo::exists(choice_.target) && confirmed_ != choice_.target) {
        message_->setMessage(Severity::warning, tr("%1 already exists.").arg(QFileInfo(choice_.target).fileName()),
                             tr("Replace it"));
        return;
    }
    start();
}

void ExportDialog::start() {
    choice_.overwrite = confirmed_ == choice_.target ? OverwriteMode::overwrite : OverwriteMode::refuse;
    progress_->setValue(0);
    message_->clear();
    exporter_.start(exportRequest(choice_));
    updateFields();
}

void ExportDialog::reject() {
    if (!exporter_.isRunning()) return QDialog::reject();
    message_->setMessage(Severity::info, tr("The export goes on. Press Stop to end it."));
}

void ExportDialog::onFinished(const ExportResult& result) {
    saved_ = pathText(result.file);
    confirmed_.clear();  // the answer was for this export only
    const QString name = QFileInfo(saved_).fileName();
    message_->setMessage(Severity::ok, tr("Exported: %1, %2", "name, size").arg(name, bytesText(result.bytes)),
                         tr("Show in folder"));
    updateFields();
    close_->setFocus();
    Q_EMIT exported(saved_);
}

void ExportDialog::onFailed(const Error& error) {
    updateFields();
    if (error.code() == ErrorCode::cancelled)
        return message_->setMessage(Severity::info, tr("Stopped. Nothing was written."));
    const ErrorText words = errorText(error);
    message_->setMessage(Severity::error, tr("%1. %2", "title, sentence").arg(words.title, words.sentence));
}

}  // namespace kinescope::ui
