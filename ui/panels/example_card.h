#pragma once

#include <QAbstractButton>

class QPainter;

namespace kinescope::ui {

class Theme;

/// An example prompt to start from: a tile, the words, how long it takes.
class ExampleCard : public QAbstractButton {
    Q_OBJECT

public:
    ExampleCard(const Theme& theme, const QString& prompt, QWidget* parent = nullptr);

    void setCaption(const QString& caption);
    /// Marks the example whose words stand in the prompt.
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
