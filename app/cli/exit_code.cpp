#include "app/cli/exit_code.h"

#include "core/api/killed_reader.h"
#include "core/api/wrong_address.h"

namespace kinescope::cli {

namespace {

enum class Cause {
    input,    ///< the command line, the request or a file that it names is wrong: missing, damaged or unsuitable
    place,    ///< what the request asks for is not possible here; usually detected before the run starts
    user,     ///< cancelled
    numbers,  ///< a numeric fault
    run       ///< everything else
};

Cause cause_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::bad_request:
        case ErrorCode::bad_usage:
        case ErrorCode::file_not_found:
        case ErrorCode::file_unreadable:
        case ErrorCode::image_unreadable:
        case ErrorCode::checkpoint_truncated:
        case ErrorCode::checkpoint_corrupt:
        case ErrorCode::component_missing:
        case ErrorCode::missing_keys:
        case ErrorCode::wrong_shape:
        case ErrorCode::bad_config:
        case ErrorCode::tokenizer_invalid:
        case ErrorCode::model_unknown:
        case ErrorCode::lora_mismatch:
        case ErrorCode::unsupported:
        case ErrorCode::no_settings:
            return Cause::input;
        case ErrorCode::device_unavailable:
        case ErrorCode::output_exists:
        case ErrorCode::output_not_writable:
        case ErrorCode::codec_missing:
            return Cause::place;
        case ErrorCode::cancelled:
            return Cause::user;
        case ErrorCode::not_finite:
        case ErrorCode::frames_black:
            return Cause::numbers;
        case ErrorCode::file_changed:
        case ErrorCode::device_lost:
        case ErrorCode::engine_lost:
        case ErrorCode::out_of_memory:
        case ErrorCode::disk_full:
        case ErrorCode::encode_failed:
        case ErrorCode::internal:
            return Cause::run;
    }
    return Cause::run;
}

}  // namespace

ExitCode exit_code_of(ErrorCode code) {
    switch (cause_of(code)) {
        case Cause::input:
        case Cause::place:
            return kBadRequest;
        case Cause::user:
            return kCancelled;
        case Cause::numbers:
            return kNumericFailure;
        case Cause::run:
            return kFailed;
    }
    return kFailed;
}

ExitCode exit_code_of(const Error& error) {
    const bool is_of_download = error.arguments().contains("url") && error.argument("cause") != kWrongAddress;
    if (is_of_download || error.arguments().contains("kept") || is_of_killed_reader(error)) return kFailed;
    // A request that needs more memory than it allows is refused before anything starts.
    const bool is_refused = error.code() == ErrorCode::out_of_memory && error.arguments().contains("program");
    return is_refused ? kBadRequest : exit_code_of(error.code());
}

ExitCode exit_code_of(const Error& error, RunProgress progress) {
    const ExitCode exit_code = exit_code_of(error);
    if (exit_code != kBadRequest || progress == RunProgress::not_started) return exit_code;
    return progress == RunProgress::no_step && cause_of(error.code()) == Cause::input ? kBadRequest : kFailed;
}

}  // namespace kinescope::cli
