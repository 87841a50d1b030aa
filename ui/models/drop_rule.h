#pragma once

#include <QString>
#include <QStringList>

namespace kinescope::ui {

/// The content dragged over the window.
struct DropOffer {
    QStringList files;         ///< local paths, see addFile
    bool holdsFrames = false;  ///< one of them is a folder of PNG frames
    bool isElsewhere = false;  ///< the content is the address of a file on another computer, such as a web server
    QString text;              ///< dragged text, if there are no files
    bool takesImage = false;   ///< the selected model accepts a start image
    QString model;             ///< name of the selected model
};

/// Adds a path to the files of an offer. Folders get a separator at the end. Reads the disk.
void addFile(const QString& path, DropOffer& offer);

/// The effect of a drop. `text` announces it, or explains why the content is refused.
struct DropPlan {
    enum class Action {
        refuse,
        startImage,
        restoreVideo,
        restoreRequest,
        importPreset,
        importRequests,
        openModel,
        addFolderList,
        replacePrompt
    };
    Action action = Action::refuse;
    QString what;  ///< the file or text
    QString text;
};

/// Decides by the offer only, because it runs while the mouse moves.
DropPlan planDrop(const DropOffer& offer);

}  // namespace kinescope::ui
