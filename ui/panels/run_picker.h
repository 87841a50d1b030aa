#pragma once

#include <QComboBox>

namespace kinescope::ui {

/// One of the runs that are compared: the newest videos and logs, or any file.
class RunPicker : public QComboBox {
    Q_OBJECT

public:
    /// `letter`: "A" or "B".
    explicit RunPicker(const QString& letter, QWidget* parent = nullptr);

    /// Videos and numeric logs of a folder, newest first; what is chosen stays.
    void offer(const QString& folder);
    /// Empty: nothing is chosen.
    QString file() const { return file_; }
    void setFile(const QString& file);

Q_SIGNALS:
    void fileChosen();

private:
    void choose(int index);
    void askForFile();
    void present();

    QString letter_;
    QStringList offered_;
    QString file_;
};

}  // namespace kinescope::ui
