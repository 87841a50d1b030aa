#include "ui/windows/compare_page.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPointer>
#include <QSlider>
#include <QThreadPool>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "ui/models/frame_pairs.h"
#include "ui/models/images.h"
#include "ui/models/in_pool.h"
#include "ui/models/log_folder.h"
#include "ui/models/model_names.h"
#include "ui/models/played_rate.h"
#include "ui/models/save_file.h"
#include "ui/panels/compare_plots.h"
#include "ui/panels/compare_result.h"
#include "ui/panels/run_picker.h"
#include "ui/text/error_catalog.h"
#include "ui/widgets/card.h"
#include "ui/widgets/compare_player.h"
#include "ui/widgets/fitted_width.h"
#include "ui/widgets/language.h"
#include "ui/widgets/scrub_slider.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/transport_bar.h"

namespace kinescope::ui {
namespace {

constexpr int kGap = 8;
constexpr int kResultWidth = 340;
constexpr int kWipeSteps = 100;
constexpr double kUsualFps = 8;
constexpr qint64 kMostLogBytes = 512 << 20;
/// Limits the memory for the frames of both clips to about 200 MB.
constexpr FrameSelection kShown{.max_frames = 121, .max_width_px = 640};

bool isLog(const QString& file) {
    return file.endsWith(QLatin1String(".jsonl"), Qt::CaseInsensitive);
}

/// Returns the content of a log, or nothing if the file is too large.
QByteArray readAll(const QString& log) {
    QFile file(log);
    const bool is_log = QFileInfo(log).isFile() && file.size() <= kMostLogBytes;
    return is_log && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

ComparePage::ComparePage(const Theme& theme, EngineInspector& inspector, Desktop desktop, QWidget* parent)
    : QWidget(parent),
      inspector_(inspector),
      desktop_(std::move(desktop)),
      a_(new RunPicker(theme, QStringLiteral("A"), this)),
      b_(new RunPicker(theme, QStringLiteral("B"), this)),
      player_(new ComparePlayer(theme, this)),
      transport_(new TransportBar(theme, *player_, this)),
      mix_(new Segmented(theme, this)),
      wipe_(new QSlider(Qt::Horizontal, this)),
      result_(new CompareResult(theme, this)),
      plots_(new ComparePlots(theme, this)) {
    setObjectName(QStringLiteral("comparePage"));
    setFittedWidth(*result_, kResultWidth);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGap);
    auto* column = new QVBoxLayout;
    column->setSpacing(kGap);
    column->addWidget(makeViewer(theme), 1);
    column->addWidget(plots_);
    row->addLayout(column, 1);
    row->addWidget(result_);
    nameTransport();
    wire();
    inEveryLanguage(this, [this] { retranslate(); });
}

void ComparePage::retranslate() {
    player_->setAccessibleName(tr("Both videos"));
    player_->setEmptyState(QStringLiteral("compare"), tr("Compare two runs"),
                           tr("Select A and B above: two videos or two numeric logs."));
    mix_->setTexts({tr("Side by side"), tr("Wipe"), tr("Difference × 8"), tr("Blink")});
    wipe_->setAccessibleName(tr("Wipe position"));
    wipe_->setToolTip(tr("A on the left, B on the right"));
    if (!result_->isWaiting()) result_->showComparison(comparison_);
}

QWidget* ComparePage::makeViewer(const Theme& theme) {
    player_->setObjectName(QStringLiteral("comparePlayer"));
    mix_->setObjectName(QStringLiteral("compareMixButtons"));
    mix_->setItems({{}, {}, {}, {}});
    wipe_->setObjectName(QStringLiteral("wipeSlider"));
    wipe_->setProperty("role", "value");
    wipe_->setRange(0, kWipeSteps);
    wipe_->setValue(kWipeSteps / 2);
    wipe_->hide();

    auto* card = new Card(theme, this);
    card->setObjectName(QStringLiteral("compareViewPanel"));
    auto* pickers = new QHBoxLayout;
    pickers->setSpacing(kGap);
    pickers->addWidget(a_, 1);
    pickers->addWidget(b_, 1);
    auto* modes = new QHBoxLayout;
    modes->addWidget(mix_);
    modes->addWidget(wipe_, 1);
    modes->addStretch(1);
    card->body()->addLayout(pickers);
    card->body()->addWidget(player_, 1);
    card->body()->addWidget(transport_);
    card->body()->addLayout(modes);
    return card;
}

/// Renames the controls: the Create page has the same ones, and object names must be unique.
void ComparePage::nameTransport() {
    const auto rename = [](QWidget* part) {
        const QString name = part->objectName();
        if (!name.isEmpty())
            part->setObjectName(QStringLiteral("compare%1%2").arg(name.left(1).toUpper(), name.mid(1)));
    };
    for (QToolButton* button : transport_->findChildren<QToolButton*>()) rename(button);
    rename(transport_->slider());
    transport_->compareButton()->hide();
    if (auto* theatre = transport_->findChild<QToolButton*>(QStringLiteral("compareTheatreButton"))) theatre->hide();
}

void ComparePage::wire() {
    connect(a_, &RunPicker::fileChosen, this, &ComparePage::requestComparison);
    connect(b_, &RunPicker::fileChosen, this, &ComparePage::requestComparison);
    connect(mix_, &Segmented::currentChanged, this, [this](int index) {
        player_->setMix(static_cast<FrameMix>(index));
        wipe_->setVisible(player_->mix() == FrameMix::wipe);
    });
    connect(wipe_, &QSlider::valueChanged, this,
            [this](int value) { player_->setWipe(static_cast<double>(value) / kWipeSteps); });
    connect(player_, &FramePlayer::saveFrameRequested, this, &ComparePage::saveFrame);
    connect(&inspector_, &EngineInspector::compared, this,
            [this](const std::string& a, const std::string& b, const CompareReport& report) {
                if (isCurrent(a, b)) onCompared(report);
            });
    connect(&inspector_, &EngineInspector::compareFailed, this,
            [this](const std::string& a, const std::string& b, const Error& error) {
                // The logs of two videos are only an addition, and a file of this name need not be a log.
                const bool isOfFiles = a == a_->file().toStdString();
                if (isOfFiles && isCurrent(a, b)) result_->showError(errorText(error).title, errorText(error).sentence);
            });
    connect(&inspector_, &EngineInspector::shapeRead, this, &ComparePage::onShapeRead);
    connect(&inspector_, &EngineInspector::framesRead, this, &ComparePage::onFramesRead);
    connect(&inspector_, &EngineInspector::settingsRead, this, &ComparePage::onSettingsRead);
    connect(result_, &CompareResult::copyRequested, this,
            [this] { QApplication::clipboard()->setText(comparisonReport(comparison_)); });
    connect(result_, &CompareResult::saveRequested, this, &ComparePage::saveReport);
}

void ComparePage::setHistory(HistoryModel& history) {
    a_->setHistory(history);
    b_->setHistory(history);
}

void ComparePage::compare(const QString& a, const QString& b) {
    a_->setFile(a);
    b_->setFile(b);
}

void ComparePage::requestComparison() {
    const QString a = a_->file();
    const QString b = b_->file();
    comparison_ = {};
    logA_.clear();
    logB_.clear();
    framesA_.clear();
    framesB_.clear();
    settingsA_.reset();
    settingsB_.reset();
    shapeA_.reset();
    shapeB_.reset();
    readA_.clear();
    readB_.clear();
    player_->clear();
    plots_->clear();
    inspector_.beginComparison();
    for (const QString& file : {a, b})
        if (!file.isEmpty() && !isLog(file)) requestDetails(file);
    if (a.isEmpty() || b.isEmpty()) return result_->showComparison(comparison_);
    result_->showWaiting();
    inspector_.askCompare(a.toStdString(), b.toStdString());
    if (isLog(a) && isLog(b)) return plotLogs(a, b);
    if (!isLog(a) && !isLog(b)) compareLogsOf(a, b);
}

void ComparePage::compareLogsOf(const QString& a, const QString& b) {
    inPool(
        this, [a, b] { return std::pair(logOf(a), logOf(b)); },
        [this, a, b](const std::pair<QString, QString>& logs) {
            if (a != a_->file() || b != b_->file() || logs.first.isEmpty() || logs.second.isEmpty()) return;
            logA_ = logs.first;
            logB_ = logs.second;
            plotLogs(logA_, logB_);
            inspector_.askCompare(logA_.toStdString(), logB_.toStdString());
        });
}

void ComparePage::plotLogs(const QString& a, const QString& b) {
    QThreadPool::globalInstance()->start([page = QPointer(this), a, b] {
        const LogDifferences found = logDifferences(readAll(a), readAll(b));
        QMetaObject::invokeMethod(qApp, [page, a, b, found] {
            if (page && page->isCurrent(a.toStdString(), b.toStdString())) page->plots_->showDifferences(found);
        });
    });
}

void ComparePage::requestDetails(const QString& file) {
    inspector_.askShape(file.toStdString());
    inspector_.askFrames(file.toStdString(), kShown);
    inspector_.askSettings(file.toStdString());
}

/// Returns true if `a` and `b` are still selected. Results for a previous pair are ignored.
bool ComparePage::isCurrent(const std::string& a, const std::string& b) const {
    const auto isOneOf = [](const std::string& name, const QString& file, const QString& log) {
        return name == file.toStdString() || (!log.isEmpty() && name == log.toStdString());
    };
    return isOneOf(a, a_->file(), logA_) && isOneOf(b, b_->file(), logB_);
}

/// Shows models by the names that they have in lists.
void ComparePage::setSettings(QList<SettingDifference> settings) {
    const ModelNames& names = ModelNames::of(inspector_.bridge());
    for (SettingDifference& setting : settings)
        if (setting.name == QLatin1String("model"))
            for (QString* value : {&setting.a, &setting.b}) *value = names.nameOf(value->toStdString());
    comparison_.settings = std::move(settings);
}

void ComparePage::onCompared(const CompareReport& report) {
    (report.kind == CompareKind::videos ? comparison_.videos : comparison_.logs) = report;
    if (comparison_.logs) setSettings(settingDifferences(*comparison_.logs));
    result_->showComparison(comparison_);
}

void ComparePage::onSettingsRead(const std::string& video, const VideoRequest& request) {
    if (video == a_->file().toStdString()) settingsA_ = request;
    if (video == b_->file().toStdString()) settingsB_ = request;
    if (!settingsA_ || !settingsB_) return;
    setSettings(settingDifferences(*settingsA_, *settingsB_));
    if (comparison_.videos || comparison_.logs) result_->showComparison(comparison_);
}

void ComparePage::onShapeRead(const std::string& video, const VideoDescription& shape) {
    if (video == a_->file().toStdString()) shapeA_ = shape;
    if (video == b_->file().toStdString()) shapeB_ = shape;
}

void ComparePage::onFramesRead(const std::string& video, const std::vector<FramePtr>& frames) {
    const QList<QImage> images = imagesOf(frames);
    if (video == a_->file().toStdString()) {
        framesA_ = images;
        readA_ = frames;
    }
    if (video == b_->file().toStdString()) {
        framesB_ = images;
        readB_ = frames;
    }
    showClips();
    measure();
}

/// Returns true if the frames that are read of both videos are those with the same numbers. Of a long video, only some
/// are read.
bool ComparePage::areFramesPaired() const {
    if (!shapeA_ || !shapeB_ || shapeA_->num_frames == shapeB_->num_frames) return true;
    return framesA_.size() >= shapeA_->num_frames && framesB_.size() >= shapeB_->num_frames;
}

/// Computes the SSIM in the background when both clips are read.
void ComparePage::measure() {
    if (readA_.empty() || readB_.empty() || !areFramesPaired()) return;
    const std::string a = a_->file().toStdString();
    const std::string b = b_->file().toStdString();
    QThreadPool::globalInstance()->start(
        [page = QPointer(this), a, b, left = std::exchange(readA_, {}), right = std::exchange(readB_, {})] {
            const auto ssim = meanSsim(left, right);
            QMetaObject::invokeMethod(qApp, [page, a, b, ssim] {
                if (!page || !page->isCurrent(a, b)) return;
                page->comparison_.ssim = ssim;
                if (page->comparison_.videos) page->result_->showComparison(page->comparison_);
            });
        });
}

/// Shows frames with the same numbers side by side.
void ComparePage::showClips() {
    if (framesA_.isEmpty()) return;
    double fps = settingsA_ && settingsA_->fps ? *settingsA_->fps : kUsualFps;
    if (shapeA_ && shapeA_->fps > 0) fps = playedRate(*shapeA_, static_cast<int>(framesA_.size()));
    if (framesB_.isEmpty() || areFramesPaired()) return player_->setClips(framesA_, framesB_, fps);
    const auto numA = static_cast<int>(framesA_.size()), numB = static_cast<int>(framesB_.size());
    QList<QImage> a, b;
    for (const auto& [first, second] : framePairs({numA, shapeA_->num_frames}, {numB, shapeB_->num_frames})) {
        a << framesA_[first];
        b << framesB_[second];
    }
    VideoDescription other = *shapeB_;
    other.fps = shapeA_->fps > 0 ? shapeA_->fps : fps;
    player_->setClips(a, b, std::min(fps, playedRate(other, numB)));
}

void ComparePage::saveReport() {
    const QString to = desktop_.askSaveName(tr("Save report"), QDir::home().filePath(QStringLiteral("comparison.txt")),
                                            tr("Text (*.txt)"));
    if (to.isEmpty()) return;
    inPool(
        this, [to, text = comparisonReport(comparison_).toUtf8()] { return saveFile(to, text); },
        [this](const QString& fault) {
            if (!fault.isEmpty()) return result_->showSaveFault(tr("Can't save the report"), fault);
            if (!result_->isWaiting()) result_->showComparison(comparison_);  // instead of an earlier fault
        });
}

void ComparePage::saveFrame() {
    const QImage frame = player_->currentImage();
    if (frame.isNull()) return;
    const QString to = desktop_.askSaveName(tr("Save frame"), QDir::home().filePath(QStringLiteral("comparison.png")),
                                            tr("PNG image (*.png)"));
    if (to.isEmpty()) return;
    inPool(
        this, [to, frame] { return savePng(to, frame); },
        [this](const QString& fault) {
            if (!fault.isEmpty()) result_->showSaveFault(tr("Can't save the frame"), fault);
        });
}

}  // namespace kinescope::ui
