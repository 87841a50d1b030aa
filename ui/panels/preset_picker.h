#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;

namespace kinescope::ui {

class PresetModel;
class MessageLine;
class Theme;

/// Preset selection with a revert button and a menu to save and share presets. " · changed" marks a modified preset. A
/// line below it shows the reason for an automatic selection.
class PresetPicker : public QWidget {
    Q_OBJECT

public:
    PresetPicker(const Theme& theme, PresetModel& presets, QWidget* parent = nullptr);

Q_SIGNALS:
    void saveRequested();
    void importRequested();
    void exportRequested();
    void deleteRequested();

private:
    void buildMenu();
    void retranslate();
    void updateContent();
    void updateList();
    QString currentText() const;
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
