#pragma once

#include <vector>

#include "core/api/run_event.h"
#include "ui/widgets/card.h"

class QLineEdit;
class QPlainTextEdit;
class QToolButton;

namespace kinescope::ui {

class Segmented;
class Theme;

/// Log messages of the engine, with a filter.
class LogPanel : public Card {
    Q_OBJECT

public:
    explicit LogPanel(const Theme& theme, QWidget* parent = nullptr);

    void add(const LogLine& line);
    QString shownText() const;
    /// Returns all lines, whether the filter shows them or not.
    QString allText() const;

private:
    struct Entry {
        QString time;
        LogLine line;
    };

    void buildHeader(const Theme& theme);
    void retranslate();
    bool passes(const Entry& entry) const;
    static QString textOf(const Entry& entry);
    void append(const Entry& entry);
    void showAll();

    std::vector<Entry> entries_;
    Segmented* level_;
    QLineEdit* filter_;
    QToolButton* copy_;
    QPlainTextEdit* text_;
};

}  // namespace kinescope::ui
