#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;

namespace kinescope::ui {

class PresetModel;
class MessageLine;
class Theme;

/// One row: the chosen preset, with " · changed" when a field differs from it, an arrow that resets these fields, and a
/// menu for saving and sharing. Below it, the reason for the choice.
class PresetPicker : public QWidget {
    Q_OBJECT

public:
    PresetPicker(const Theme& theme, PresetModel& presets, QWidget* parent = nullptr);

Q_SIGNALS:
    void saveWanted();
    void importWanted();
    void exportWanted();

private:
    void buildMenu();
    void say();
    void present();
    void choose(int index);

    PresetModel& presets_;
    QLabel* label_;
    QComboBox* combo_;
    QToolButton* reset_;
    QToolButton* more_;
    QLabel* reason_;
    MessageLine* doubt_;
    QAction* save_ = nullptr;
    QAction* import_ = nullptr;
    QAction* export_ = nullptr;
    QAction* delete_ = nullptr;
};

}  // namespace kinescope::ui
