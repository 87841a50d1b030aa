#pragma once

#include <QWidget>
#include <filesystem>
#include <optional>

#include "core/api/video_request.h"

class QComboBox;
class QToolButton;

namespace kinescope::ui {

class FormField;
class ImageTile;
class RequestModel;
class Theme;

/// Start image, or first and last frame, and how pictures of another shape fit into the video; shown if the model's
/// tasks use them.
class ImageFields : public QWidget {
    Q_OBJECT

public:
    ImageFields(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    using Image = std::optional<std::filesystem::path> VideoRequest::*;

    /// Tile, remove button and form field of one image.
    struct Slot {
        Image image = nullptr;
        ImageTile* tile = nullptr;
        QToolButton* remove = nullptr;
        FormField* field = nullptr;
    };

    Slot makeSlot(Image image, const char* name);
    void retranslateSlot(const Slot& slot, const QString& label);
    void wire(const Slot& slot);
    void buildFit();
    void retranslateFit();
    void setImage(Image image, const QString& file);
    void askForFile(const Slot& slot);
    bool takesLast() const;
    void showCard();
    void showRequest();

    const Theme& theme_;
    RequestModel& model_;
    Slot first_;
    Slot last_;
    QComboBox* fit_;
    FormField* fitField_ = nullptr;  ///< shown if the request has a picture that is fitted
};

}  // namespace kinescope::ui
