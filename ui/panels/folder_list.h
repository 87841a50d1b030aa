#pragma once

#include "ui/widgets/island.h"

class QLabel;
class QListWidget;
class QPushButton;
class QToolButton;

namespace kinescope::ui {

class MessageLine;
class ModelFolderList;
class ModelTable;
class Theme;

/// The folders in which models are looked for, with the number of models in each; choosing one filters the table.
class FolderList : public Island {
    Q_OBJECT

public:
    FolderList(const Theme& theme, ModelFolderList& folders, ModelTable& table, QWidget* parent = nullptr);

    /// Puts it on the list; a refusal is said under it.
    void add(const QString& folder);
    /// As ModelFilter takes it.
    QString currentFolder() const;

Q_SIGNALS:
    void folderChosen(const QString& folder);
    void addWanted();
    void scanWanted();
    /// The list is another one now.
    void foldersChanged();

private:
    void buildHeader();
    void buildFoot();
    void present();
    void addItem(const QString& folder, const QString& name);
    void removeChosen();
    void presentSuggestion();
    void say(const QString& refusal);
    void sayWords();

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
};

}  // namespace kinescope::ui
