#include "ui/windows/finish_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "ui/models/media_files.h"
#include "ui/text/error_catalog.h"
#include "ui/text/words.h"
#include "ui/widgets/eta_format.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/text_lines.h"
#include "ui/widgets/theme.h"
#include "ui/windows/desktop.h"

namespace kinescope::ui {
namespace {

constexpr int kDialogWidth = 620;
constexpr double kLongestFade = 60;
constexpr double kLatestStart = 24 * 3600;
constexpr auto kUpscalerKey = "finish/upscaler";
constexpr auto kInterpolatorKey = "finish/interpolator";

template <class Part>
Part* withName(Part* part, const QString& name) {
    part->setObjectName(name);
    return part;
}

QString shownPath(const QString& path) {
    return QDir::toNativeSeparators(path);
}

QString typedPath(const QLineEdit& edit) {
    return QDir::fromNativeSeparators(edit.text().trimmed());
}

QString rateText(const QString& rate) {
    if (rate.startsWith(QLatin1Char('x'))) return FinishDialog::tr("%1 × the frame rate").arg(rate.mid(1));
    return FinishDialog::tr("%1 frames per second").arg(rate);
}

QString factorText(int factor) {
    return factor == 0 ? FinishDialog::tr("As the upscaler makes it") : FinishDialog::tr("%1 × the size").arg(factor);
}

}  // namespace

FinishDialog::FinishDialog(const Parts& parts, const QString& video, QWidget* parent)
    : QDialog(parent),
      parts_(parts),
      finisher_(parts.bridge),
      choice_{.video = video},
      title_(new QLabel(this)),
      source_(withName(new QLabel(this), QStringLiteral("finishSourceLabel"))),
      upscaler_(makeField("finishUpscaler")),
      factorLabel_(new QLabel(this)),
      factor_(withName(new QComboBox(this), QStringLiteral("finishFactorCombo"))),
      interpolator_(makeField("finishInterpolator")),
      rateLabel_(new QLabel(this)),
      rate_(withName(new QComboBox(this), QStringLiteral("finishRateCombo"))),
      audio_(makeField("finishAudio")),
      loop_(withName(new QCheckBox(this), QStringLiteral("finishLoopCheck"))),
      startLabel_(new QLabel(this)),
      start_(withName(new QDoubleSpinBox(this), QStringLiteral("finishAudioStartSpin"))),
      fadeInLabel_(new QLabel(this)),
      fadeIn_(withName(new QDoubleSpinBox(this), QStringLiteral("finishFadeInSpin"))),
      fadeOutLabel_(new QLabel(this)),
      fadeOut_(withName(new QDoubleSpinBox(this), QStringLiteral("finishFadeOutSpin"))),
      target_(makeField("finishName")),
      state_(withName(new QLabel(this), QStringLiteral("finishStateLabel"))),
      progress_(withName(new QProgressBar(this), QStringLiteral("finishProgressBar"))),
      message_(withName(new MessageLine(parts.theme, this), QStringLiteral("finishMessage"))),
      close_(withName(new QPushButton(this), QStringLiteral("closeFinishButton"))),
      finish_(withName(new QPushButton(this), QStringLiteral("startFinishButton"))) {
    setObjectName(QStringLiteral("finishDialog"));
    choice_.target = freeFinishName(video);
    folder_ = QFileInfo(choice_.target).absolutePath();
    upscaler_.edit->setText(shownPath(parts_.preferences.saved(kUpscalerKey).toString()));
    interpolator_.edit->setText(shownPath(parts_.preferences.saved(kInterpolatorKey).toString()));
    target_.edit->setText(shownPath(choice_.target));
    build();
    wire();
    inEveryLanguage(this, [this] { retranslate(); });
    readFields();
}

FinishDialog::FileField FinishDialog::makeField(const char* name) {
    const QString stem = QLatin1String(name);
    FileField field{new QLabel(this), withName(new QLineEdit(this), stem + QStringLiteral("Edit")),
                    withName(new QPushButton(this), stem + QStringLiteral("Button"))};
    field.label->setBuddy(field.edit);
    field.edit->setClearButtonEnabled(true);
    field.choose->setAutoDefault(false);
    return field;
}

void FinishDialog::addRow(QGridLayout& grid, const FileField& field) const {
    const int row = grid.rowCount();
    grid.addWidget(field.label, row, 0);
    grid.addWidget(field.edit, row, 1);
    grid.addWidget(field.choose, row, 2);
}

void FinishDialog::build() {
    title_->setProperty("type", "title");
    source_->setProperty("type", "caption");
    source_->setWordWrap(true);
    source_->setTextFormat(Qt::PlainText);
    state_->setProperty("type", "caption");
    progress_->setTextVisible(false);
    factorLabel_->setBuddy(factor_);
    rateLabel_->setBuddy(rate_);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(1, 1);
    const auto addChoice = [grid](QLabel* label, QComboBox* combo) {
        const int row = grid->rowCount();
        grid->addWidget(label, row, 0);
        grid->addWidget(combo, row, 1, Qt::AlignLeft);
    };
    addRow(*grid, upscaler_);
    addChoice(factorLabel_, factor_);
    addRow(*grid, interpolator_);
    addChoice(rateLabel_, rate_);
    addRow(*grid, audio_);
    grid->addWidget(makeAudioRow(), grid->rowCount(), 1, 1, 2);
    addRow(*grid, target_);
    auto* head = new QHBoxLayout;
    head->addWidget(title_);
    head->addStretch(1);
    head->addWidget(new HelpButton(parts_.theme, QStringLiteral("library#finish"), this));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 20, 24, 16);
    column->setSpacing(12);
    column->addLayout(head);
    column->addWidget(source_);
    column->addLayout(grid);
    column->addWidget(state_);
    column->addWidget(progress_);
    column->addWidget(message_);
    column->addWidget(makeButtons());
    column->setSizeConstraint(QLayout::SetMinimumSize);
    resize(kDialogWidth, sizeHint().height());
}

