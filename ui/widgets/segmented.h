#pragma once

#include <QFrame>
#include <QStringList>

class QButtonGroup;

namespace kinescope::ui {

class Theme;

/// A group of exclusive buttons. The arrow keys change the selection.
class Segmented : public QFrame {
    Q_OBJECT
    Q_PROPERTY(int currentIndex READ currentIndex WRITE setCurrentIndex NOTIFY currentChanged)

public:
    explicit Segmented(const Theme& theme, QWidget* parent = nullptr);

    /// Replaces the items and selects the first one without emitting a signal.
    void setItems(const QStringList& texts);
    /// Changes the texts of the items, e.g. after a language change; keeps the selection.
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
