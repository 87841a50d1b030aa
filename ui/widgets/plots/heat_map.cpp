#include "ui/widgets/plots/heat_map.h"

#include <QKeyEvent>
#include <QLinearGradient>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace kinescope::ui {

namespace {

constexpr double kLegendGap = 12;  ///< px between header and legend
constexpr double kTextGap = 8;     ///< px on both sides of the color ramp
constexpr double kRampWidth = 72;
constexpr double kRingSpace = 28;  ///< px for the ring between two texts of the legend
constexpr double kRightMargin = 4;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

HeatMap::HeatMap(const Theme& theme, QWidget* parent) : StepWidget(theme, parent) {
    connect(&theme, &Theme::themeChanged, this, &HeatMap::repaintImage);
}

void HeatMap::setGrid(int num_blocks, int num_steps) {
    num_blocks_ = std::max(num_blocks, 0);
    setAxisLabels({QString::number(num_blocks_)});
    setNumSteps(num_steps);
    stops_.fill(kNaN, static_cast<qsizetype>(num_blocks_) * numSteps());
    last_step_ = 0;
    block_ = -1;
    discarded_.clear();
    hatched_.clear();
    placeHelp();
    repaintImage();
}

void HeatMap::setHeadroom(int block, int step, double stops) {
    if (block < 0 || block >= num_blocks_ || step < 1 || step > numSteps()) return;
    const qsizetype at = static_cast<qsizetype>(block) * numSteps() + step - 1;
    if (at >= stops_.size()) return;
    stops_[at] = stops;
    if (!std::isnan(stops)) last_step_ = std::max(last_step_, step);
    image_.setPixel(step - 1, block, colorOf(stops));
    update();
}

double HeatMap::headroom(int block, int step) const {
    if (block < 0 || block >= num_blocks_ || step < 1 || step > numSteps()) return kNaN;
    return stops_.value(static_cast<qsizetype>(block) * numSteps() + step - 1, kNaN);
}

void HeatMap::setScale(double least, double most) {
    if (!(most > least)) return;
    least_ = least;
    most_ = most;
    placeHelp();
    repaintImage();
}

void HeatMap::setUnit(const QString& unit) {
    unit_ = unit;
    placeHelp();
    update();
}

void HeatMap::setDiscarded(const QList<QPoint>& cells) {
    discarded_ = cells;
    placeHelp();
    update();
}

void HeatMap::setHatched(const QList<QPoint>& cells) {
    hatched_ = cells;
    update();
}

void HeatMap::setDescriber(std::function<CellTip(int, int)> describe) {
    describe_ = std::move(describe);
}

QRgb HeatMap::colorOf(double stops) const {
    if (std::isnan(stops)) return qRgba(0, 0, 0, 0);
    return theme().heat(1 - (stops - least_) / (most_ - least_)).rgb();
}

void HeatMap::repaintImage() {
    image_ = num_blocks_ == 0 ? QImage() : QImage(numSteps(), num_blocks_, QImage::Format_ARGB32);
    for (int block = 0; block < num_blocks_; ++block) {
        for (int step = 1; step <= numSteps(); ++step) image_.setPixel(step - 1, block, colorOf(headroom(block, step)));
    }
    update();
}

// ---- Geometry ----

QRectF HeatMap::plotArea() const {
    const QFontMetricsF metrics(theme().font(Type::caption));
    const double top = plotHeaderHeight(theme()) + 4;
    return QRectF(labelWidth(), top, std::max(width() - labelWidth() - 4, 1.0),
                  std::max(height() - top - metrics.height() - 6, 1.0));
}

int HeatMap::blockAt(double y) const {
    const QRectF area = plotArea();
    if (num_blocks_ == 0 || y < area.top() || y > area.bottom()) return -1;
    return std::min(static_cast<int>((y - area.top()) / area.height() * num_blocks_), num_blocks_ - 1);
}

QRectF HeatMap::cellRect(int block, int step) const {
    const QRectF area = plotArea();
    const double wide = area.width() / numSteps();
    const double high = area.height() / std::max(num_blocks_, 1);
    return QRectF(area.left() + (step - 1) * wide, area.top() + block * high, wide, high);
}

// ---- Tooltips and accessible texts ----

CellTip HeatMap::tipOf(int block, int step) const {
    if (describe_) return describe_(block, step);
    const double stops = headroom(block, step);
    return {.title = tr("Step %1 · block %2").arg(step).arg(block),
            .text = {},
            .figure = std::isnan(stops) ? tr("not measured")
                                        : tr("%1 stops of headroom").arg(QLocale().toString(stops, 'f', 1))};
}

QString HeatMap::describeStep(int step) const {
    if (block_ < 0) return {};
    const CellTip tip = tipOf(block_, step);
    QStringList parts{tip.title, tip.text, tip.figure};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

PlotTable HeatMap::table() const {
    PlotTable table;
    table.columns << tr("Block");
    for (int step = 1; step <= last_step_; ++step) table.columns << tr("Step %1").arg(step);
    for (int block = 0; block < num_blocks_; ++block) {
        QStringList row{QString::number(block)};
        for (int step = 1; step <= last_step_; ++step) {
            const double stops = headroom(block, step);
            row << (std::isnan(stops) ? QString() : QLocale().toString(stops, 'f', 2));
        }
        table.rows << row;
    }
    return table;
}

// ---- Mouse and keyboard input ----

void HeatMap::setBlock(int block) {
    block_ = block;
    if (cursorStep() > 0) setValueText(describeStep(cursorStep()));
    update();
}

void HeatMap::setCurrentCell(int block, int step) {
    if (cursorModel() == nullptr || block < 0 || block >= num_blocks_) return;
    block_ = block;
    cursorModel()->release();
    cursorModel()->hover(std::clamp(step, 1, numSteps()));
    setBlock(block);
}

void HeatMap::mouseMoveEvent(QMouseEvent* event) {
    setBlock(blockAt(event->position().y()));
    StepWidget::mouseMoveEvent(event);
}

void HeatMap::mousePressEvent(QMouseEvent* event) {
    StepWidget::mousePressEvent(event);
    const int step = stepAt(event->position().x());
    const int block = blockAt(event->position().y());
    if (event->button() == Qt::LeftButton && step > 0 && block >= 0) Q_EMIT cellActivated(block, step);
}

void HeatMap::leaveEvent(QEvent* event) {
    setBlock(-1);
    StepWidget::leaveEvent(event);
}

void HeatMap::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if (num_blocks_ > 0 && (key == Qt::Key_Up || key == Qt::Key_Down)) {
        if (cursorModel() != nullptr && cursorStep() == 0) cursorModel()->hover(std::max(last_step_, 1));
        setBlock(std::clamp(block_ + (key == Qt::Key_Up ? -1 : 1), 0, num_blocks_ - 1));
        return;
    }
    const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (enter && block_ >= 0 && cursorStep() > 0) Q_EMIT cellActivated(block_, cursorStep());
    StepWidget::keyPressEvent(event);
}

// ---- Painting ----

void HeatMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    begin(painter);
    paintPlotHeader(painter, theme(), header(), headerWidth());
    paintLegend(painter);
    paintGrid(painter);
    paintStepLabels(painter, plotArea());
    paintRepairs(painter, plotArea());
    painter.setPen(QPen(theme().color(ColorRole::error), 1.75));
    painter.setBrush(Qt::NoBrush);
    for (const QPoint& cell : discarded_) painter.drawEllipse(cellRect(cell.y(), cell.x()).center(), 6.5, 6.5);
    paintCursor(painter, plotArea());
    paintTip(painter);
    paintFocus(painter, plotArea().adjusted(-3, -3, 3, 3), 6);
}

