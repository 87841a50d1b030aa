// Options of the commands that examine files and results: inspect, verify and compare.
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/options/command_options.h"
#include "app/cli/options/command_parser.h"
#include "app/cli/options/option_parts.h"

namespace kinescope::cli {
namespace {

constexpr int kMostCases = 1'000'000;  ///< folders of one call of `verify`

}  // namespace

void add_inspect(CommandParser& parser) {
    CLI::App& command = parser.add("inspect", "Describe a model file or folder, or show the settings of a video");
    const auto arguments = std::make_shared<InspectArguments>();
    command.add_option("path", arguments->path, "Model folder or file, video, or folder of PNG frames")
        ->required()
        ->type_name("PATH");
    command.add_flag_callback(
        "--weights", [arguments] { arguments->depth = InspectDepth::values; },
        "Read every weight file in full: verify its SHA-256 and find invalid values (NaN, infinity)");
    parser.set_action(command, [arguments](const Session& session) { return inspect(session, *arguments); });
}

void add_verify(CommandParser& parser) {
    CLI::App& command = parser.add("verify", "Replay golden cases and compare them with the reference");
    const auto arguments = std::make_shared<VerifyArguments>();
    // The large minimum lets CLI11 take any number of folders without allow_extra_args(), with which a folder named
    // "[a,b]" would be two. Fewer folders are allowed, because TakeAll does not check the minimum.
    command.add_option("case_dirs", arguments->case_dirs, "Folders with request.json and expected.safetensors")
        ->required()
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->expected(kMostCases, CLI::detail::expected_max_vector_size)
        ->allow_extra_args(false)
        ->type_name("CASE_DIR");
    command.add_option("--device", arguments->options.device, "Compute device (default: cpu)")
        ->type_name("auto|cpu|cuda|cuda:N|mps");
    command.add_option("--dtype", arguments->options.dtype, "Compute dtype of every component (default: fp32)")
        ->check(CLI::IsMember({"fp32", "bf16", "fp16"}))
        ->type_name("fp32|bf16|fp16");
    parser.set_action(command, [arguments](const Session& session) { return verify(session, *arguments); });
}

void add_compare(CommandParser& parser) {
    CLI::App& command =
        parser.add("compare",
                   "Find the first difference between two numeric logs or two videos. Logs that reach different "
                   "steps, or share less than half of the smaller one, do not pass");
    const auto arguments = std::make_shared<CompareArguments>();
    command.add_option("a", arguments->a, "A numeric log (.jsonl), a video or a folder of PNG frames")
        ->required()
        ->type_name("A");
    command.add_option("b", arguments->b, "Another log, video or folder")->required()->type_name("B");
    command
        .add_option("--tolerance", arguments->tolerance,
                    "Relative tolerance of the statistics of numeric logs (default: 0.001)")
        ->check(finite_fault)
        ->type_name("X");
    command.add_option("--psnr", arguments->psnr_db, "Minimum PSNR of a frame of videos in dB (default: 40)")
        ->check(finite_fault)
        ->type_name("DB");
    parser.set_action(command, [arguments](const Session& session) { return compare(session, *arguments); });
}

}  // namespace kinescope::cli
