#pragma once

#include <QComboBox>
#include <QPointer>

namespace kinescope::ui {

class HistoryModel;
class Theme;

/// Selects a run to compare: a video of the history (newest first, with thumbnail and prompt) or any file. Reads no
/// thumbnails while it is hidden.
class RunPicker : public QComboBox {
    Q_OBJECT

public:
    /// Role of the second line of an entry. The first line is its Qt::DisplayRole.
    enum Role { FactsRole = Qt::UserRole + 1 };

    /// `letter` is "A" or "B".
    RunPicker(const Theme& theme, const QString& letter, QWidget* parent = nullptr);

    /// Lists the videos of the history and keeps the selection.
    void setHistory(HistoryModel& history);
    /// Returns the selected file, or an empty string if no run is selected.
    QString file() const { return file_; }
    void setFile(const QString& file);

Q_SIGNALS:
    void fileChosen();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void choose(int index);
    void askForFile();
    void updateItems();
    void updateItem(const QString& file);

    QString letter_;
    QPointer<HistoryModel> history_;
    QString file_;
};

}  // namespace kinescope::ui
