#include "app/cli/request_arguments.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <utility>

#include "core/api/normal_path.h"
#include "core/api/video_request_json.h"
#include "core/base/png_name.h"
#include "core/base/regular_file.h"

namespace kinescope::cli {
namespace {

namespace fs = std::filesystem;

void make_absolute(fs::path& path) {
    if (!path.empty()) path = normal_path(fs::absolute(path));
}

/// Leaves a name that the folders of its kind resolve, see named_file.
void make_named_absolute(fs::path& path) {
    std::error_code ignored;
    if (path.has_parent_path() || fs::exists(path, ignored)) make_absolute(path);
}

void make_inputs_absolute(VideoRequest& request) {
    if (!request.model.empty() && request.model != kBuiltinModel)
        request.model = normal_path(fs::absolute(request.model)).string();
    for (auto& [name, file] : request.components) make_absolute(file);
    for (LoraRequest& lora : request.loras) make_named_absolute(lora.path);
    if (request.image) make_absolute(*request.image);
    if (request.last_image) make_absolute(*request.last_image);
    if (request.preview_decoder) make_absolute(*request.preview_decoder);
    for (FrameCondition& condition : request.conditions) make_absolute(condition.file);
    make_named_absolute(request.finish.upscaler);
    make_named_absolute(request.finish.interpolator);
    make_absolute(request.finish.audio.file);
    for (auto* path : {&request.video, &request.mask, &request.continue_video})
        if (*path) make_absolute(**path);
    for (fs::path& image : request.reference_images) make_absolute(image);
}

constexpr std::size_t kMostBytesOfText = std::size_t{64} << 20;

bool is_standard_input(const fs::path& file) {
    return file == "-" || file == "/dev/stdin";
}

std::string read_standard_input() {
    std::string text;
    std::array<char, 65536> part{};
    do {
        std::cin.read(part.data(), part.size());
        text.append(part.data(), static_cast<std::size_t>(std::cin.gcount()));
        if (text.size() > kMostBytesOfText)
            throw Error(ErrorCode::file_unreadable, "the text on standard input is longer than 64 MiB");
    } while (std::cin);
    return text;
}

ReadRequest read_request_file(const fs::path& file, Engine& engine) {
    ReadRequest read;
    if (file.extension() == ".jsonl")
        throw Error(ErrorCode::bad_usage, "'" + file.string() + "' is a batch with one request per line",
                    "kinescope-cli generate --batch generates its videos. For one of them, save its line as a .json "
                    "file.",
                    {{"path", file.string()}});
    if (file.extension() == ".json" || is_standard_input(file)) {
        read.faults = read_request(parse_request_object(read_text_file(file)), folder_of_names(file), read.request);
    } else {
        read.request = engine.videos().read_settings(file);
        read.request.output = without_files(read.request.output);
    }
    return read;
}

/// Refuses flags for an encoder, which PNG files do not have. Values from a request file or from the settings of a
/// video only get a note, because they may be meant for a video.
void refuse_encoding_of_pictures(const Json& flags, ReadRequest& read) {
    const fs::path& output = read.request.output.file;
    if (output.empty() || !names_png_output(output)) return;
    for (const char* field : {"codec", "crf"})
        if (flags.contains(field))
            read.faults.push_back(
                {field,
                 std::string(field) + " has no effect on PNG files; leave it out, or choose a format such as .mp4",
                 {}});
}

/// Values from a request file or from the settings of a video have no effect, either, but may be meant for an image
/// that is left out.
void refuse_fit_without_image(const Json& flags, ReadRequest& read) {
    const VideoRequest& request = read.request;
    if (!flags.contains("image_fit") || request.image || request.last_image || !request.conditions.empty()) return;
    read.faults.push_back({"image_fit", "image_fit has no effect without an image; leave it out", {}});
}

}  // namespace

ReadRequest apply_flags(VideoRequest request, const Json& flags) {
    ReadRequest read{.request = std::move(request), .faults = {}};
    read.faults = read_request(flags, {}, read.request);
    refuse_encoding_of_pictures(flags, read);
    refuse_fit_without_image(flags, read);
    make_inputs_absolute(read.request);
    return read;
}

ReadRequest read_arguments(const RequestArguments& arguments, Engine& engine) {
    ReadRequest base;
    if (!arguments.request_file.empty()) base = read_request_file(arguments.request_file, engine);
    ReadRequest read = apply_flags(std::move(base.request), arguments.flags);
    read.faults.insert(read.faults.begin(), base.faults.begin(), base.faults.end());
    return read;
}

void validate_with_card(ReadRequest& read, Engine& engine) {
    const auto add = [&read](Fault fault) {
        const auto same_field = [&fault](const Fault& other) { return other.field == fault.field; };
        if (std::none_of(read.faults.begin(), read.faults.end(), same_field)) read.faults.push_back(std::move(fault));
    };
    try {
        for (Fault& fault : validate(read.request, engine.catalog().card(read.request))) add(std::move(fault));
    } catch (const Error& error) {
        if (read.faults.empty()) throw;
        add({"model", error.message(), {}});
    }
}

std::string read_text_file(const fs::path& file) {
    return is_standard_input(file) ? read_standard_input() : read_regular_file(file, kMostBytesOfText);
}

fs::path folder_of_names(const fs::path& file) {
    return is_standard_input(file) ? fs::current_path() : fs::absolute(file).parent_path();
}

}  // namespace kinescope::cli
