#pragma once

#include <QStringList>
#include <vector>

#include "ui/widgets/section.h"

class QPushButton;
class QVBoxLayout;

namespace kinescope::ui {

class LoraRow;
class RequestModel;

/// The LoRAs of the request with their strengths, and a button that adds files. Accepts dropped files.
class LoraSection : public Section {
    Q_OBJECT

public:
    LoraSection(const Theme& theme, RequestModel& model, QWidget* parent = nullptr);

    void add(const QStringList& files);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void retranslate();
    void askForFiles();
    void showRequest();
    void showFault();
    void setNumRows(std::size_t count);

    const Theme& theme_;
    RequestModel& model_;
    QVBoxLayout* list_;
    QPushButton* add_;
    std::vector<LoraRow*> rows_;
};

}  // namespace kinescope::ui
