#include "ui/windows/status_line.h"

#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QStorageInfo>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/models/in_pool.h"
#include "ui/models/numbers_model.h"
#include "ui/models/run_model.h"
#include "ui/panels/number_series.h"
#include "ui/panels/precision_rows.h"
#include "ui/text/words.h"
#include "ui/widgets/hairline.h"
#include "ui/widgets/language.h"
#include "ui/widgets/plots/sparkline.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/traffic_light.h"

namespace kinescope::ui {
namespace {

constexpr int kDividerHeight = 12;

/// Returns the nearest existing ancestor of the output folder, which is created only for the first video.
QString existingFolder(QString folder) {
    while (!QDir(folder).exists() && !QDir(folder).isRoot()) folder = QDir::cleanPath(folder + QStringLiteral("/.."));
    return folder;
}

/// Returns the free bytes of the disk with a folder, or -1 if they are unknown.
qint64 freeBytesOf(const QString& folder) {
    const QStorageInfo disk(existingFolder(folder));
    return disk.isValid() && disk.bytesTotal() > 0 ? disk.bytesAvailable() : -1;
}

}  // namespace

StatusLine::StatusLine(const Theme& theme, NumbersModel& numbers, RunModel& run, QWidget* parent)
    : QStatusBar(parent),
      numbers_(numbers),
      run_(run),
      light_(new TrafficLight(theme, this)),
      spark_(new Sparkline(theme, this)),
      queue_(new QToolButton(this)) {
    setObjectName(QStringLiteral("statusLine"));
    setSizeGripEnabled(false);
    setContentsMargins(8, 0, 8, 4);
    light_->setObjectName(QStringLiteral("statusTrafficLight"));
    light_->setLayout(TrafficLight::Layout::line);
    spark_->setObjectName(QStringLiteral("statusSparkline"));
    spark_->hide();
    addWidget(light_, 1);
    addWidget(spark_);
    device_ = addFact("deviceLabel");
    memory_ = addFact("memoryLabel");
    disk_ = addFact("diskLabel");
    queue_->setObjectName(QStringLiteral("queueButton"));
    queue_->setProperty("role", "quiet");
    queue_->setFocusPolicy(Qt::StrongFocus);
    addPermanentWidget(boxed(queue_, "queueButton"));
    connect(queue_, &QToolButton::clicked, this, &StatusLine::queueRequested);
    connect(light_, &TrafficLight::activated, this, &StatusLine::numbersRequested);
    connect(&numbers_, &NumbersModel::lineChanged, this, &StatusLine::showLine);
    connect(&numbers_, &NumbersModel::changed, this, &StatusLine::showSparkline);
    connect(&run_, &RunModel::stateChanged, this, &StatusLine::showLine);
    inEveryLanguage(this, [this] {
        queue_->setToolTip(tr("Open the queue"));
        showQueue();
        showSparkline();
        showFacts();
        showLine();
    });
}

/// Adds a separator before an item, unless it is the first one. The item is hidden until it has content.
QWidget* StatusLine::boxed(QWidget* fact, std::string_view name) {
    auto* box = new QWidget(this);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(4, 0, 4, 0);
    row->setSpacing(12);
    if (name != "deviceLabel") {
        QFrame* line = makeHairline(box, Qt::Vertical);
        line->setFixedHeight(kDividerHeight);
        row->addWidget(line, 0, Qt::AlignVCenter);
    }
    row->addWidget(fact);
    box->hide();
    return box;
}

QLabel* StatusLine::addFact(const char* name) {
    auto* label = new QLabel(this);
    label->setObjectName(QLatin1String(name));
    label->setProperty("type", "caption");
    label->setTextFormat(Qt::PlainText);
    addPermanentWidget(boxed(label, name));
    return label;
}

void StatusLine::setDevice(const DeviceInfo& device) {
    shownDevice_ = device;
    device_->setText(QString::fromStdString(device.name));
    device_->parentWidget()->show();
    memory_->parentWidget()->setVisible(device.memory_free_bytes > 0);
    showFacts();
}

void StatusLine::showFacts() {
    device_->setToolTip(reasonOf(shownDevice_));
    memory_->setText(tr("%1 of memory free").arg(bytesText(shownDevice_.memory_free_bytes)));
    showDisk();
}

void StatusLine::setOutputFolder(const QString& folder) {
    folder_ = folder;
    if (std::exchange(isMeasuring_, true)) return;
    inPool(
        this, [folder] { return freeBytesOf(folder); },
        [this, folder](qint64 bytes) {
            isMeasuring_ = false;
            if (folder != folder_) return setOutputFolder(folder_);
            freeBytes_ = bytes;
            showDisk();
        });
}

void StatusLine::showDisk() {
    disk_->setText(tr("%1 free on disk").arg(bytesText(std::max<qint64>(freeBytes_, 0))));
    disk_->setToolTip(folderText(folder_));
    disk_->parentWidget()->setVisible(freeBytes_ >= 0);
}

void StatusLine::setQueue(int waiting, int failed) {
    waiting_ = waiting;
    failed_ = failed;
    showQueue();
}

void StatusLine::showQueue() {
    QStringList parts;
    if (waiting_ > 0) parts << tr("%Ln in queue", nullptr, waiting_);
    if (failed_ > 0) parts << tr("%Ln failed", "jobs of the queue", failed_);
    queue_->setText(parts.join(tr(", ", "between numbers of jobs")));
    queue_->setAccessibleName(queue_->text());
    queue_->parentWidget()->setVisible(!parts.isEmpty());
}

void StatusLine::showLine() {
    const NumbersLine& line = numbers_.line();
    QString words = line.title;
    if (line.state == NumbersState::waiting)
        words =
            run_.running() ? tr("Working. Statistics appear after the first step") : tr("Ready. %1").arg(line.title);
    const bool ready = line.state == NumbersState::waiting && !run_.running();
    light_->setState(ready ? TrafficLight::State::healthy : static_cast<TrafficLight::State>(line.state), words,
                     line.detail);
}

void StatusLine::showSparkline() {
    QList<double> stops;
    double low = 1e9;
    double high = -1e9;
    const bool usual = numbers_.comparesWithUsual();
    spark_->setAccessibleName(usual ? tr("Peak relative to usual") : tr("Headroom"));
    for (const StepPoint& point : numbers_.points()) {
        if (usual && point.usualRatio <= 0) continue;
        stops << (usual ? -std::log2(point.usualRatio) : point.headroomStops);
        low = std::min(low, stops.back());
        high = std::max(high, stops.back());
    }
    spark_->setRole(colorOf(static_cast<TrafficLight::State>(numbers_.line().state)));
    spark_->setVisible(stops.size() > 1);
    if (stops.size() > 1)
        spark_->setValues(stops, low - 2, high + 2, std::max(numbers_.numSteps(), static_cast<int>(stops.size())));
}

}  // namespace kinescope::ui
