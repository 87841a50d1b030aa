#pragma once

#include <QFrame>
#include <QList>

#include "ui/widgets/tokens.h"

class QHBoxLayout;
class QLabel;

namespace kinescope::ui {

class Theme;

/// The content of an event card.
struct EventText {
    struct Link {
        QString id;  ///< passed to linkActivated()
        QString text;
    };

    QString title;  ///< e.g. "Step healed: precision of one op raised"
    QString when;   ///< "step 17, 14:18:06"
    QString body;
    QString icon;  ///< "shield", "stopo" ...
    ColorRole role = ColorRole::warn;
    QList<Link> links;
};

/// A card with a colored bar, title, text and links.
class EventCard : public QFrame {
    Q_OBJECT

public:
    EventCard(const Theme& theme, EventText text, QWidget* parent = nullptr);

    const EventText& text() const { return text_; }
    /// Returns title, time and body, one per line.
    QString plainText() const;

Q_SIGNALS:
    void linkActivated(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void addLinks(QHBoxLayout& row);
    void recolor();

    const Theme& theme_;
    EventText text_;
    QLabel* icon_;
};

}  // namespace kinescope::ui
