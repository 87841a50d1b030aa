// Options of the commands that write a copy of a video: export and finish.
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/commands.h"
#include "app/cli/options/command_options.h"
#include "app/cli/options/command_parser.h"
#include "app/cli/options/option_parts.h"

namespace kinescope::cli {
namespace {

void add_clip(CLI::App& command, std::filesystem::path& video) {
    command.add_option("clip", video, "A video, a GIF or a folder of PNG frames")->required()->type_name("CLIP");
}

CLI::Option* add_crf(CLI::App& command, std::optional<int>& crf) {
    return command.add_option("--crf", crf, "Quality, 0 (best) to 51 (H.264, H.265) or 63")
        ->transform(decimal())
        ->type_name("N");
}

void add_file_choices(CLI::App& command, OutputRequest& output, const char* without_settings) {
    command.add_flag_callback(
        "--overwrite", [&output] { output.overwrite = OverwriteMode::overwrite; }, "Replace existing output files");
    command.add_flag_callback(
        "--without-settings", [&output] { output.settings = SettingsInFile::left_out; }, without_settings);
}

void add_frame_steps(CLI::App& command, FinishSteps& steps) {
    command
        .add_option("--upscale", steps.upscaler,
                    "Upscaler: ESRGAN, Real-ESRGAN or SRVGGNetCompact (.pth or .safetensors)")
        ->type_name("FILE");
    command
        .add_option("--upscale-factor", steps.upscale_factor, "Enlargement factor, 1 to 8 (default: the upscaler's)")
        ->transform(decimal())
        ->type_name("N");
    command
        .add_option("--interpolate", steps.interpolator, "Interpolator: RIFE 4.7 to 4.26 (.pth, .pkl or .safetensors)")
        ->type_name("FILE");
    CLI::Option* factor = command
                              .add_option("--interpolation-factor,--factor", steps.interpolation_factor,
                                          "How many times the frame rate of the source, 2 to 16 (default: 2)")
                              ->transform(decimal())
                              ->type_name("N");
    command.add_option("--interpolation-fps,--fps", steps.interpolation_fps, "Frame rate of the result, 1 to 240")
        ->excludes(factor)
        ->transform(decimal())
        ->type_name("N");
}

void add_audio(CLI::App& command, AudioRequest& audio) {
    command.add_option("--audio", audio.file, "Replace the sound with that of this file")->type_name("FILE");
    command.add_option("--audio-start", audio.start, "Leave out this much at the start of the audio")
        ->type_name("SECONDS");
    command.add_option("--audio-fade-in", audio.fade_in, "Fade the audio in")->type_name("SECONDS");
    command.add_option("--audio-fade-out", audio.fade_out, "Fade the audio out before its end")->type_name("SECONDS");
    command.add_flag_callback(
        "--audio-loop", [&audio] { audio.length = AudioLength::loop; }, "Repeat audio that is shorter than the video");
}

void add_computation(CLI::App& command, FinishRequest& request) {
    command.add_option("--device", request.device, "Compute device (default: auto)")
        ->type_name("auto|cpu|cuda|cuda:N|mps");
    command.add_option("--threads", request.threads, "Number of CPU threads (default: physical cores)")
        ->transform(decimal())
        ->type_name("N");
    command
        .add_option("--tile", request.tile,
                    "Side of the tiles that are enlarged, 64 to 2048 px (default: 256); smaller tiles need less memory")
        ->transform(decimal())
        ->check(CLI::Range(64, 2048))
        ->needs(command.get_option("--upscale"))
        ->type_name("PX");
}

std::map<std::string, std::string> finish_aliases(const CommandParser& parser) {
    std::map<std::string, std::string> aliases;
    if (parser.is_typed("--factor")) aliases["interpolation_factor"] = "--factor";
    if (parser.is_typed("--fps")) aliases["interpolation_fps"] = "--fps";
    return aliases;
}

}  // namespace

void add_export(CommandParser& parser) {
    CLI::App& command = parser.add("export", "Write a copy of a video in another format");
    const auto request = std::make_shared<ExportRequest>();
    add_clip(command, request->video);
    command
        .add_option("output", request->output.file,
                    "File whose extension selects the format (.mp4, .mkv, .mov, .webm, .gif), or a folder for PNG "
                    "frames")
        ->required()
        ->type_name("OUT");
    command.add_option("--codec", request->output.codec, "FFmpeg encoder, e.g. prores_ks")->type_name("NAME");
    add_crf(command, request->output.crf)->check(CLI::Range(0, 63));
    add_file_choices(command, request->output, "Omit the settings that the metadata of the video contains");
    parser.set_action(command, [request](const Session& session) { return export_clip(session, *request); });
}

void add_finish(CommandParser& parser) {
    CLI::App& command = parser.add("finish", "Enlarge and interpolate the frames of a video, or give it other sound");
    const auto arguments = std::make_shared<FinishArguments>();
    FinishRequest& request = arguments->request;
    add_clip(command, request.video);
    add_frame_steps(command, request.steps);
    add_audio(command, request.steps.audio);
    command
        .add_option("--output,-o", request.output.file,
                    "Output: .mp4, .mkv, .webm, .mov or .gif file, a .png file for a single frame, or a folder for PNG "
                    "frames")
        ->required()
        ->type_name("FILE");
    command.add_option("--codec", request.output.codec, "FFmpeg encoder, e.g. libx264")->type_name("NAME");
    add_crf(command, request.output.crf);
    add_file_choices(command, request.output, "Leave out the metadata of the source");
    add_computation(command, request);
    add_progress(command, arguments->progress);
    parser.set_action(command, [&parser, arguments](const Session& session) {
        FinishArguments given = *arguments;
        given.aliases = finish_aliases(parser);
        given.progress = unless_quiet(given.progress, session);
        return finish(session, given);
    });
}

}  // namespace kinescope::cli
