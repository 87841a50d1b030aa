#pragma once

#include <QFont>
#include <QRect>
#include <QString>
#include <vector>

namespace kinescope::ui {

/// What a row of the queue says.
struct QueueRowTexts {
    QString prompt;
    QString facts;     ///< computer, model and size
    QString computer;  ///< the same for narrow rows; empty: this computer
    QString state;
    QString aside;       ///< remaining time, link or start time
    QString shortAside;  ///< the same for narrow rows
    QString reason;      ///< of a failure, or why a job waits

    bool operator==(const QueueRowTexts&) const = default;
};

/// One painted line of a row.
struct QueueRowLine {
    enum class Part { prompt, facts, state, aside, reason };
    Part part = Part::prompt;
    QString text;
    QRect place;  ///< relative to the area for texts
};

struct QueueRowFonts {
    QFont prompt;
    QFont others;

    bool operator==(const QueueRowFonts&) const = default;
};

/// Breaks the texts into lines of at most `width` px. The prompt and the state have up to two lines, the reason up to
/// three. A row that is too narrow for state and aside in one line names at most the computer, and has one line more
/// for the aside.
std::vector<QueueRowLine> queueRowLines(const QueueRowTexts& texts, const QueueRowFonts& fonts, int width);

/// Returns the height of the lines.
int heightOf(const std::vector<QueueRowLine>& lines);

}  // namespace kinescope::ui
