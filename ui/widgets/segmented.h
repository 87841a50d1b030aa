#pragma once

#include <QFrame>
#include <QStringList>

class QButtonGroup;

namespace kinescope::ui {

class Theme;

/// A small group of buttons of which one is chosen; the arrow keys move the choice.
class Segmented : public QFrame {
    Q_OBJECT
    Q_PROPERTY(int currentIndex READ currentIndex WRITE setCurrentIndex NOTIFY currentChanged)

public:
    explicit Segmented(const Theme& theme, QWidget* parent = nullptr);

    /// Replaces the items; the first is chosen, without a signal.
    void setItems(const QStringList& texts);
    /// New words for the same items (another language); the choice stays.
    void setTexts(const QStringList& texts);
    void setItemToolTip(int index, const QString& text);
    int count() const;
    int currentIndex() const;
    void setCurrentIndex(int index);

Q_SIGNALS:
    void currentChanged(int index);

private:
    QButtonGroup* group_;
};

}  // namespace kinescope::ui
