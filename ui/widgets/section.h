#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace kinescope::ui {

class Theme;

/// A part of a form that folds: chevron and title, its value on the right, the content below a hairline.
class Section : public QWidget {
    Q_OBJECT
    Q_PROPERTY(bool expanded READ isExpanded WRITE setExpanded NOTIFY expandedChanged)

public:
    explicit Section(const Theme& theme, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// What the fields inside amount to: "720 × 480, 49 frames, 6.1 s". Elided in the middle, whole as tooltip.
    void setValue(const QString& value);
    QString value() const { return value_text_; }
    /// The row of the title: add controls that stay in reach while folded.
    QHBoxLayout* header() const { return header_; }
    QVBoxLayout* body() const { return body_; }
    /// Shown instead of the body while folded (the memory bar).
    void setFoldedWidget(QWidget* widget);

    bool isExpanded() const;
    void setExpanded(bool expanded);

Q_SIGNALS:
    void expandedChanged(bool expanded);
    /// The user expanded it.
    void opened();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showState();
    void elideValue();

    const Theme& theme_;
    QPushButton* toggle_;
    QLabel* value_;
    QString value_text_;
    QHBoxLayout* header_;
    QWidget* content_;
    QVBoxLayout* body_;
    QVBoxLayout* all_;
    QWidget* folded_ = nullptr;
};

}  // namespace kinescope::ui
