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
class Island;
class MessageLine;
class ModelDetails;
class Theme;

/// What models there are, what each of them is and why, where they are looked for, and which can be fetched.
class ModelsPage : public QWidget {
    Q_OBJECT

public:
    ModelsPage(const Theme& theme, EngineInspector& inspector, Desktop desktop, QWidget* parent = nullptr);

    ModelTable& table() { return table_; }
    DownloadQueue& downloads() { return downloads_; }
    const FileChecker& checker() const { return checker_; }
    /// Folders are read anew, in the background.
    void scan();
    void addFolder(const QString& folder);
    /// Asks for a folder.
    void chooseFolder();
    void showDownloads();

Q_SIGNALS:
    void useWanted(const QString& model);
    /// The models of the folders are others now.
    void modelsChanged();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeTable(const Theme& theme);
    void wire();
    void chooseKept();
    void presentChosen();
    void presentScan();
    void presentScanning();
    void say();
    void use();
    void showInFolder();
    void startDownload(int row);
    void check();
    void presentCheck();
    QString chosen() const;
    void contextMenu(const QPoint& where);

    Desktop desktop_;
    ModelFolderList folders_;
    ModelTable table_;
    ModelFilter filter_;
    FileChecker checker_;
    DownloadQueue downloads_;
    FolderList* folderList_;
    Island* tableIsland_;
    QTableView* view_;
    QLineEdit* search_;
    QPushButton* get_;
    MessageLine* message_;
    ModelDetails* details_;
    DownloadList* downloadList_;
    QStackedWidget* lower_;
    QString kept_;  ///< the model that was chosen before a scan
    bool seen_ = false;
};

}  // namespace kinescope::ui
