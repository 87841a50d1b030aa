#pragma once

#include <QWidget>

class QDoubleSpinBox;

namespace kinescope::ui {

class FormField;
class RequestModel;
class Theme;

/// The strength of a variation of a seed, and a link that ends it. Hidden for requests without a variation.
class VariationField : public QWidget {
    Q_OBJECT

public:
    VariationField(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    void retranslate();
    void showRequest();

    RequestModel& model_;
    QDoubleSpinBox* strength_;
    FormField* field_;
};

}  // namespace kinescope::ui