QWidget* FinishDialog::makeAudioRow() {
    auto* holder = new QWidget(this);
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    startLabel_->setBuddy(start_);
    fadeInLabel_->setBuddy(fadeIn_);
    fadeOutLabel_->setBuddy(fadeOut_);
    for (QDoubleSpinBox* fade : {fadeIn_, fadeOut_}) {
        fade->setRange(0, kLongestFade);
        fade->setSingleStep(0.5);
        fade->setDecimals(1);
    }
    start_->setRange(0, kLatestStart);
    start_->setDecimals(1);
    row->addWidget(loop_);
    row->addStretch(1);
    for (QWidget* part : audioFields()) row->addWidget(part);
    return holder;
}

QList<QWidget*> FinishDialog::audioFields() const {
    return {startLabel_, start_, fadeInLabel_, fadeIn_, fadeOutLabel_, fadeOut_};
}

QWidget* FinishDialog::makeButtons() {
    auto* holder = new QWidget(this);
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(0, 8, 0, 0);
    row->setSpacing(8);
    finish_->setProperty("role", "primary");
    finish_->setDefault(true);
    close_->setAutoDefault(false);
    row->addStretch(1);
    row->addWidget(close_);
    row->addWidget(finish_);
    return holder;
}

void FinishDialog::wire() {
    const QString networks = QStringLiteral("*.pth *.pt *.pkl *.safetensors");
    connect(upscaler_.choose, &QPushButton::clicked, this,
            [this, networks] { ask(upscaler_, tr("Choose an Upscaler"), tr("Networks (%1)").arg(networks)); });
    connect(interpolator_.choose, &QPushButton::clicked, this,
            [this, networks] { ask(interpolator_, tr("Choose an Interpolator"), tr("Networks (%1)").arg(networks)); });
    connect(audio_.choose, &QPushButton::clicked, this, [this] {
        ask(audio_, tr("Choose Audio"),
            tr("Sound (%1)")
                .arg(QLatin1String("*.wav *.flac *.mp3 *.m4a *.ogg *.opus *.aac *.m4v ") + soundVideoFilter()));
    });
    connect(target_.choose, &QPushButton::clicked, this, &FinishDialog::askTarget);
    for (const FileField* field : {&upscaler_, &interpolator_, &audio_, &target_})
        connect(field->edit, &QLineEdit::textChanged, this, &FinishDialog::readFields);
    for (QComboBox* combo : {factor_, rate_}) connect(combo, &QComboBox::activated, this, &FinishDialog::readFields);
    connect(loop_, &QCheckBox::toggled, this, &FinishDialog::readFields);
    for (QDoubleSpinBox* fade : {start_, fadeIn_, fadeOut_})
        connect(fade, &QDoubleSpinBox::valueChanged, this, &FinishDialog::readFields);
    connect(close_, &QPushButton::clicked, this, [this] { finisher_.isRunning() ? finisher_.pause() : reject(); });
    connect(finish_, &QPushButton::clicked, this, &FinishDialog::startOrAsk);
    connect(message_, &MessageLine::fixActivated, this, [this] {
        if (finisher_.isRunning()) return finisher_.cancel();
        if (!result_.isEmpty()) return parts_.desktop.showInFolder(result_);
        confirmed_ = choice_.target;
        start();
    });
    connect(&finisher_, &VideoFinisher::progressed, this, &FinishDialog::onProgress);
    connect(&finisher_, &VideoFinisher::finished, this, &FinishDialog::onFinished);
    connect(&finisher_, &VideoFinisher::failed, this, &FinishDialog::onFailed);
}

