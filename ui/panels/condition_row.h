#pragma once

#include <QWidget>

#include "core/api/video_request.h"

class QDoubleSpinBox;
class QLabel;
class QSpinBox;
class QToolButton;

namespace kinescope::ui {

class ImageTile;
class Theme;

/// One condition (an image or a video) with its frame and strength.
class ConditionRow : public QWidget {
    Q_OBJECT

public:
    /// `number` counts from 1 and is the last part of the object names.
    ConditionRow(const Theme& theme, int number, QWidget* parent = nullptr);

    /// Shows the values without emitting changed().
    void setCondition(const FrameCondition& condition);
    /// See ImageTile::setCropSize().
    void setCropSize(const QSize& video);

Q_SIGNALS:
    void changed(const kinescope::FrameCondition& condition);
    void removeRequested();

private:
    void build();
    void retranslate();
    void wire();
    /// Emits changed() with another image. The owner calls setCondition() if it accepts the image.
    void offerFile(const QString& file);

    int number_;
    FrameCondition condition_;
    ImageTile* tile_;
    QLabel* frameLabel_ = nullptr;
    QSpinBox* frame_;
    QLabel* strengthLabel_ = nullptr;
    QDoubleSpinBox* strength_;
    QToolButton* remove_;
};

}  // namespace kinescope::ui
