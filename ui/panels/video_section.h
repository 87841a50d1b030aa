#pragma once

#include <array>
#include <filesystem>
#include <optional>

#include "core/api/video_description.h"
#include "core/api/video_request.h"
#include "ui/widgets/section.h"

class QComboBox;
class QLineEdit;
class QSpinBox;
class QToolButton;

namespace kinescope::ui {

class FormField;
class RequestModel;

/// Size, length, frame rate and seed.
class VideoSection : public Section {
    Q_OBJECT

public:
    VideoSection(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    void buildFields();
    QWidget* seedRow();
    void wire();
    void retranslate();
    void showCard();
    void showRequest();
    void showPlannedSize();
    void showSize();
    void showFrames(int frames);
    /// Reads how long the video to continue is, if it is another one than before.
    void readContinued(const VideoRequest& request);
    /// Shows the length of the whole video: all parts, and the video that the first one continues.
    void showLength(const VideoRequest& now);
    QString lengthOfWhole(const VideoRequest& now) const;
    void chooseSize(int index);
    void typeSeed(const QString& text);

    const Theme& theme_;
    RequestModel& model_;
    QComboBox* size_;
    QSpinBox* width_;
    QSpinBox* height_;
    QWidget* custom_;
    QSpinBox* frames_;
    int framesBefore_ = 0;  ///< the number of frames before the user began to type
    QSpinBox* fps_;
    QLineEdit* seed_;
    QToolButton* dice_;
    QToolButton* lock_;
    std::array<FormField*, 6> fields_ = {};  ///< size, length, frame rate, seed, width, height
    bool customSize_ = false;
    std::optional<std::filesystem::path> continuedFile_;
    std::optional<VideoDescription> continued_;  ///< of that file, once it is read
};

}  // namespace kinescope::ui
