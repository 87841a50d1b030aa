#pragma once

#include <QImage>
#include <QList>

#include "ui/widgets/painted_widget.h"

namespace kinescope::ui {

/// A row of small pictures, one for each step of a run. If they do not all fit, it shows as many as fit, evenly spaced,
/// with the first, the last and the selected one. Keys: Left/Right previous or next step, Esc no step.
class FilmStrip : public PaintedWidget {
    Q_OBJECT

public:
    struct Tile {
        int step = 0;  ///< from 1
        QImage picture;
    };

    explicit FilmStrip(const Theme& theme, QWidget* parent = nullptr);

    void setTiles(const QList<Tile>& tiles);
    /// Marks the picture of a step; 0: none.
    void setSelected(int step);
    int selected() const { return selected_; }
    /// Returns the steps of the visible pictures.
    QList<int> shownSteps() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// Emitted when the user selects a picture. 0: the selected picture was selected again, or Esc was pressed.
    void stepChosen(int step);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QSizeF tileSize() const;
    int stripHeight() const;
    QList<qsizetype> shown() const;
    void includeSelected(QList<qsizetype>& indexes) const;
    void updateValueText();
    QRectF rectOf(qsizetype place) const;
    void paintTile(QPainter& painter, const Tile& tile, const QRectF& rect) const;
    void choose(int step);
    void moveBy(int delta);

    QList<Tile> tiles_;
    int selected_ = 0;
};

}  // namespace kinescope::ui
