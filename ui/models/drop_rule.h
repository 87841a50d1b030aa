#pragma once

#include <QString>
#include <QStringList>

namespace kinescope::ui {

/// The content dragged over the window.
struct DropOffer {
    QStringList files;        ///< local paths
    QString text;             ///< dragged text, if there are no files
    bool takesImage = false;  ///< the selected model accepts a start image
    QString model;            ///< name of the selected model
};

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

/// Decides by file names only, because it runs while the mouse moves. Folder paths must end with a separator.
DropPlan planDrop(const DropOffer& offer);

}  // namespace kinescope::ui
