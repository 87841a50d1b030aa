#pragma once

#include <QList>
#include <QScrollArea>
#include <vector>

#include "core/api/device_info.h"

class QHBoxLayout;
class QLabel;

namespace kinescope::ui {

class ExampleCard;
class RequestModel;
class Theme;

/// The preview area before the first run: instructions and example prompts. Scrolls if the text is too large for it.
class EmptyPreview : public QScrollArea {
    Q_OBJECT

public:
    EmptyPreview(const Theme& theme, RequestModel& request, QWidget* parent = nullptr);

    /// Sets the devices of this computer, for the line that describes what it can do with the model.
    void setDevices(const std::vector<DeviceInfo>& devices);

Q_SIGNALS:
    void guardDemoRequested();

private:
    QWidget* makeWelcome();
    QWidget* makeExamples();
    QWidget* makeGuardCard();
    QWidget* makeHints();
    void showExamples();
    void updateVocabularyHint();
    void showRequest();

    const Theme& theme_;
    RequestModel& request_;
    QLabel* examplesLabel_ = nullptr;
    QHBoxLayout* examples_ = nullptr;
    std::vector<DeviceInfo> devices_;
    QLabel* ability_ = nullptr;
    QLabel* vocabulary_ = nullptr;  ///< hint about a model with a small vocabulary
    QList<ExampleCard*> cards_;
};

}  // namespace kinescope::ui
