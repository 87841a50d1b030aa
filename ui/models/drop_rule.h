#pragma once

#include <QString>
#include <QStringList>

namespace kinescope::ui {

/// What is held over the window.
struct DropOffer {
    QStringList files;        ///< local paths
    QString text;             ///< words, when no files are there
    bool takesImage = false;  ///< the chosen model begins with a picture
    QString model;            ///< its name
};

/// What a drop will do; `words` says it before it is done, or why it will not be done.
struct DropPlan {
    enum class Action {
        refuse,
        startImage,
        restoreVideo,
        restoreRequest,
        importPreset,
        importRequests,
        openModel,
        replacePrompt
    };
    Action action = Action::refuse;
    QString what;  ///< the file, or the words that were dropped
    QString words;
};

/// Looks at names alone, so that it can answer while the mouse moves. A folder's path ends with a separator.
DropPlan planDrop(const DropOffer& offer);

}  // namespace kinescope::ui