void FinishDialog::retranslate() {
    setWindowTitle(tr("Finish Video"));
    title_->setText(tr("Finish video"));
    const QFileInfo video(choice_.video);
    setBreakableText(*source_, video.fileName());
    const auto set = [this](const FileField& field, const QString& label, const QString& name) {
        field.label->setText(label);
        field.edit->setAccessibleName(name);
        field.choose->setText(tr("Choose…"));
        field.choose->setAccessibleName(tr("Choose: %1").arg(name));
    };
    set(upscaler_, tr("&Upscaler"), tr("Upscaler"));
    set(interpolator_, tr("&Interpolator"), tr("Interpolator"));
    set(audio_, tr("&Audio"), tr("Audio"));
    set(target_, tr("&Save as"), tr("Save as"));
    upscaler_.edit->setPlaceholderText(tr("None: the size stays"));
    interpolator_.edit->setPlaceholderText(tr("None: the frame rate stays"));
    audio_.edit->setPlaceholderText(tr("None: the sound of the video stays"));
    factorLabel_->setText(tr("Si&ze"));
    factor_->setAccessibleName(tr("Size"));
    rateLabel_->setText(tr("&Frame rate"));
    rate_->setAccessibleName(tr("Frame rate"));
    loop_->setText(tr("&Repeat short audio"));
    startLabel_->setText(tr("S&kip"));
    start_->setAccessibleName(tr("Skip the beginning of the audio"));
    fadeInLabel_->setText(tr("Fade i&n"));
    fadeIn_->setAccessibleName(tr("Fade in"));
    fadeOutLabel_->setText(tr("Fade &out"));
    fadeOut_->setAccessibleName(tr("Fade out"));
    for (QDoubleSpinBox* fade : {start_, fadeIn_, fadeOut_}) fade->setSuffix(tr(" s", "seconds"));
    progress_->setAccessibleName(tr("Progress"));
    finish_->setText(tr("Finish"));
    fillChoices();
    updateFields();
}

void FinishDialog::fillChoices() {
    const QSignalBlocker quietRate(rate_);
    const QSignalBlocker quietFactor(factor_);
    rate_->clear();
    for (const QString& rate : finishRates()) rate_->addItem(rateText(rate), rate);
    rate_->setCurrentIndex(rate_->findData(choice_.rate));
    factor_->clear();
    for (const int factor : finishFactors()) factor_->addItem(factorText(factor), factor);
    factor_->setCurrentIndex(factor_->findData(choice_.factor));
}

void FinishDialog::readFields() {
    choice_.upscaler = typedPath(*upscaler_.edit);
    choice_.interpolator = typedPath(*interpolator_.edit);
    choice_.audio = typedPath(*audio_.edit);
    choice_.target = typedPath(*target_.edit);
    if (rate_->currentIndex() >= 0) choice_.rate = rate_->currentData().toString();
    if (factor_->currentIndex() >= 0) choice_.factor = factor_->currentData().toInt();
    choice_.audioStart = start_->value();
    choice_.length = loop_->isChecked() ? AudioLength::loop : AudioLength::once;
    choice_.fadeIn = fadeIn_->value();
    choice_.fadeOut = fadeOut_->value();
    result_.clear();
    message_->clear();
    updateFields();
}

void FinishDialog::updateFields() {
    const bool running = finisher_.isRunning();
    for (const FileField* field : {&upscaler_, &interpolator_, &audio_, &target_})
        for (QWidget* part : {static_cast<QWidget*>(field->edit), static_cast<QWidget*>(field->choose)})
            part->setEnabled(!running);
    rate_->setEnabled(!running && !choice_.interpolator.isEmpty());
    rateLabel_->setEnabled(rate_->isEnabled());
    factor_->setEnabled(!running && !choice_.upscaler.isEmpty());
    factorLabel_->setEnabled(factor_->isEnabled());
    loop_->setEnabled(!running && !choice_.audio.isEmpty());
    for (QWidget* part : audioFields()) part->setEnabled(loop_->isEnabled());
    progress_->setVisible(running);
    finish_->setEnabled(!running && choice_.hasStep() && !choice_.target.isEmpty() && result_.isEmpty());
    explainFields();
    close_->setText(running ? tr("Stop") : result_.isEmpty() ? tr("Cancel") : tr("Close"));
}

