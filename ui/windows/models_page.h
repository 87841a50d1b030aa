#pragma once

#include <QWidget>

#include "ui/models/download_queue.h"
#include "ui/models/file_checker.h"
#include "ui/models/model_folder_list.h"
#include "ui/models/model_table.h"
#include "ui/windows/desktop.h"

class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace kinescope::ui {

class DownloadList;
class FolderList;
class Card;
class MessageLine;
class ModelDetails;
class Theme;

/// Shows the models with their state, the model folders, and the downloads.
class ModelsPage : public QWidget {
    Q_OBJECT

public:
    ModelsPage(const Theme& theme, EngineInspector& inspector, Desktop desktop, QWidget* parent = nullptr);

    ModelTable& table() { return table_; }
    const FileChecker& checker() const { return checker_; }
    /// Scans the folders in the background.
    void scan();
    void addFolder(const QString& folder);
    /// Adds the folder of a model that the user opened, unless the list contains it.
    void rememberOpened(const QString& model);
    /// Asks for a folder and adds it.
    void chooseFolder();
    void showDownloads();

Q_SIGNALS:
    void useRequested(const QString& model);
    /// Emitted when the set of models has changed.
    void modelsChanged();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeTable(const Theme& theme);
    void wire();
    void restoreSelection();
    void showSelected();
    void onScanningChanged();
    void updateScanMessage();
    void retranslate();
    void useSelected();
    void showInFolder();
    void startDownload(int row);
    void checkSelected();
    void updateCheck();
    QString selectedModel() const;
    void contextMenu(const QPoint& where);

    Desktop desktop_;
    ModelFolderList folders_;
    ModelTable table_;
    ModelFilter filter_;
    FileChecker checker_;
    DownloadQueue downloads_;
    FolderList* folderList_;
    Card* tableCard_;
    QTableView* view_;
    QLineEdit* search_;
    QPushButton* get_;
    MessageLine* message_;
    ModelDetails* details_;
    DownloadList* downloadList_;
    QStackedWidget* lower_;
    QString selectedBefore_;  ///< the model to select again after a scan
    bool seen_ = false;       ///< the folders have been scanned
};

}  // namespace kinescope::ui
