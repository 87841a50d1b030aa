#pragma once

#include <QDialog>
#include <filesystem>
#include <vector>

#include "core/api/frame.h"

class QLabel;
class QPushButton;
class QSlider;

namespace kinescope::ui {

class EngineBridge;
class MaskCanvas;
class MessageLine;
class Segmented;
class Theme;

/// Paints a mask over a frame of a video and saves it as a picture.
class MaskDialog : public QDialog {
    Q_OBJECT

public:
    /// `mask`: the picture to begin with; empty, or a video: nothing is painted.
    MaskDialog(const Theme& theme, EngineBridge& bridge, const std::filesystem::path& video, const QString& mask,
               QWidget* parent = nullptr);

    MaskCanvas* canvas() const { return canvas_; }

    /// Esc and the close button keep a dialog with a painted mask open. Only Cancel discards the mask.
    void reject() override;

Q_SIGNALS:
    void maskSaved(const QString& file);

private:
    QPushButton* makeButton(const char* name);
    QLayout* makeTools();
    QLayout* makeButtons();
    void wire();
    void retranslate();
    void readFrames(EngineBridge& bridge);
    void showFrame(int frame);
    void updateTools();
    void save();

    std::filesystem::path video_;
    QString begun_;  ///< the file of the mask to begin with
    std::vector<FramePtr> frames_;
    MaskCanvas* canvas_;
    QLabel* hint_;
    QLabel* frameLabel_;
    QSlider* frame_;
    Segmented* tools_;
    QLabel* sizeLabel_;
    QSlider* size_;
    QPushButton* undo_;
    QPushButton* redo_;
    QPushButton* invert_;
    QPushButton* clear_;
    MessageLine* message_;
    QPushButton* cancel_;
    QPushButton* use_;
};

}  // namespace kinescope::ui
