#pragma once

#include "ui/widgets/card.h"

class QPushButton;
class QScrollArea;

namespace kinescope::ui {

class ConditionFields;
class ExtraFieldsForm;
class GenerateBar;
class ImageFields;
class InputSection;
class LoraSection;
class MemorySection;
class ModelPicker;
class FinishSection;
class PrecisionSection;
class PresetPicker;
class PromptFields;
class QualitySection;
class RequestModel;
class RunModel;
class Section;
class Theme;
class VideoSection;

/// The request form (model, preset, prompt, images, video, quality, LoRAs, precision and memory) and the Generate
/// button.
class RequestPanel : public Card {
    Q_OBJECT

public:
    RequestPanel(const Theme& theme, RequestModel& request, RunModel& run, QWidget* parent = nullptr);

    PromptFields* promptFields() const { return prompt_; }
    QPushButton* generateButton() const;
    GenerateBar* generateBar() const { return generate_; }
    QList<Section*> sections() const;
    /// Expands or collapses all sections. Small windows collapse them.
    void setExpanded(bool expanded);
    /// Returns the object names of the expanded sections.
    QStringList openSections() const;
    void setOpenSections(const QStringList& names);

Q_SIGNALS:
    void generateRequested();
    void modelFolderRequested();
    void savePresetRequested();
    void importPresetRequested();
    void exportPresetRequested();
    void deletePresetRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeForm();
    void fitWidth();
    void showSoon(QWidget* section);

    QScrollArea* scroll_ = nullptr;
    ModelPicker* picker_;
    PresetPicker* preset_;
    PromptFields* prompt_;
    ImageFields* images_;
    ConditionFields* conditions_;
    ExtraFieldsForm* extra_;
    InputSection* input_;
    VideoSection* video_;
    QualitySection* quality_;
    LoraSection* loras_;
    FinishSection* finish_;
    PrecisionSection* precision_;
    MemorySection* memory_;
    GenerateBar* generate_;
};

}  // namespace kinescope::ui
