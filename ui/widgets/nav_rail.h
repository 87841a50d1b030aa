#pragma once

#include <QList>
#include <QWidget>

class QButtonGroup;
class QToolButton;
class QVBoxLayout;

namespace kinescope::ui {

class Theme;

/// Navigation buttons at the left edge of the window: 72 px wide with text, or 56 px wide (compact) with tooltips.
class NavRail : public QWidget {
    Q_OBJECT

public:
    explicit NavRail(const Theme& theme, QWidget* parent = nullptr);

    /// Adds a page. Returns its button, so that the caller can set the object name.
    QToolButton* addPage(const QString& icon, const QString& text);
    /// Adds a button at the bottom that does not switch pages, such as Preferences.
    QToolButton* addCommand(const QString& icon, const QString& text);
    void setPageText(int index, const QString& text);
    void setCommandText(int index, const QString& text);

    int currentIndex() const;
    void setCurrentIndex(int index);
    enum class Width { full, compact };
    void setWidth(Width width);

Q_SIGNALS:
    void currentChanged(int index);

private:
    QToolButton* makeButton(const QString& icon, const QString& text);
    void applyWidth(QToolButton* button) const;

    const Theme& theme_;
    QButtonGroup* pages_;
    QList<QToolButton*> commands_;
    QVBoxLayout* column_;
    int num_pages_ = 0;
    Width width_ = Width::full;
};

}  // namespace kinescope::ui
