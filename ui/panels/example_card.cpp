#include "ui/panels/example_card.h"

#include <QEvent>
#include <QPainter>
#include <QRegularExpression>
#include <algorithm>

#include "ui/panels/thumbnail_painting.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/language.h"
#include "ui/widgets/text_lines.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kMargin = 12;
constexpr int kTile = 40;
constexpr QSize kPicture(60, 40);
constexpr int kFrames = 16;  ///< number of frames in a strip, see resources/examples
constexpr int kFrameMs = 125;
constexpr qsizetype kLoops = 3;
constexpr int kLines = 2;       ///< of the prompt, above the caption
constexpr int kMostLines = 3;   ///< of a prompt without a caption
constexpr int kLeastText = 15;  ///< average characters that the text needs beside the icon or picture

}  // namespace

QList<QImage> exampleFrames(const QString& prompt) {
    static const QRegularExpression plain(QStringLiteral("^[\\p{L} ，]+$"));
    if (!plain.match(prompt).hasMatch()) return {};
    const QString name = QString(prompt).replace(QLatin1Char(' '), QLatin1Char('-'));
    const QImage strip(QStringLiteral(":/examples/%1.jpg").arg(name));
    QList<QImage> frames;
    const int width = strip.width() / kFrames;
    for (int i = 0; i < kFrames && width > 0; ++i) frames << strip.copy(i * width, 0, width, strip.height());
    return frames;
}

ExampleCard::ExampleCard(const Theme& theme, const QString& prompt, QWidget* parent)
    : QAbstractButton(parent), theme_(theme), frames_(exampleFrames(prompt)), frame_(frames_.size() / 2) {
    clock_.setInterval(kFrameMs);
    connect(&clock_, &QTimer::timeout, this, &ExampleCard::showNextFrame);
    setText(prompt);
    setAccessibleName(prompt);
    inEveryLanguage(this, [this] { setToolTip(tr("Use this example as the prompt.")); });
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme_, &Theme::themeChanged, this, &QWidget::updateGeometry);
    connect(&theme_, &Theme::themeChanged, this, qOverload<>(&QWidget::update));
}

void ExampleCard::setCaption(const QString& caption) {
    caption_ = caption;
    update();
}

void ExampleCard::setChosen(bool chosen) {
    chosen_ = chosen;
    update();
}

QSize ExampleCard::sizeHint() const {
    const QFontMetrics body(theme_.font(Type::body));
    const QFontMetrics caption(theme_.font(Type::caption));
    // Measures the prompt, because the lines of some scripts are higher than those of the font.
    const auto heightOf = [&](int lines) {
        const QString words = QStringList(lines, text()).join(QLatin1Char('\n'));
        return body.boundingRect(QRect(), Qt::AlignTop, words).height();
    };
    return {240, 2 * kMargin + std::max(heightOf(kLines) + 4 + caption.height(), heightOf(kMostLines))};
}

bool ExampleCard::event(QEvent* event) {
    const QEvent::Type type = event->type();
    if (type == QEvent::Show || type == QEvent::Enter || type == QEvent::FocusIn) startMoving();
    if (type == QEvent::Hide) clock_.stop();
    return QAbstractButton::event(event);
}

void ExampleCard::startMoving() {
    framesLeft_ = kLoops * frames_.size();
    if (framesLeft_ > 0 && theme_.animationMs() > 0) clock_.start();
}

/// Shows the next frame. Stops after some seconds, so that an idle window uses no CPU time.
void ExampleCard::showNextFrame() {
    frame_ = (frame_ + 1) % frames_.size();
    if (--framesLeft_ <= 0 && !underMouse()) clock_.stop();
    update();
}

QStringList ExampleCard::linesAt(int left) const {
    return elidedLines(text(), theme_.font(Type::body), width() - left - kMargin, kMostLines);
}

QStringList ExampleCard::shownLines() const {
    return linesAt(hasPicture() ? besidePicture() : kMargin);
}

int ExampleCard::besidePicture() const {
    return 2 * kMargin + (frames_.isEmpty() ? kTile : kPicture.width());
}

/// The whole prompt comes before the picture.
bool ExampleCard::hasPicture() const {
    const auto isCut = [](const QStringList& lines) {
        return !lines.isEmpty() && lines.back().endsWith(QChar(0x2026));
    };
    const int needed = kLeastText * QFontMetrics(theme_.font(Type::body)).averageCharWidth();
    if (width() - besidePicture() - kMargin < needed) return false;
    return !isCut(linesAt(besidePicture())) || isCut(linesAt(kMargin));
}

/// Returns the left edge of the text.
int ExampleCard::paintTile(QPainter& painter) const {
    if (!frames_.isEmpty()) {
        const QRectF picture(kMargin, (height() - kPicture.height()) / 2.0, kPicture.width(), kPicture.height());
        paintThumbnail(painter, theme_, picture,
                       {.image = frames_[frame_], .radius = 6, .fit = Qt::KeepAspectRatioByExpanding});
        return kMargin + kPicture.width() + kMargin;
    }
    const QRectF tile(kMargin, (height() - kTile) / 2.0, kTile, kTile);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_.tint(ColorRole::accent, 0.16, ColorRole::raised));
    painter.drawRoundedRect(tile, 8, 8);
    paintIcon(painter, QStringLiteral("film"), theme_.color(ColorRole::accent), tile.adjusted(10, 10, -10, -10));
    return kMargin + kTile + kMargin;
}

void ExampleCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool marked = hasFocus() || chosen_;
    painter.setPen(marked ? QPen(theme_.color(ColorRole::accent), hasFocus() ? 2 : 1)
                          : QPen(theme_.tokens().outline, 1));
    painter.setBrush(theme_.color(underMouse() || isDown() ? ColorRole::hover : ColorRole::raised));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 10, 10);

    const int left = hasPicture() ? paintTile(painter) : kMargin;
    const QRect area(left, kMargin, width() - left - kMargin, height() - 2 * kMargin);
    painter.setFont(theme_.font(Type::body));
    painter.setPen(theme_.color(ColorRole::text));
    const QStringList lines = shownLines();
    painter.drawText(area, Qt::AlignTop, lines.join(QLatin1Char('\n')));
    if (lines.size() > kLines) return;  // a long prompt needs the place of the caption
    painter.setFont(theme_.font(Type::caption));
    painter.setPen(theme_.color(ColorRole::text3));
    painter.drawText(area, Qt::AlignBottom, painter.fontMetrics().elidedText(caption_, Qt::ElideRight, area.width()));
}

}  // namespace kinescope::ui
