#include "core/computers/connection_error.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string_view>

#include "core/remote/handshake.h"

namespace kinescope::computers {

namespace {

/// A phrase in the output of ssh, a shell or kinescope-cli, and its meaning.
struct Symptom {
    std::string_view phrase;
    std::string_view cause;
    std::string_view sentence;
    std::string_view hint;
};

/// Says more than the sentence about the folder for jobs.
constexpr std::string_view kStorageNotUsable = "the shared storage is not usable";

constexpr std::string_view kCheckCommand = "Run the command in a terminal to see the whole message.";

/// Messages of kinescope-cli on the other computer.
constexpr std::array<Symptom, 9> kSymptomsOfProgram{{
    {"error[disk_full]: Your disk quota", "disk_full", "your quota there is used up", "Free some space there."},
    {"error[disk_full]: the shared storage", "storage_full", "its shared storage is full",
     "Free some space there, or ask for a larger quota."},
    {"error[disk_full]", "disk_full", "its disk is full", "Free some space there."},
    {"error[output_not_writable]", "not_writable", "its folder for jobs cannot be written", ""},
    {"Unknown arguments", "refused_options", "the options in the command are refused there",
     "Check their spelling, and that the same version of Kinescope is installed on both computers."},
    {"is not an engine", "not_engine", "the command starts another program, or the shell there prints text",
     "The start files of a shell must print nothing. Run the command in a terminal to see what it prints."},
    {"error[unsupported]: Slurm's command", "no_slurm", "it is not a Slurm cluster", ""},
    {"this program is version", "other_version", "another version of Kinescope runs there",
     "Install the same version of Kinescope on both computers. An engine of the old version ends 10 minutes after its "
     "last job."},
    {"No space left on device", "disk_full", "its disk is full", "Free some space there."},
}};

/// Messages of ssh and of shells.
constexpr std::array<Symptom, 15> kSymptomsOfShell{{
    {"Could not resolve hostname", "unknown_host", "no computer has this name",
     "Check the name in the command, and whether this computer is in the same network."},
    {"No route to host", "unknown_host", "the network has no route to it", "Check whether it is switched on."},
    {"Connection timed out", "unknown_host", "it does not answer", "Check whether it is switched on."},
    {"Network is unreachable", "unknown_host", "this computer has no network", "Check the connection."},
    {"Connection refused", "refused", "no SSH server runs there", "Install and start an SSH server there."},
    {"REMOTE HOST IDENTIFICATION HAS CHANGED", "changed_key", "its SSH key has changed; another computer may answer",
     "If the change is expected, delete the old key with ssh-keygen -R."},
    {"Host key verification failed", "unknown_key", "SSH does not know the key of the computer",
     "Connect once with ssh in a terminal and confirm the key."},
    {"Permission denied", "no_key", "SSH was refused",
     "Set up a key that needs no password: ssh-keygen, then ssh-copy-id."},
    {"Too many authentication failures", "no_key", "SSH was refused", "Name the key in ~/.ssh/config."},
    {"Disk quota exceeded", "disk_full", "your quota there is used up", "Free some space there."},
    {"Read-only file system", "not_writable", "its folder for jobs cannot be written", ""},
    {"command not found", "no_program", "the program is not installed there, or not in its PATH",
     "Install Kinescope there, or write the full path of kinescope-cli in the command."},
    {": not found", "no_program", "the program is not installed there, or not in its PATH",
     "Install Kinescope there, or write the full path of kinescope-cli in the command."},
    {"No such file or directory", "no_program", "the program is not there",
     "Install Kinescope there, or write the full path of kinescope-cli in the command."},
    {"' runs, but it does not greet", "no_greeting", "the command runs, but no engine answers", kCheckCommand},
}};

const Symptom* symptom_in(const std::string& message, std::span<const Symptom> table) {
    const auto found = std::ranges::find_if(
        table, [&message](const Symptom& symptom) { return message.find(symptom.phrase) != std::string::npos; });
    return found == table.end() ? nullptr : &*found;
}

/// The last error of kinescope-cli in its output, whose lines are separated by "; ".
struct Refusal {
    std::string text;
    std::string hint;
};
std::optional<Refusal> refusal_in(const std::string& output) {
    constexpr std::string_view kHint = "; hint: ";
    const auto error = output.rfind("error[");
    const auto end_of_code = error == std::string::npos ? error : output.find("]: ", error);
    if (end_of_code == std::string::npos) return std::nullopt;
    const std::string text = output.substr(end_of_code + 3);
    const auto hint = text.find(kHint);
    if (hint == std::string::npos) return Refusal{text, {}};
    return Refusal{text.substr(0, hint), text.substr(hint + kHint.size())};
}

}  // namespace

Error connection_error(const std::string& computer, const Error& found) {
    const auto refusal = refusal_in(found.message());
    const std::string detail = refusal ? refusal->text : found.message();
    const std::string own_hint = refusal ? refusal->hint : found.hint();
    const auto lines = found.arguments().find("lines");
    const auto say = [&](std::string_view cause, const std::string& sentence, std::string_view hint) {
        std::map<std::string, std::string> arguments{{"computer", computer}, {"cause", std::string(cause)}};
        if (lines != found.arguments().end()) arguments.insert(*lines);
        return Error(ErrorCode::engine_lost, "'" + computer + "' cannot be used: " + sentence + " (" + detail + ")",
                     std::string(hint), std::move(arguments));
    };
    if (found.code() == ErrorCode::bad_request || found.code() == ErrorCode::file_not_found)
        return say("no_program_here", "the command cannot be started", found.hint());
    if (remote::is_other_version(found)) {
        const Error error = say("other_version", "another version of Kinescope runs there",
                                "Install the same version of Kinescope on both computers. An engine of the old version "
                                "ends 10 minutes after its last job.");
        auto arguments = error.arguments();
        arguments.insert(found.arguments().begin(), found.arguments().end());
        return {error.code(), error.message(), error.hint(), std::move(arguments)};
    }
    const auto say_symptom = [&](const Symptom& symptom) {
        return say(symptom.cause, std::string(symptom.sentence), symptom.hint.empty() ? own_hint : symptom.hint);
    };
    const bool names_storage = refusal && refusal->text.starts_with(kStorageNotUsable) &&
                               found.message().find("error[output_not_writable]") != std::string::npos;
    const Symptom* symptom = names_storage ? nullptr : symptom_in(found.message(), kSymptomsOfProgram);
    if (symptom != nullptr) return say_symptom(*symptom);
    if (refusal)
        return {ErrorCode::engine_lost,
                "'" + computer + "' cannot be used: " + refusal->text,
                refusal->hint,
                {{"computer", computer}, {"cause", "refusal"}, {"refusal", refusal->text}}};
    symptom = symptom_in(found.message(), kSymptomsOfShell);
    if (symptom != nullptr) return say_symptom(*symptom);
    if (found.code() == ErrorCode::unsupported)
        return say("other_version", "another version of Kinescope runs there",
                   "Install the same version of Kinescope on both computers.");
    return say("other", "the command ended without an engine", kCheckCommand);
}

Error error_there(const std::string& computer, const Error& error) {
    // The engine of a connection has no store for files. Only `serve --keep` adds the calls for one.
    const auto lacks = [call = error.argument("unknown_call")](std::string_view calls) {
        return call.starts_with(calls);
    };
    if (lacks("files.") || lacks("cluster.") || lacks("jobs.submit_once"))
        return {ErrorCode::bad_request,
                "the engine of '" + computer + "' ends with the connection, so it cannot take jobs",
                "Add --keep to the command: kinescope-cli serve --keep.",
                {{"computer", computer}, {"cause", "not_kept"}}};
    auto arguments = error.arguments();
    arguments["computer"] = computer;
    return {error.code(), computer + ": " + error.message(), error.hint(), std::move(arguments)};
}

}  // namespace kinescope::computers
