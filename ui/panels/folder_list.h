#pragma once

#include <QHash>

#include "ui/bridge/newest.h"
#include "ui/widgets/card.h"

class QLabel;
class QListWidget;
class QPushButton;
class QToolButton;

namespace kinescope::ui {

class MessageLine;
class ModelFolderList;
class ModelTable;
class Theme;

/// The model folders with their number of models; selecting one filters the table.
class FolderList : public Card {
    Q_OBJECT

public:
    /// What is at the path of a folder.
    enum class Place {
        folder,  ///< also until a worker thread has looked
        list,    ///< a file with a list of folders, extra_model_paths.yaml
        none
    };

    FolderList(const Theme& theme, ModelFolderList& folders, ModelTable& table, QWidget* parent = nullptr);

    /// Adds a folder. If it can't be added, shows the reason below the list.
    void add(const QString& folder);
    /// Adds the folder of a model that was opened, unless the list contains it.
    void addOpened(const QString& model);
    /// Returns the selected folder in the format of ModelFilter, or an empty string for all folders.
    QString currentFolder() const;

Q_SIGNALS:
    void folderChosen(const QString& folder);
    void addRequested();
    void scanRequested();
    /// Emitted when a folder was added or removed.
    void foldersChanged();

private:
    void buildHeader();
    void buildFoot();
    void updateFolders();
    void readAgain();
    void lookAtPlaces();
    void showFolders();
    void addItem(const QString& folder, const QString& name);
    void removeCurrent();
    void updateSuggestion();
    void applyChange(const QString& refusal);
    void retranslate();

    const Theme& theme_;
    ModelFolderList& folders_;
    ModelTable& table_;
    QListWidget* list_;
    QToolButton* scan_;
    QToolButton* remove_;
    QPushButton* add_;
    MessageLine* suggestion_;
    MessageLine* refusal_;
    QLabel* note_;
    QString suggested_;
    QHash<QString, Place> places_;  ///< by folder
    Newest newestLook_;             ///< at the places
};

}  // namespace kinescope::ui