QString HeatMap::maxLabel() const {
    return (unit_.isEmpty() ? tr("%1 stops") : unit_).arg(QLocale().toString(most_));
}

double HeatMap::headerWidth() const {
    const QFontMetricsF metrics(theme().font(Type::caption));
    double legend = metrics.horizontalAdvance(maxLabel()) + kTextGap + kRampWidth + kTextGap +
                    metrics.horizontalAdvance(QLocale().toString(least_));
    if (!discarded_.isEmpty()) legend += kRingSpace + metrics.horizontalAdvance(tr("discarded"));
    return width() - kRightMargin - legend - kLegendGap;
}

void HeatMap::paintLegend(QPainter& painter) const {
    painter.setFont(theme().font(Type::caption));
    const QFontMetricsF metrics(painter.font());
    const double height = plotHeaderHeight(theme()) - 4;
    double x = headerWidth() + kLegendGap;
    const auto paintText = [&](const QString& text) {
        const double advance = metrics.horizontalAdvance(text);
        painter.setPen(theme().color(ColorRole::text3));
        painter.drawText(QRectF(x, 0, advance + 1, height), Qt::AlignVCenter, text);
        x += advance;
    };
    paintText(maxLabel());
    const QRectF ramp(x + kTextGap, height / 2 - 4, kRampWidth, 8);
    QLinearGradient gradient(ramp.topLeft(), ramp.topRight());
    for (int i = 0; i <= 6; ++i) gradient.setColorAt(i / 6.0, theme().heat(i / 6.0));
    painter.setPen(Qt::NoPen);
    painter.setBrush(gradient);
    painter.drawRoundedRect(ramp, 4, 4);
    x = ramp.right() + kTextGap;
    paintText(QLocale().toString(least_));
    if (discarded_.isEmpty()) return;
    painter.setPen(QPen(theme().color(ColorRole::error), 1.75));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(QPointF(x + kRingSpace - 11, height / 2), 4, 4);
    x += kRingSpace;
    paintText(tr("discarded"));
}

