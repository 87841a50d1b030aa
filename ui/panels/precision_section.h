#pragma once

#include <QPointer>
#include <array>

#include "core/api/component_role.h"
#include "core/api/video_request.h"
#include "ui/widgets/section.h"

class QCheckBox;
class QComboBox;
class QPushButton;

namespace kinescope::ui {

class FormField;
class PrecisionChoices;
class PrecisionTable;
class RequestModel;

/// Precision of the components, the reason for it, and the settings of the guard.
class PrecisionSection : public Section {
    Q_OBJECT

public:
    PrecisionSection(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    /// The precision of the components in one role.
    struct RoleField {
        ComponentRole role = ComponentRole::denoiser;
        DtypeChoice VideoRequest::*value = nullptr;
        QComboBox* combo = nullptr;
        FormField* field = nullptr;
    };

    void buildFields(const Theme& theme);
    RoleField makeRoleField(const Theme& theme, ComponentRole role);
    void wire();
    void bind(QComboBox* combo, DtypeChoice VideoRequest::*value);
    void retranslate();
    void showPlan();
    void showRequest();
    void showChoices();
    void showRole(const RoleField& field);
    void showStorage();
    void showTable();

    RequestModel& model_;
    PrecisionChoices* choices_;
    QLabel* result_;
    QLabel* reason_;
    std::array<RoleField, 3> roles_;
    QComboBox* storage_;
    QComboBox* guard_;
    QCheckBox* fastSums_;
    QPushButton* all_;
    FormField* storageField_ = nullptr;
    FormField* guardField_ = nullptr;
    QPointer<PrecisionTable> table_;
};

}  // namespace kinescope::ui
