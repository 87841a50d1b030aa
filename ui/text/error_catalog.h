#pragma once

#include <QString>
#include <vector>

#include "core/api/error.h"

namespace kinescope::ui {

/// The action of a button below an error message.
enum class FixAction {
    tryAgain,
    chooseFolder,
    useDefaultFolder,
    useSmallerSize,
    useFewerFrames,
    useOtherFormat,
    useGuard,
    showLog,
    close
};

struct Fix {
    FixAction action = FixAction::close;
    QString label;
};

/// The presentation of an error: title, explanation, and actions with the best one first.
struct ErrorText {
    QString title;
    QString sentence;
    std::vector<Fix> fixes;
    QString detail;  ///< the engine's message and hint in English, for the tooltip and for reports
};

ErrorText errorText(const Error& error);

/// Returns true if a LoRA was opened as a model.
bool isLoraAsModel(const Error& error);

/// Returns the engine's code, message and hint in English, for reports.
QString errorReport(const Error& error);

}  // namespace kinescope::ui
