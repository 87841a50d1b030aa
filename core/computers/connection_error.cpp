#include "core/computers/connection_error.h"

#include <array>
#include <string_view>

namespace kinescope::computers {

namespace {

/// A phrase in the output of ssh, a shell or kinescope-cli, and its meaning.
struct Symptom {
    std::string_view phrase;
    std::string_view cause;
    std::string_view sentence;
    std::string_view hint;
};

constexpr std::string_view kCheckCommand = "Run the command in a terminal to see the whole message.";

constexpr std::array<Symptom, 22> kSymptoms{{
    {"Could not resolve hostname", "unknown_host", "no computer has this name",
     "Check the name in the command, and whether this computer is in the same network."},
    {"No route to host", "unknown_host", "the network has no route to it", "Check whether it is switched on."},
    {"Connection timed out", "unknown_host", "it does not answer", "Check whether it is switched on."},
    {"Network is unreachable", "unknown_host", "this computer has no network", "Check the connection."},
    {"Connection refused", "refused", "no SSH server runs there", "Install and start an SSH server there."},
    {"REMOTE HOST IDENTIFICATION HAS CHANGED", "changed_key", "its SSH key has changed; another computer may answer",
     "If the change is expected, delete the old key with ssh-keygen -R."},
    {"Host key verification failed", "no_key", "SSH does not know the key of the computer",
     "Connect once with ssh in a terminal and confirm the key."},
    {"Permission denied", "no_key", "SSH was refused",
     "Set up a key that needs no password: ssh-keygen, then ssh-copy-id."},
    {"Too many authentication failures", "no_key", "SSH was refused", "Name the key in ~/.ssh/config."},
    {"error[disk_full]", "disk_full", "its disk is full", "Free some space there."},
    {"No space left on device", "disk_full", "its disk is full", "Free some space there."},
    {"Disk quota exceeded", "disk_full", "your quota there is used up", "Free some space there."},
    {"error[output_not_writable]", "not_writable", "its folder for jobs cannot be written", ""},
    {"Read-only file system", "not_writable", "its folder for jobs cannot be written", ""},
    {"Unknown arguments", "refused_options", "the options in the command are refused there",
     "Check their spelling, and that the same version of Kinescope is installed on both computers."},
    {"error[bad_usage]", "refused_options", "the options in the command are refused there", ""},
    {"is not an engine", "not_engine", "the command starts another program, or the shell there prints text",
     "The start files of a shell must print nothing. Run the command in a terminal to see what it prints."},
    {"error[unsupported]: Slurm's command", "no_slurm", "it is not a Slurm cluster", ""},
    {"this program is version", "other_version", "another version of Kinescope runs there",
     "Install the same version of Kinescope on both computers. An engine of the old version ends 10 minutes after its "
     "last job."},
    {"command not found", "no_program", "the program is not installed there, or not in its PATH",
     "Install Kinescope there, or write the full path of kinescope-cli in the command."},
    {": not found", "no_program", "the program is not installed there, or not in its PATH",
     "Install Kinescope there, or write the full path of kinescope-cli in the command."},
    {"No such file or directory", "no_program", "the program is not there",
     "Install Kinescope there, or write the full path of kinescope-cli in the command."},
}};

}  // namespace

Error connection_error(const std::string& computer, const Error& found) {
    const auto say = [&](std::string_view cause, const std::string& sentence, std::string_view hint) {
        return Error(ErrorCode::engine_lost,
                     "'" + computer + "' cannot be used: " + sentence + " (" + found.message() + ")", std::string(hint),
                     {{"computer", computer}, {"cause", std::string(cause)}});
    };
    if (found.code() == ErrorCode::bad_request || found.code() == ErrorCode::file_not_found)
        return say("no_program_here", "the command cannot be started", found.hint());
    if (found.code() == ErrorCode::unsupported && found.arguments().contains("engine"))
        return say("other_version", "another version of Kinescope runs there",
                   "Install the same version of Kinescope on both computers. An engine of the old version ends 10 "
                   "minutes after its last job.");
    for (const Symptom& symptom : kSymptoms)
        if (found.message().find(symptom.phrase) != std::string::npos)
            return say(symptom.cause, std::string(symptom.sentence),
                       symptom.hint.empty() ? found.hint() : symptom.hint);
    if (found.code() == ErrorCode::unsupported)
        return say("other_version", "another version of Kinescope runs there",
                   "Install the same version of Kinescope on both computers.");
    return say("other", "the command ended without an engine", kCheckCommand);
}

Error error_there(const std::string& computer, const Error& error) {
    // The engine of a connection has no store for files. Only `serve --keep` adds the calls for one.
    const auto lacks = [&error](const char* calls) {
        return error.message().find(std::string("unknown call \"") + calls) != std::string::npos;
    };
    if (error.code() == ErrorCode::unsupported && (lacks("files.") || lacks("cluster.") || lacks("jobs.submit_once")))
        return {ErrorCode::bad_request,
                "the engine of '" + computer + "' ends with the connection, so it cannot take jobs",
                "Add --keep to the command: kinescope-cli serve --keep.",
                {{"computer", computer}, {"cause", "not_kept"}}};
    auto arguments = error.arguments();
    arguments["computer"] = computer;
    return {error.code(), computer + ": " + error.message(), error.hint(), std::move(arguments)};
}

}  // namespace kinescope::computers
