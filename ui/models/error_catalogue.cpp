#include "ui/models/error_catalogue.h"

#include <QCoreApplication>
#include <QStringList>

#include "ui/models/error_sentence.h"
#include "ui/models/words.h"

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(ErrorCatalogue)
};

QString text(const std::string& characters) {
    return QString::fromStdString(characters);
}

QString argument(const Error& error, const char* name) {
    const auto found = error.arguments().find(name);
    return found == error.arguments().end() ? QString() : text(found->second);
}

bool wasOnlyObserved(const Error& error) {
    return argument(error, "guard") == QLatin1String("observe");
}

QString ownWords(const Error& error) {
    QStringList sentences{asSentence(text(error.message()))};
    // The hint names a command-line option; here a button runs it again with the guard on.
    if (!wasOnlyObserved(error)) sentences << asSentence(text(error.hint()));
    sentences.removeAll(QString());
    return sentences.join(QLatin1Char(' '));
}

QString title(ErrorCode code) {
    switch (code) {
        case ErrorCode::cancelled:
            return Words::tr("Stopped");
        case ErrorCode::bad_request:
        case ErrorCode::bad_usage:
            return Words::tr("A setting is out of its limits");
        case ErrorCode::file_not_found:
            return Words::tr("A file is not there");
        case ErrorCode::file_unreadable:
            return Words::tr("A file cannot be read");
        case ErrorCode::file_changed:
            return Words::tr("A model file changed during the run");
        case ErrorCode::checkpoint_truncated:
            return Words::tr("The model file ends early");
        case ErrorCode::checkpoint_corrupt:
            return Words::tr("The model file is damaged");
        case ErrorCode::component_missing:
            return Words::tr("A part of the model is missing");
        case ErrorCode::missing_keys:
            return Words::tr("The model file is incomplete");
        case ErrorCode::wrong_shape:
            return Words::tr("The model file does not fit its description");
        case ErrorCode::model_unknown:
            return Words::tr("Kinescope does not know this model");
        case ErrorCode::bad_config:
            return Words::tr("The model's configuration cannot be used");
        case ErrorCode::tokenizer_invalid:
            return Words::tr("The model's word list cannot be used");
        case ErrorCode::unsupported:
            return Words::tr("This cannot be done yet");
        case ErrorCode::device_unavailable:
            return Words::tr("The device is not available");
        case ErrorCode::out_of_memory:
            return Words::tr("Not enough memory");
        case ErrorCode::not_finite:
            return Words::tr("Stopped to protect your time");
        case ErrorCode::frames_black:
            return Words::tr("The pictures came out black");
        case ErrorCode::image_unreadable:
            return Words::tr("This image cannot be read");
        case ErrorCode::output_exists:
            return Words::tr("A file of that name is already there");
        case ErrorCode::output_not_writable:
            return Words::tr("The output folder cannot be written");
        case ErrorCode::disk_full:
            return Words::tr("Not enough disk space");
        case ErrorCode::codec_missing:
            return Words::tr("This video format cannot be written here");
        case ErrorCode::encode_failed:
            return Words::tr("The video file could not be finished");
        case ErrorCode::no_settings:
            return Words::tr("This video holds no settings");
        case ErrorCode::internal:
            return Words::tr("Something went wrong inside Kinescope");
    }
    return Words::tr("Something went wrong");
}

/// "Stopped at step 9 to protect your time" when the engine says where.
QString titleOf(const Error& error) {
    bool known = false;
    const int step = argument(error, "step").toInt(&known);
    const QString phase = argument(error, "phase");
    const bool denoising = phase.isEmpty() || phase == QLatin1String("denoise");
    if (wasOnlyObserved(error))
        return denoising ? Words::tr("Invalid values (NaN or infinity) since step %1").arg(step)
                         : Words::tr("Invalid values (NaN or infinity)");
    if (error.code() == ErrorCode::not_finite && known && denoising)
        return Words::tr("Stopped at step %1 to protect your time").arg(step);
    return title(error.code());
}

std::vector<Cure> curesOf(ErrorCode code) {
    const Cure again{CureAction::tryAgain, Words::tr("Try again")};
    const Cure close{CureAction::close, Words::tr("Close")};
    switch (code) {
        case ErrorCode::disk_full:
        case ErrorCode::output_exists:
            return {{CureAction::chooseFolder, Words::tr("Choose folder…")}, again};
        case ErrorCode::output_not_writable:
            return {{CureAction::chooseFolder, Words::tr("Choose folder…")},
                    {CureAction::useDefaultFolder, Words::tr("Use Videos › Kinescope")}};
        case ErrorCode::out_of_memory:
            return {{CureAction::useSmallerSize, Words::tr("Use a smaller size")},
                    {CureAction::useFewerFrames, Words::tr("Fewer frames")}};
        case ErrorCode::codec_missing:
            return {{CureAction::useOtherFormat, Words::tr("Use H.264")}, close};
        case ErrorCode::not_finite:
            return {{CureAction::showLog, Words::tr("Open the log")}, again};
        case ErrorCode::bad_request:
        case ErrorCode::bad_usage:
            return {close};
        default:
            return {again, close};
    }
}

std::vector<Cure> guardCures() {
    return {{CureAction::useGuard, Words::tr("Run again with the guard on")},
            {CureAction::showLog, Words::tr("Open the log")}};
}

}  // namespace

ErrorText errorText(const Error& error) {
    return {titleOf(error), errorSentence(error), wasOnlyObserved(error) ? guardCures() : curesOf(error.code()),
            ownWords(error)};
}

QString errorReport(const Error& error) {
    QStringList lines{QStringLiteral("code: %1").arg(QLatin1String(to_string(error.code()).data())),
                      QStringLiteral("message: %1").arg(text(error.message()))};
    if (!error.hint().empty()) lines << QStringLiteral("hint: %1").arg(text(error.hint()));
    for (const auto& [name, value] : error.arguments()) lines << QStringLiteral("%1: %2").arg(text(name), text(value));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace kinescope::ui
