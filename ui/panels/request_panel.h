#pragma once

#include "ui/widgets/island.h"

class QPushButton;
class QScrollArea;

namespace kinescope::ui {

class ExtraFieldsForm;
class GenerateBar;
class ImageFields;
class MemorySection;
class ModelPicker;
class PrecisionSection;
class PresetPicker;
class PromptFields;
class QualitySection;
class RequestModel;
class RunModel;
class Section;
class Theme;
class VideoSection;

/// Everything that is asked before a run: model, words, video, quality; what follows from it; and Generate.
class RequestPanel : public Island {
    Q_OBJECT

public:
    RequestPanel(const Theme& theme, RequestModel& request, RunModel& run, QWidget* parent = nullptr);

    PromptFields* promptFields() const { return prompt_; }
    QPushButton* generateButton() const;
    GenerateBar* generateBar() const { return generate_; }
    QList<Section*> sections() const;
    /// Folds or unfolds all sections: a small window shows them folded, each with its value.
    void setExpanded(bool expanded);
    /// The object names of the expanded sections.
    QStringList openSections() const;
    void setOpenSections(const QStringList& names);

Q_SIGNALS:
    void generateWanted();
    void modelFolderWanted();
    void savePresetWanted();
    void importPresetWanted();
    void exportPresetWanted();

private:
    QWidget* makeForm();
    void showSoon(QWidget* section);

    QScrollArea* scroll_ = nullptr;
    ModelPicker* picker_;
    PresetPicker* preset_;
    PromptFields* prompt_;
    ImageFields* images_;
    ExtraFieldsForm* extra_;
    VideoSection* video_;
    QualitySection* quality_;
    PrecisionSection* precision_;
    MemorySection* memory_;
    GenerateBar* generate_;
};

}  // namespace kinescope::ui
