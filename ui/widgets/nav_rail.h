#pragma once

#include <QList>
#include <QWidget>

class QButtonGroup;
class QToolButton;
class QVBoxLayout;

namespace kinescope::ui {

class Theme;

/// The column of pages at the left edge: 72 px with words, 56 px (compact) with tooltips.
class NavRail : public QWidget {
    Q_OBJECT

public:
    explicit NavRail(const Theme& theme, QWidget* parent = nullptr);

    /// Returns the button, so that the owner can name it.
    QToolButton* addPage(const QString& icon, const QString& text);
    /// A button at the bottom that opens no page (Preferences).
    QToolButton* addCommand(const QString& icon, const QString& text);
    void setPageText(int index, const QString& text);
    void setCommandText(int index, const QString& text);

    int currentIndex() const;
    void setCurrentIndex(int index);
    bool isCompact() const { return compact_; }
    void setCompact(bool compact);

Q_SIGNALS:
    void currentChanged(int index);

private:
    QToolButton* makeButton(const QString& icon, const QString& text);
    void shape(QToolButton* button) const;

    const Theme& theme_;
    QButtonGroup* pages_;
    QList<QToolButton*> commands_;
    QVBoxLayout* column_;
    int num_pages_ = 0;
    bool compact_ = false;
};

}  // namespace kinescope::ui
