#pragma once

#include <QWidget>
#include <vector>

#include "core/api/video_request.h"

class QVBoxLayout;

namespace kinescope::ui {

class ConditionRow;
class FormField;
class ImageTile;
class RequestModel;
class Theme;

/// The conditions of the request (images and videos at given frames), and a tile that adds one. Shown if the model
/// supports conditions, or if the request has some, so that the user can remove them.
class ConditionFields : public QWidget {
    Q_OBJECT

public:
    ConditionFields(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

private:
    void showRequest();
    void setNumRows(std::size_t count);
    void add(const QString& file);
    void edit(std::size_t index, const FrameCondition& condition);
    void remove(std::size_t index);

    const Theme& theme_;
    RequestModel& model_;
    QWidget* list_;
    QVBoxLayout* column_;
    ImageTile* addTile_;
    FormField* field_ = nullptr;
    std::vector<ConditionRow*> rows_;
};

}  // namespace kinescope::ui
