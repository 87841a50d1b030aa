#include "core/remote/engine_end.h"

#include <array>
#include <utility>

#include "core/base/child_process.h"

namespace kinescope::remote {

namespace {

/// What a signal means to the user; empty: unknown.
std::string meaning_of(const std::string& signal) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kMeanings{
        {{"SIGSEGV", "it accessed memory that is not its own"},
         {"SIGBUS", "a file or memory that it used disappeared"},
         {"SIGFPE", "an invalid arithmetic operation, often in a driver"},
         {"SIGILL", "an instruction that this CPU does not have"},
         {"SIGABRT", "a library gave up"},
         {"SIGKILL", "it was killed from outside, often because the computer ran out of memory"}}};
    for (const auto& [name, meaning] : kMeanings)
        if (name == signal) return std::string(meaning);
    return {};
}

/// The driver's message.
std::string device_fault_in(const Error& error) {
    const std::string fault = error.argument("error");
    return fault.empty() ? error.message() : fault;
}

}  // namespace

LocalizableMessage cause_of(const EngineEnd& end) {
    if (!end.invalid_message.empty())
        return {"invalid_message",
                {{"fault", end.invalid_message}},
                "the engine sent an invalid message and was stopped: " + end.invalid_message};
    if (end.silent_seconds > 0) {
        const std::string seconds = std::to_string(static_cast<int>(end.silent_seconds));
        return {"silent", {{"seconds", seconds}}, "the engine did not answer for " + seconds + " s and was stopped"};
    }
    if (end.reason && end.reason->code() == ErrorCode::device_lost)
        return {"device_lost", {{"error", device_fault_in(*end.reason)}}, end.reason->message()};
    if (!end.status)
        return {"stuck",
                {},
                "the engine closed its output, but its process cannot be ended, probably because of a driver or a disk "
                "that does not answer"};
    if (end.status->signal == 0) {
        const std::string code = std::to_string(end.status->exit_code);
        return {"exit_code", {{"exit_code", code}}, "the engine ended with exit code " + code};
    }
    const std::string signal = signal_name(end.status->signal);
    const std::string meaning = meaning_of(signal);
    return {
        "signal", {{"signal", signal}}, "the engine was ended by " + signal + (meaning.empty() ? "" : ": " + meaning)};
}

Error lost_error(const LocalizableMessage& cause) {
    std::map<std::string, std::string> arguments = cause.values;
    arguments["cause"] = cause.code;
    return {ErrorCode::engine_lost, cause.text, "The finished steps are kept: continue the job.", arguments};
}

}  // namespace kinescope::remote
