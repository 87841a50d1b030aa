#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace kinescope::ui {

class Theme;

/// A rounded surface with a header row and a body. The header is hidden while the title is empty. Tab visits the
/// widgets in reading order.
class Card : public QFrame {
    Q_OBJECT

public:
    explicit Card(const Theme& theme, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    QString title() const;
    /// Returns the header row: the title, then a stretch, so that added widgets are right-aligned.
    QHBoxLayout* header() const { return header_; }
    QVBoxLayout* body() const { return body_; }

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void orderTabsSoon();
    void orderTabs();

    QWidget* header_row_;
    QLabel* title_;
    QHBoxLayout* header_;
    QVBoxLayout* body_;
    bool ordering_ = false;  ///< an update of the tab order is scheduled
};

}  // namespace kinescope::ui
