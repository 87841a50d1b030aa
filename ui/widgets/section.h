#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace kinescope::ui {

class Theme;

/// A collapsible part of a form: hairline, header with chevron, title and value, then the content.
class Section : public QWidget {
    Q_OBJECT
    Q_PROPERTY(bool expanded READ isExpanded WRITE setExpanded NOTIFY expandedChanged)

public:
    explicit Section(const Theme& theme, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// Sets the summary in the header, e.g. "720 × 480, 49 frames, 6.1 s". If it does not fit, the tooltip shows the
    /// full text.
    void setValue(const QString& value);
    QString value() const { return value_text_; }
    /// Returns the header row. Widgets added to it stay visible while the section is collapsed.
    QHBoxLayout* header() const { return header_; }
    QVBoxLayout* body() const { return body_; }
    /// Sets the widget that replaces the body while the section is collapsed.
    void setFoldedWidget(QWidget* widget);

    bool isExpanded() const;
    void setExpanded(bool expanded);

Q_SIGNALS:
    void expandedChanged(bool expanded);
    /// Emitted when the user has expanded the section.
    void opened();

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

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
