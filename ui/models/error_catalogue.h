#pragma once

#include <QString>
#include <vector>

#include "core/api/error.h"

namespace kinescope::ui {

/// What a button under an error does.
enum class CureAction {
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

struct Cure {
    CureAction action = CureAction::close;
    QString label;
};

/// How an error is said in the window: title, one sentence with the values, cures with the best one first.
struct ErrorText {
    QString title;
    QString sentence;
    std::vector<Cure> cures;
    QString detail;  ///< the engine's own message and hint, in English: for those who look closer, and for reports
};

ErrorText errorText(const Error& error);

/// The engine's own words, for a report: code, message, hint.
QString errorReport(const Error& error);

}  // namespace kinescope::ui
