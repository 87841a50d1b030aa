#include "ui/widgets/phase_bar.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace kinescope::ui {

namespace {

constexpr double kPhaseBarHeight = 8;

QString spoken(const QList<PhaseItem>& phases) {
    for (const PhaseItem& item : phases) {
        if (item.state == PhaseItem::State::running) return item.name + QStringLiteral(": ") + item.text;
    }
    return {};
}

}  // namespace

double phaseFloor(const Theme& theme) {
    return std::max(60.0, QFontMetricsF(theme.font(Type::caption)).horizontalAdvance(PhaseBar::tr("about 00:00")) + 4);
}

PhaseBar::PhaseBar(const Theme& theme, QWidget* parent) : PaintedWidget(theme, QAccessible::ProgressBar, parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Phases of the run"));
}

void PhaseBar::setPhases(const QList<PhaseItem>& phases) {
    if (phases == phases_) return;
    phases_ = phases;
    setValueText(spoken(phases));
    update();
}

PhaseAxis PhaseBar::axis() const {
    QList<double> expected;
    for (const PhaseItem& item : phases_) expected.append(item.expected_seconds);
    return PhaseAxis(expected, {.left = 0, .width = static_cast<double>(width()), .floor = phaseFloor(theme())});
}

QSize PhaseBar::sizeHint() const {
    const int caption = QFontMetrics(theme().font(Type::caption)).height();
    return {640, static_cast<int>(kPhaseBarHeight) + 6 + 2 * caption + 2};
}

void PhaseBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    begin(painter);
    const PhaseAxis phase_axis = axis();
    for (int i = 0; i < phase_axis.count(); ++i) {
        paintSegment(painter, phases_[i], QRectF(phase_axis.start(i), 0, phase_axis.width(i), kPhaseBarHeight));
    }
    paintLabels(painter, phase_axis);
}

void PhaseBar::paintSegment(QPainter& painter, const PhaseItem& item, const QRectF& where) const {
    const auto piece = [&](double width, ColorRole role) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().color(role));
        painter.drawRoundedRect(QRectF(where.left(), where.top(), width, where.height()), 4, 4);
    };
    piece(where.width(), ColorRole::hover);
    if (item.state == PhaseItem::State::done) piece(where.width(), ColorRole::fill);
    if (item.state == PhaseItem::State::running) {
        piece(std::clamp(where.width() * item.fraction, std::min(kPhaseBarHeight, where.width()), where.width()),
              ColorRole::accent);
    }
}

void PhaseBar::paintLabels(QPainter& painter, const PhaseAxis& phase_axis) const {
    const QFont plain = theme().font(Type::caption);
    QFont bold = plain;
    bold.setWeight(QFont::DemiBold);
    const double line = QFontMetricsF(bold).height();
    double free_from = 0;  // the text of the running phase may extend over the next phases
    for (int i = 0; i < phase_axis.count(); ++i) {
        const PhaseItem& item = phases_[i];
        const bool running = item.state == PhaseItem::State::running;
        const double left = phase_axis.start(i);
        const double room = (running ? width() : phase_axis.end(i)) - left;
        const auto put = [&](const QString& words, const QFont& font, ColorRole role, double y) {
            const QFontMetricsF metrics(font);
            painter.setFont(font);
            painter.setPen(theme().color(role));
            painter.drawText(QRectF(left, y, room + 1, line), Qt::AlignLeft | Qt::AlignVCenter,
                             metrics.elidedText(words, Qt::ElideRight, room + 1));
            return left + metrics.horizontalAdvance(words);
        };
        put(item.name, running ? bold : plain, running ? ColorRole::text : ColorRole::text2, kPhaseBarHeight + 6);
        if (left < free_from) continue;
        const double end =
            put(item.text, plain, running ? ColorRole::text2 : ColorRole::text3, kPhaseBarHeight + 8 + line);
        if (running) free_from = end + 8;
    }
}

bool PhaseBar::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return PaintedWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const PhaseAxis phase_axis = axis();
    for (int i = 0; i < phase_axis.count(); ++i) {
        if (help->pos().x() >= phase_axis.start(i) && help->pos().x() <= phase_axis.end(i)) {
            QToolTip::showText(help->globalPos(), phases_[i].name + QStringLiteral(": ") + phases_[i].text, this);
        }
    }
    return true;
}

}  // namespace kinescope::ui
