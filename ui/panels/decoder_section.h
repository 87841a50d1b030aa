#pragma once

#include "ui/widgets/section.h"

class QCheckBox;
class QComboBox;

namespace kinescope::ui {

class FormField;
class RequestModel;

/// What decodes previews and the final latents: a tiny decoder, or projection and the model's VAE. Hidden for models
/// without a known tiny decoder.
class DecoderSection : public Section {
    Q_OBJECT

public:
    DecoderSection(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    void buildFields(const Theme& theme);
    void wire();
    void retranslate();
    void showRequest();

    RequestModel& model_;
    QComboBox* previews_;
    QCheckBox* draft_;
    FormField* previewsField_ = nullptr;
    FormField* draftField_ = nullptr;
};

}  // namespace kinescope::ui
