#pragma once

#include <QComboBox>

namespace kinescope::ui {

/// Selects a run to compare: a recent video or log, or any file.
class RunPicker : public QComboBox {
    Q_OBJECT

public:
    /// `letter`: "A" or "B".
    explicit RunPicker(const QString& letter, QWidget* parent = nullptr);

    /// Lists the videos and numeric logs of a folder, newest first; keeps the selection.
    void offer(const QString& folder);
    /// Empty if no run is selected.
    QString file() const { return file_; }
    void setFile(const QString& file);

Q_SIGNALS:
    void fileChosen();

private:
    void choose(int index);
    void askForFile();
    void updateItems();

    QString letter_;
    QStringList offered_;
    QString file_;
};

}  // namespace kinescope::ui