void HeatMap::paintGrid(QPainter& painter) {
    const QRectF area = plotArea();
    QPainterPath frame;
    frame.addRoundedRect(area, 4, 4);
    painter.save();
    painter.setClipPath(frame);
    painter.fillRect(area, blend(theme().color(ColorRole::raised), theme().color(ColorRole::surface), 0.55));
    for (int step = 1; step <= last_step_; ++step) {
        bool measured = false;
        for (int block = 0; block < num_blocks_ && !measured; ++block) measured = !std::isnan(headroom(block, step));
        if (measured) continue;
        const QRectF column(cellRect(0, step).left(), area.top(), cellRect(0, step).width(), area.height());
        painter.fillRect(column, QBrush(theme().color(ColorRole::line), Qt::BDiagPattern));
    }
    const QBrush hatch(theme().color(ColorRole::text3), Qt::BDiagPattern);
    for (const QPoint& cell : hatched_) painter.fillRect(cellRect(cell.y(), cell.x()), hatch);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    if (!image_.isNull()) painter.drawImage(area, image_);
    painter.restore();

    painter.setFont(theme().font(Type::caption));
    painter.setPen(theme().color(ColorRole::text3));
    const QFontMetricsF metrics(painter.font());
    const int stride = std::max(1, static_cast<int>(std::ceil(num_blocks_ / 5.0)));
    const int round = num_blocks_ > 20 ? (stride + 9) / 10 * 10 : stride;
    const auto label = [&](int block) {
        const double y = cellRect(block, 1).center().y();
        painter.drawText(QRectF(0, y - metrics.height() / 2, labelWidth() - kLabelGap, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(block));
    };
    const int last = num_blocks_ - 1;
    for (int block = 0; block < last; block += round) {
        if (cellRect(last, 1).center().y() - cellRect(block, 1).center().y() > metrics.height()) label(block);
    }
    if (last >= 0) label(last);
}

void HeatMap::paintTip(QPainter& painter) const {
    const int step = cursorStep();
    if (block_ < 0 || step < 1 || step > numSteps()) return;
    const QRectF cell = cellRect(block_, step);
    painter.setPen(QPen(theme().color(ColorRole::text), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(cell.adjusted(-1, -1, 1, 1));
    if (!underMouse() && !hasFocus()) return;

    const CellTip tip = tipOf(block_, step);
    QFont strong = theme().font(Type::caption);
    strong.setWeight(QFont::DemiBold);
    const QFont plain = theme().font(Type::caption);
    struct Line {
        const QString& words;
        const QFont& font;
        ColorRole role;
    };
    QList<Line> lines{{tip.title, strong, ColorRole::text}};
    if (!tip.text.isEmpty()) lines.append({tip.text, plain, ColorRole::text2});
    if (!tip.figure.isEmpty()) lines.append({tip.figure, plain, tip.figure_role});
    double wide = 0;
    for (const Line& line : lines) wide = std::max(wide, QFontMetricsF(line.font).horizontalAdvance(line.words));
    const double each = QFontMetricsF(strong).height() + 2;
    QRectF box(0, 0, wide + 24, each * static_cast<double>(lines.size()) + 16);
    const bool right = cell.right() + 12 + box.width() < width();
    box.moveLeft(right ? cell.right() + 12 : cell.left() - 12 - box.width());
    box.moveTop(std::clamp(cell.center().y() - box.height() / 2, 0.0, std::max(height() - box.height(), 0.0)));
    painter.setPen(QPen(theme().color(ColorRole::line), 1));
    painter.setBrush(theme().color(ColorRole::hover));
    painter.drawRoundedRect(box, 8, 8);
    double y = box.top() + 8;
    for (const Line& line : lines) {
        painter.setFont(line.font);
        painter.setPen(theme().color(line.role));
        painter.drawText(QRectF(box.left() + 12, y, wide + 1, each), Qt::AlignVCenter, line.words);
        y += each;
    }
}

}  // namespace kinescope::ui
