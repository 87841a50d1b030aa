// Options of the commands about this computer: its devices, its models and their presets.
#include <map>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/options/command_options.h"
#include "app/cli/options/command_parser.h"
#include "app/cli/options/option_parts.h"

namespace kinescope::cli {
namespace {

const std::map<std::string, GpuSupportAction> kGpuSupportActions = {
    {"status", GpuSupportAction::status}, {"install", GpuSupportAction::install}, {"remove", GpuSupportAction::remove}};

struct GpuSupportWords {
    std::string action = "status";
    GpuSupportArguments arguments;
};

}  // namespace

void add_doctor(CommandParser& parser) {
    CLI::App& command = parser.add("doctor", "Check devices and libraries for problems, including wrong results");
    const auto arguments = std::make_shared<DoctorArguments>();
    command.add_flag_callback(
        "--fresh", [arguments] { arguments->canary = CanaryMode::fresh; },
        "Test every device again instead of using cached results");
    command.add_flag_callback(
        "--forget-overrides", [arguments] { arguments->overrides = OverrideAction::forget; },
        "Delete all precision overrides that the guard learned in earlier runs");
    parser.set_action(command, [arguments](const Session& session) { return doctor(session, *arguments); });
}

void add_gpu_support(CommandParser& parser) {
    CLI::App& command = parser.add("gpu-support", "Install or remove the support files for NVIDIA graphics cards");
    const auto words = std::make_shared<GpuSupportWords>();
    command.add_option("action", words->action, "install, remove or status (default: status)")
        ->check(CLI::IsMember({"install", "remove", "status"}))
        ->type_name("ACTION");
    command.add_option("--index", words->arguments.index, "Python package index to download from")->type_name("URL");
    command.add_flag_callback(
        "--without-driver", [words] { words->arguments.driver = DriverCheck::skipped; },
        "Install even if no usable NVIDIA driver is found");
    parser.set_action(command, [words, &command](const Session& session) {
        GpuSupportArguments given = words->arguments;
        given.action = kGpuSupportActions.at(words->action);
        if (given.action != GpuSupportAction::install)
            refuse_options(command, {"--index", "--without-driver"}, "on gpu-support " + words->action);
        given.progress = unless_quiet(given.progress, session);
        return gpu_support(session, given);
    });
}

void add_devices(CommandParser& parser) {
    parser.set_action(parser.add("devices", "List compute devices"), list_devices);
}

void add_models(CommandParser& parser) {
    parser.set_action(
        parser.add("models",
                   "List the models in the model folders, KINESCOPE_MODELS, and ComfyUI's extra_model_paths.yaml"),
        list_models);
}

void add_presets(CommandParser& parser) {
    CLI::App& command = parser.add("presets", "List presets with their settings and drawbacks");
    const auto arguments = std::make_shared<PresetsArguments>();
    command.add_option("--model", arguments->model, "Model for which to list presets (default: builtin)")
        ->type_name("builtin|DIR|FILE");
    command
        .add_option("--device", arguments->device,
                    "Compute device (default: auto), or a description of one, such as sm89:24GiB")
        ->type_name("auto|cpu|cuda|cuda:N|mps");
    parser.set_action(command, [arguments](const Session& session) { return list_presets(session, *arguments); });
}

}  // namespace kinescope::cli
