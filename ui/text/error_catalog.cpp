#include "ui/text/error_catalog.h"

#include <QCoreApplication>
#include <QStringList>

#include "core/api/damaged_job.h"
#include "ui/text/computer_words.h"
#include "ui/text/error_message.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(ErrorCatalog)
};

bool wasOnlyObserved(const Error& error) {
    return errorArgument(error, "guard") == QLatin1String("observe");
}

QString engineText(const Error& error) {
    QStringList sentences{asSentence(text(error.message()))};
    // The hint names a command-line option; the window has a button for it instead.
    if (!wasOnlyObserved(error)) sentences << asSentence(text(error.hint()));
    sentences.removeAll(QString());
    return sentences.join(QLatin1Char(' '));
}

QString title(ErrorCode code) {
    switch (code) {
        case ErrorCode::cancelled:
            return Tr::tr("Stopped");
        case ErrorCode::bad_request:
        case ErrorCode::bad_usage:
            return Tr::tr("Invalid settings");
        case ErrorCode::file_not_found:
            return Tr::tr("File not found");
        case ErrorCode::file_unreadable:
            return Tr::tr("Can't read the file");
        case ErrorCode::file_changed:
            return Tr::tr("A file changed during the run");
        case ErrorCode::checkpoint_truncated:
            return Tr::tr("The model file is truncated");
        case ErrorCode::checkpoint_corrupt:
            return Tr::tr("The model file is damaged");
        case ErrorCode::component_missing:
            return Tr::tr("A component of the model is missing");
        case ErrorCode::missing_keys:
            return Tr::tr("Tensors are missing from the model file");
        case ErrorCode::wrong_shape:
            return Tr::tr("The model file does not match its configuration");
        case ErrorCode::model_unknown:
            return Tr::tr("Unknown model");
        case ErrorCode::lora_mismatch:
            return Tr::tr("This LoRA is for another model");
        case ErrorCode::bad_config:
            return Tr::tr("Invalid model configuration");
        case ErrorCode::tokenizer_invalid:
            return Tr::tr("Invalid tokenizer");
        case ErrorCode::unsupported:
            return Tr::tr("Not supported");
        case ErrorCode::device_unavailable:
            return Tr::tr("Device not available");
        case ErrorCode::device_lost:
            return Tr::tr("The GPU stopped working");
        case ErrorCode::engine_lost:
            return Tr::tr("The engine stopped unexpectedly");
        case ErrorCode::out_of_memory:
            return Tr::tr("Not enough memory");
        case ErrorCode::not_finite:
            return Tr::tr("Stopped because of invalid values (NaN or infinity)");
        case ErrorCode::frames_black:
            return Tr::tr("The frames are black");
        case ErrorCode::image_unreadable:
            return Tr::tr("Can't read the image");
        case ErrorCode::output_exists:
            return Tr::tr("The file already exists");
        case ErrorCode::output_not_writable:
            return Tr::tr("Can't write to the output folder");
        case ErrorCode::disk_full:
            return Tr::tr("Not enough disk space");
        case ErrorCode::codec_missing:
            return Tr::tr("Video format not available");
        case ErrorCode::encode_failed:
            return Tr::tr("Can't write the video file");
        case ErrorCode::no_settings:
            return Tr::tr("This video contains no settings");
        case ErrorCode::internal:
            return Tr::tr("Internal error");
    }
    return Tr::tr("An error occurred");
}

QString connectionTitle(const Error& error) {
    const QString computer = errorArgument(error, "computer");
    const QString cause = errorArgument(error, "cause");
    if (cause == QLatin1String("lost")) return Tr::tr("The connection to “%1” was lost").arg(computer);
    if (cause == QLatin1String("job_gone")) return Tr::tr("The job is no longer on “%1”").arg(computer);
    return Tr::tr("“%1” can't be used", "computer").arg(computer);
}

/// Returns the title of an error, with the step if the error contains it.
QString titleOf(const Error& error) {
    bool known = false;
    const int step = errorArgument(error, "step").toInt(&known);
    const QString phase = errorArgument(error, "phase");
    const bool denoising = phase.isEmpty() || phase == QLatin1String("denoise");
    if (wasOnlyObserved(error))
        return denoising ? Tr::tr("Invalid values (NaN or infinity) since step %1").arg(step)
                         : Tr::tr("Invalid values (NaN or infinity)");
    if (error.code() == ErrorCode::not_finite && known && denoising)
        return Tr::tr("Stopped at step %1 because of invalid values (NaN or infinity)").arg(step);
    if (error.code() == ErrorCode::engine_lost && isOfConnection(error)) return connectionTitle(error);
    if (isLoraAsModel(error)) return Tr::tr("This file is a LoRA");
    if (errorArgument(error, "cause") == QLatin1String(kDamagedJobCause)) return Tr::tr("The job is damaged");
    return title(error.code());
}

/// Returns true for an error of storage that the output folder has nothing to do with.
bool isOfOtherStorage(const Error& error) {
    return !errorArgument(error, "computer").isEmpty() || !errorArgument(error, "storage").isEmpty();
}

std::vector<Fix> fixesOf(const Error& error) {
    const Fix again{FixAction::tryAgain, Tr::tr("Try again")};
    const Fix close{FixAction::close, Tr::tr("Close")};
    switch (error.code()) {
        case ErrorCode::disk_full:
            if (isOfOtherStorage(error)) return {again};
            [[fallthrough]];
        case ErrorCode::output_exists:
            return {{FixAction::chooseFolder, Tr::tr("Choose folder…")}, again};
        case ErrorCode::output_not_writable:
            if (isOfOtherStorage(error)) return {again};
            return {{FixAction::chooseFolder, Tr::tr("Choose folder…")},
                    {FixAction::useDefaultFolder, Tr::tr("Use the folder Videos › Kinescope")}};
        case ErrorCode::out_of_memory:
            return {{FixAction::useSmallerSize, Tr::tr("Use a smaller size")},
                    {FixAction::useFewerFrames, Tr::tr("Use fewer frames")}};
        case ErrorCode::codec_missing:
            return {{FixAction::useOtherFormat, Tr::tr("Use H.264")}, close};
        case ErrorCode::not_finite:
            return {{FixAction::showLog, Tr::tr("Open the log")}, again};
        case ErrorCode::device_lost:
        case ErrorCode::engine_lost:
            return {{FixAction::tryAgain, Tr::tr("Continue")}, {FixAction::showLog, Tr::tr("Open the log")}};
        case ErrorCode::bad_request:
        case ErrorCode::bad_usage:
            return {close};
        default:
            return {again, close};
    }
}

std::vector<Fix> guardFixes() {
    return {{FixAction::useGuard, Tr::tr("Run again with the guard on")}, {FixAction::showLog, Tr::tr("Open the log")}};
}

}  // namespace

bool isLoraAsModel(const Error& error) {
    return error.code() == ErrorCode::model_unknown && errorArgument(error, "kind") == QLatin1String("lora");
}

ErrorText errorText(const Error& error) {
    return {titleOf(error), errorMessage(error), wasOnlyObserved(error) ? guardFixes() : fixesOf(error),
            engineText(error)};
}

QString errorReport(const Error& error) {
    QStringList lines{QStringLiteral("code: %1").arg(QLatin1String(to_string(error.code()).data())),
                      QStringLiteral("message: %1").arg(text(error.message()))};
    if (!error.hint().empty()) lines << QStringLiteral("hint: %1").arg(text(error.hint()));
    for (const auto& [name, value] : error.arguments()) lines << QStringLiteral("%1: %2").arg(text(name), text(value));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace kinescope::ui
