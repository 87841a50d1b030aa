#pragma once

#include <QFrame>
#include <QList>

#include "ui/widgets/tokens.h"

class QHBoxLayout;
class QLabel;

namespace kinescope::ui {

class Theme;

/// What the card of one event says; the owner has the words.
struct EventText {
    struct Link {
        QString id;  ///< comes back in linkActivated
        QString text;
    };

    QString title;  ///< "One layer came close to the fp16 limit"
    QString when;   ///< "step 17, 14:18:06"
    QString body;
    QString icon;  ///< "shield", "stopo" ...
    ColorRole role = ColorRole::warn;
    QList<Link> links;
};

/// A card with a bar in the colour of its state, a title, a few lines, and links to what can be done.
class EventCard : public QFrame {
    Q_OBJECT

public:
    EventCard(const Theme& theme, EventText text, QWidget* parent = nullptr);

    const EventText& text() const { return text_; }
    /// Title, time and body in plain lines.
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
