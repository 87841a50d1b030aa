#pragma once

#include <QWidget>

#include "core/api/video_request.h"

class QDoubleSpinBox;
class QToolButton;

namespace kinescope::ui {

class ElidedLabel;
class MessageLine;
class Theme;

/// One LoRA with its strength.
class LoraRow : public QWidget {
    Q_OBJECT

public:
    /// `number` counts from 1 and is the last part of the object names.
    LoraRow(const Theme& theme, int number, QWidget* parent = nullptr);

    /// Shows the values without emitting changed().
    void setLora(const LoraRequest& lora);
    /// Shows why the LoRA cannot be used. An empty text hides the message.
    void setFault(const QString& text);

Q_SIGNALS:
    void changed(const kinescope::LoraRequest& lora);
    void removeRequested();

private:
    void retranslate();

    int number_;
    LoraRequest lora_;
    ElidedLabel* name_;
    QDoubleSpinBox* strength_;
    QToolButton* remove_;
    MessageLine* message_;
};

}  // namespace kinescope::ui
