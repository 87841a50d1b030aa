#pragma once

#include <QAbstractButton>

class QPainter;

namespace kinescope::ui {

class Theme;

/// A clickable example prompt: picture, prompt and caption.
class ExampleCard : public QAbstractButton {
    Q_OBJECT

public:
    ExampleCard(const Theme& theme, const QString& prompt, QWidget* parent = nullptr);

    void setCaption(const QString& caption);
    /// Marks the example as the current prompt.
    void setChosen(bool chosen);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {140, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int paintTile(QPainter& painter) const;

    const Theme& theme_;
    QString caption_;
    bool chosen_ = false;
};

}  // namespace kinescope::ui
