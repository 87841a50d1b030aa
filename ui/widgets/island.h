#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace kinescope::ui {

class Theme;

/// A rounded surface with an inner margin of 16 px: a heading row (hidden while it has no title) above a body.
class Island : public QFrame {
    Q_OBJECT

public:
    explicit Island(const Theme& theme, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    QString title() const;
    /// The row of the title. Title label, then a stretch: add what stands on the right.
    QHBoxLayout* header() const { return header_; }
    QVBoxLayout* body() const { return body_; }

private:
    QWidget* header_row_;
    QLabel* title_;
    QHBoxLayout* header_;
    QVBoxLayout* body_;
};

}  // namespace kinescope::ui
