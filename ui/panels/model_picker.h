#pragma once

#include <QComboBox>
#include <vector>

namespace kinescope {
struct ModelCard;
}

namespace kinescope::ui {

class RequestModel;
class Theme;

/// Model selection with a description below the name. The last entry opens a model folder.
class ModelPicker : public QComboBox {
    Q_OBJECT

public:
    ModelPicker(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

Q_SIGNALS:
    void folderRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void showModels();
    void addCard(const ModelCard& card, const std::vector<ModelCard>& all);
    void choose(int index);
    QString kindOfModel() const;

    const Theme& theme_;
    RequestModel& model_;
};

}  // namespace kinescope::ui
