#pragma once

#include <QWidget>
#include <filesystem>
#include <optional>

#include "core/api/video_request.h"

class QToolButton;

namespace kinescope::ui {

class FormField;
class ImageTile;
class RequestModel;
class Theme;

/// The pictures that a model starts from (and ends with). Which of them are shown is the card's word: its tasks.
class ImageFields : public QWidget {
    Q_OBJECT

public:
    ImageFields(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    using Image = std::optional<std::filesystem::path> VideoRequest::*;

    /// One picture: its tile, the button that takes it away, and the field around them.
    struct Slot {
        Image image = nullptr;
        ImageTile* tile = nullptr;
        QToolButton* remove = nullptr;
        FormField* field = nullptr;
    };

    Slot makeSlot(Image image, const char* name);
    void say(const Slot& slot, const QString& label);
    void wire(const Slot& slot);
    void give(Image image, const QString& file);
    void ask(const Slot& slot);
    void showCard();
    void showRequest();

    const Theme& theme_;
    RequestModel& model_;
    Slot first_;
    Slot last_;
};

}  // namespace kinescope::ui
