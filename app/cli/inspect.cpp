#include <algorithm>
#include <array>
#include <cctype>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/json_values.h"
#include "app/cli/table.h"
#include "core/api/byte_size.h"
#include "core/api/video_request_json.h"

namespace kinescope::cli {
namespace {

constexpr std::array<std::string_view, 6> kVideoEndings = {".mp4", ".mkv", ".webm", ".mov", ".gif", ".png"};

/// A video or its frames; every other file and folder is taken for a model.
bool is_video(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return std::filesystem::exists(path / "00000.png", ignored);
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
    return std::find(kVideoEndings.begin(), kVideoEndings.end(), ending) != kVideoEndings.end();
}

/// Values as in JSON: a prompt may hold line breaks.
void print(std::ostream& out, const std::filesystem::path& video, const Json& settings) {
    out << "path    " << video.string() << "\nmade    by Kinescope, with these settings; generate --request "
        << "makes it again\n\n";
    Table table({"setting", "value"});
    for (const auto& [key, value] : settings.items()) table.add({key, one_line(value)});
    table.print(out);
}

int inspect_video(const Session& session, const std::filesystem::path& video) {
    const Json settings = request_document(make_quiet_engine(session)->read_settings(video));
    print_json(session, {{"path", video.string()}, {"request", settings}});
    if (session.format == OutputFormat::human) print(session.out, video, settings);
    return kDone;
}

Json texts(const std::vector<Sentence>& sentences) {
    Json all = Json::array();
    for (const Sentence& sentence : sentences) all.push_back(sentence.text);
    return all;
}

Json to_document(const CheckpointDescription& description) {
    Json components = Json::array();
    for (const ComponentDescription& component : description.components) {
        Json files = Json::array();
        for (const auto& file : component.files) files.push_back(file.string());
        Json dtypes = Json::object();
        for (const auto& [dtype, count] : component.dtypes) dtypes[dtype] = count;
        components.push_back({{"name", component.name},
                              {"kind", component.kind},
                              {"naming", component.naming},
                              {"files", files},
                              {"num_tensors", component.num_tensors},
                              {"num_parameters", component.num_parameters},
                              {"bytes", component.bytes},
                              {"dtypes", dtypes}});
    }
    return {{"path", description.path.string()},     {"layout", description.layout},
            {"model", to_json(description.card)},    {"components", components},
            {"missing", texts(description.missing)}, {"reasons", texts(description.reasons)}};
}

std::string format_dtypes(const ComponentDescription& component) {
    std::vector<std::string> words;
    for (const auto& [dtype, count] : component.dtypes) words.push_back(dtype + " x " + std::to_string(count));
    return join(words);
}

void print(std::ostream& out, const CheckpointDescription& description) {
    const ModelCard& card = description.card;
    out << "path    " << description.path.string() << "\nlayout  " << description.layout << "\nfamily  "
        << (card.family.empty() ? "not recognised" : card.family + ", " + card.variant) << "\n\n";
    Table table({"component", "class", "tensors", "parameters", "size", "dtypes", "names"});
    for (const ComponentDescription& component : description.components)
        table.add({component.name, component.kind, std::to_string(component.num_tensors),
                   std::to_string(component.num_parameters), format_byte_size(component.bytes),
                   format_dtypes(component), component.naming});
    table.print(out);
    if (!card.prompt_suffix.empty()) out << "appended to every prompt: " << card.prompt_suffix << '\n';
    for (const Sentence& part : description.missing) out << "missing: " << part.text << '\n';
    for (const Sentence& reason : description.reasons) out << "why: " << reason.text << '\n';
}

}  // namespace

int inspect(const Session& session, const std::filesystem::path& path) {
    if (is_video(path)) return inspect_video(session, path);
    const CheckpointDescription description = make_quiet_engine(session)->describe_checkpoint(path);
    print_json(session, to_document(description));
    if (session.format == OutputFormat::human) print(session.out, description);
    return kDone;
}

}  // namespace kinescope::cli
