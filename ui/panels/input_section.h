#pragma once

#include <vector>

#include "ui/widgets/section.h"

class QComboBox;
class QDoubleSpinBox;
class QHBoxLayout;
class QPushButton;

namespace kinescope::ui {

class FileWell;
class FormField;
class ImageTile;
class RequestModel;

/// The videos that a run starts from: a video to change with its strength, a control video with its source, mask,
/// reference pictures and scale, and a video to continue. Shows the fields that the model supports, and those that the
/// request uses, so that the user can remove them; hidden without any.
class InputSection : public Section {
    Q_OBJECT

public:
    InputSection(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    void build();
    void wire();
    void retranslate();
    void showRequest();
    void showReferences();
    void paintMask();
    void setNumReferences(std::size_t count);
    void setReference(std::size_t index, const QString& file);
    QString summary() const;

    const Theme& theme_;
    RequestModel& model_;
    FileWell* video_;
    QDoubleSpinBox* strength_;
    FormField* strengthField_ = nullptr;
    QComboBox* control_;
    FormField* controlField_ = nullptr;
    FileWell* mask_;
    QPushButton* paintMask_;
    QWidget* references_;
    QHBoxLayout* referenceRow_ = nullptr;
    ImageTile* addReference_;
    FormField* referencesField_ = nullptr;
    std::vector<ImageTile*> referenceTiles_;
    QDoubleSpinBox* scale_;
    FormField* scaleField_ = nullptr;
    FileWell* continue_;
};

}  // namespace kinescope::ui