/// Says why fields and the button can't be used yet.
void FinishDialog::explainFields() {
    const bool running = finisher_.isRunning();
    const auto explain = [running](QWidget* field, const QString& reason, const QString& usual = {}) {
        field->setToolTip(field->isEnabled() || running ? usual : reason);
    };
    explain(factor_, tr("Choose an upscaler first."));
    explain(rate_, tr("Choose an interpolator first."));
    const QString noAudio = tr("Choose audio first.");
    explain(loop_, noAudio);
    explain(start_, noAudio, tr("Seconds of the audio that are left out at its beginning"));
    explain(fadeIn_, noAudio);
    explain(fadeOut_, noAudio);
    const QString missing = !choice_.hasStep()         ? tr("Choose an upscaler, an interpolator or audio first.")
                            : choice_.target.isEmpty() ? tr("Choose a name for the finished video.")
                                                       : QString();
    explain(finish_, missing);
    if (!running) state_->setText(missing);
    state_->setVisible(!state_->text().isEmpty());
}

void FinishDialog::reject() {
    if (!finisher_.isRunning()) return QDialog::reject();
    message_->setMessage(Severity::info, tr("The work goes on. Press Stop to continue it later, or discard it."),
                         tr("Discard"));
}

void FinishDialog::ask(const FileField& field, const QString& title, const QString& filter) {
    const QString file = parts_.desktop.askFile(title, typedPath(*field.edit), filter);
    if (!file.isEmpty()) field.edit->setText(shownPath(file));
}

void FinishDialog::askTarget() {
    const QString file =
        parts_.desktop.askSaveName(tr("Finish Video"), choice_.target, tr("Videos (%1)").arg(soundVideoFilter()));
    if (file.isEmpty()) return;
    setTarget(file);
    if (choice_.target == file) confirmed_ = file;  // the file dialog has asked
}

/// Completes a name and shows it.
void FinishDialog::setTarget(const QString& target) {
    const QString complete = finishTarget(target, folder_, choice_.video);
    folder_ = QFileInfo(complete).absolutePath();
    target_.edit->setText(shownPath(complete));
}

/// A typed name may be taken. The file dialog asks by itself.
void FinishDialog::startOrAsk() {
    setTarget(choice_.target);
    if (!QFileInfo::exists(choice_.target) || confirmed_ == choice_.target) return start();
    message_->setMessage(Severity::warning, tr("%1 exists already.").arg(QFileInfo(choice_.target).fileName()),
                         tr("Replace it"));
}

void FinishDialog::start() {
    choice_.overwrite = confirmed_ == choice_.target ? OverwriteMode::overwrite : OverwriteMode::refuse;
    parts_.preferences.set(kUpscalerKey, choice_.upscaler);
    parts_.preferences.set(kInterpolatorKey, choice_.interpolator);
    progress_->setRange(0, 0);
    state_->setText(tr("Waiting for the engine…"));
    message_->clear();
    finisher_.start(finishRequest(choice_));
    updateFields();
}

void FinishDialog::onProgress(const FinishProgress& progress) {
    progress_->setRange(0, progress.total);
    progress_->setValue(progress.done);
    if (progress.stage == FinishStage::file) return state_->setText(tr("Completing the file…"));
    const QString frames = tr("%1 of %2 frames").arg(countText(progress.done), countText(progress.total));
    const double left = progress.done > 0 ? progress.seconds / progress.done * (progress.total - progress.done) : 0;
    state_->setText(left > 0 ? tr("%1, %2 left", "frames, time").arg(frames, formatDuration(left)) : frames);
}

void FinishDialog::onFinished(const FinishResult& result) {
    confirmed_.clear();  // agreed to for this run only
    result_ = pathText(result.file);
    const QString size = tr("%1 × %2, %Ln frames", nullptr, result.num_frames).arg(result.width).arg(result.height);
    message_->setMessage(Severity::ok,
                         tr("Saved: %1, %2", "name, size and frames").arg(QFileInfo(result_).fileName(), size),
                         tr("Show in folder"));
    updateFields();
    close_->setFocus();
    Q_EMIT saved(result_);
}

void FinishDialog::onFailed(const Error& error) {
    updateFields();
    if (error.code() == ErrorCode::cancelled)
        return message_->setMessage(
            Severity::info,
            error.hint().empty()
                ? tr("Stopped. Nothing was written.")
                : tr("Stopped. The finished parts are kept for two weeks; Finish continues after them."));
    const ErrorText words = errorText(error);
    message_->setMessage(Severity::error, tr("%1. %2", "title, sentence").arg(words.title, words.sentence));
}

}  // namespace kinescope::ui
