#include "ui/panels/queue_row.h"

#include <QFontMetrics>

#include "ui/widgets/text_lines.h"

namespace kinescope::ui {
namespace {

constexpr int kLineGap = 2;    ///< px between lines
constexpr int kAsideGap = 12;  ///< px between state and aside

using Part = QueueRowLine::Part;

/// Collects lines from top to bottom.
class Lines {
public:
    explicit Lines(int width) : width_(width) {}

    void add(Part part, const QString& text, const QFont& font, int most) {
        const int height = QFontMetrics(font).height();
        if (text.isEmpty()) return;
        for (const QString& line : elidedLines(text, font, width_, most)) {
            lines_.push_back({part, line, QRect(0, top_, width_, height)});
            top_ += height + kLineGap;
        }
    }
    /// Adds a text at the right of the last line.
    void addAside(const QString& text, int width) {
        QRect place = lines_.back().place;
        place.setLeft(width_ - width);
        lines_.push_back({Part::aside, text, place});
    }
    std::vector<QueueRowLine> take() { return std::move(lines_); }

private:
    int width_;
    int top_ = 0;
    std::vector<QueueRowLine> lines_;
};

}  // namespace

std::vector<QueueRowLine> queueRowLines(const QueueRowTexts& texts, const QueueRowFonts& fonts, int width) {
    constexpr int kMost = 2;
    constexpr int kMostOfReason = 3;
    const QFontMetrics metrics(fonts.others);
    const int aside = metrics.horizontalAdvance(texts.aside);
    const int needed = metrics.horizontalAdvance(texts.state) + (aside > 0 ? aside + kAsideGap : 0);
    Lines lines(width);
    lines.add(Part::prompt, texts.prompt, fonts.prompt, kMost);
    if (needed <= width) {
        lines.add(Part::facts, texts.facts, fonts.others, 1);
        lines.add(Part::state, texts.state, fonts.others, 1);
        if (aside > 0 && !texts.state.isEmpty()) lines.addAside(texts.aside, aside);
    } else {
        lines.add(Part::facts, texts.computer, fonts.others, 1);
        lines.add(Part::state, texts.state, fonts.others, kMost);
        lines.add(Part::aside, texts.shortAside, fonts.others, 1);
    }
    lines.add(Part::reason, texts.reason, fonts.others, kMostOfReason);
    return lines.take();
}

int heightOf(const std::vector<QueueRowLine>& lines) {
    return lines.empty() ? 0 : lines.back().place.bottom() + 1;
}

}  // namespace kinescope::ui
