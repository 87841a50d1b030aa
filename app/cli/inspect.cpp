#include <algorithm>
#include <array>
#include <cctype>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/interrupt.h"
#include "app/cli/json_values.h"
#include "app/cli/table.h"
#include "core/api/byte_size.h"
#include "core/api/joined.h"
#include "core/api/video_endings.h"
#include "core/api/video_request_json.h"

namespace kinescope::cli {
namespace {

/// Returns true for a video file or a folder of frames. All other paths are treated as models.
bool is_video(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return std::filesystem::exists(path / "00000.png", ignored);
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
    return ending == ".png" || std::ranges::find(kReadVideoEndings, ending) != kReadVideoEndings.end();
}

/// Layouts of files that are used with a model, but are none.
constexpr std::array<std::string_view, 4> kNoModels = {"LoRA", "upscaler", "interpolator", "tiny decoder"};

bool passed(const FileCheck& check) {
    return !check.is_another_file() && !check.has_damage();
}

/// Returns the last step of a video that was decoded early; 0 if all steps ran or the file cannot be described.
int stopped_step_of(Engine& engine, const std::filesystem::path& video) {
    try {
        return engine.videos().describe_video(video).stopped_after_step;
    } catch (const Error&) {
        return 0;  // the settings of a damaged video can still be shown
    }
}

/// Prints values as JSON, because a prompt may contain line breaks.
void print(std::ostream& out, const std::filesystem::path& video, const Json& settings, int stopped_after_step) {
    out << "path    " << video.string() << "\nmade    by Kinescope with these settings";
    if (stopped_after_step > 0)
        out << ", but stopped after step " << stopped_after_step
            << "; generate --request runs all steps and makes another video\n\n";
    else
        out << "; to repeat: generate --request recreates it\n\n";
    Table table({"setting", "value"});
    for (const auto& [key, value] : settings.items()) table.add({key, one_line(value)});
    table.print(out);
}

int inspect_video(const Session& session, const std::filesystem::path& video) {
    const auto engine = make_quiet_engine(session);
    const Json settings = request_document(engine->videos().read_settings(video));
    const int stopped_after_step = stopped_step_of(*engine, video);
    Json document = {{"path", video.string()}, {"request", settings}};
    if (stopped_after_step > 0) document["stopped_after_step"] = stopped_after_step;
    print_json(session, document);
    if (session.format == OutputFormat::human) print(session.out, video, settings, stopped_after_step);
    return kDone;
}

Json to_document(const FileCheck& check) {
    Json faults = Json::array();
    for (const WeightFault& fault : check.faults)
        faults.push_back({{"tensor", fault.tensor},
                          {"dtype", fault.dtype},
                          {"count", fault.count},
                          {"non_finite", fault.non_finite},
                          {"bad_scales", fault.bad_scales},
                          {"saturated", fault.saturated}});
    return {{"file", check.file.string()}, {"bytes", check.bytes},
            {"sha256", check.sha256},      {"published_sha256", check.published},
            {"checked", check.checked},    {"num_tensors", check.num_tensors},
            {"passed", passed(check)},     {"faults", faults}};
}

Json texts(const std::vector<LocalizableMessage>& sentences) {
    Json all = Json::array();
    for (const LocalizableMessage& sentence : sentences) all.push_back(sentence.text);
    return all;
}

Json to_document(const CheckpointDescription& description) {
    Json components = Json::array();
    for (const ComponentDescription& component : description.components) {
        Json files = Json::array();
        for (const auto& file : component.files) files.push_back(file.string());
        Json checks = Json::array();
        for (const FileCheck& check : component.checks) checks.push_back(to_document(check));
        Json dtypes = Json::object();
        for (const auto& [dtype, count] : component.dtypes) dtypes[dtype] = count;
        components.push_back({{"name", component.name},
                              {"kind", component.kind},
                              {"naming", component.naming},
                              {"files", files},
                              {"num_tensors", component.num_tensors},
                              {"num_parameters", component.num_parameters},
                              {"bytes", component.bytes},
                              {"dtypes", dtypes},
                              {"checks", checks}});
    }
    return {{"path", description.path.string()},     {"layout", description.layout},
            {"model", to_json(description.card)},    {"components", components},
            {"missing", texts(description.missing)}, {"reasons", texts(description.reasons)}};
}

std::string format_dtypes(const ComponentDescription& component) {
    return joined(component.dtypes, ", ",
                  [](const auto& dtype) { return dtype.first + " x " + std::to_string(dtype.second); });
}

void print(std::ostream& out, const FileCheck& check) {
    out << "checked: " << check.file.string() << ": " << check.num_tensors << " tensors, sha256 " << check.sha256;
    if (check.published.empty())
        out << '\n';
    else
        out << (check.is_another_file() ? ", DIFFERS from the published " + check.published : ", as published") << '\n';
    for (const WeightFault& fault : check.faults)
        out << "  " << fault.tensor << " (" << fault.dtype << "): " << fault.non_finite << " of " << fault.count
            << " values are NaN or infinite, " << fault.bad_scales << " scales are 0 or negative, " << fault.saturated
            << " values are saturated\n";
}

void print(std::ostream& out, const CheckpointDescription& description) {
    const ModelCard& card = description.card;
    out << "path    " << description.path.string() << "\nlayout  " << description.layout << '\n';
    if (std::ranges::find(kNoModels, description.layout) == kNoModels.end())
        out << "family  " << (card.family.empty() ? "not recognized" : card.family + ", " + card.variant) << '\n';
    out << '\n';
    Table table({"component", "class", "tensors", "parameters", "size", "dtypes", "names"});
    for (const ComponentDescription& component : description.components)
        table.add({component.name, component.kind, std::to_string(component.num_tensors),
                   std::to_string(component.num_parameters), format_byte_size(component.bytes),
                   format_dtypes(component), component.naming});
    table.print(out);
    if (!card.prompt_suffix.empty()) out << "appended to every prompt: " << card.prompt_suffix << '\n';
    for (const LocalizableMessage& part : description.missing) out << "missing: " << part.text << '\n';
    for (const LocalizableMessage& reason : description.reasons) out << "why: " << reason.text << '\n';
    for (const ComponentDescription& component : description.components)
        for (const FileCheck& check : component.checks) print(out, check);
}

/// Cancels the running file check on Ctrl+C.
class CheckInterrupter final : public RunObserver {
public:
    void watch(ModelCatalog& catalog) { catalog_ = &catalog; }
    void on_event(JobId, const RunEvent& event) override {
        const auto* progress = std::get_if<FileCheckProgress>(&event);
        if (progress != nullptr && interrupt_.interrupt() != Interrupt::none) catalog_->cancel_check(progress->check);
    }

private:
    const InterruptGuard interrupt_;
    ModelCatalog* catalog_ = nullptr;
};

/// Checks every weight file of a model.
void check_weights(const Session& session, CheckpointDescription& description) {
    CheckInterrupter interrupter;
    const auto engine = make_engine_without_queue(session, interrupter);
    interrupter.watch(engine->catalog());
    CheckId id = 0;
    for (ComponentDescription& component : description.components) {
        component.checks.clear();
        if (component.num_tensors == 0) continue;
        for (const auto& file : component.files) component.checks.push_back(engine->catalog().check_file(file, ++id));
    }
}

/// Returns the exit code. Damaged weights take precedence over a wrong checksum.
int verdict(const CheckpointDescription& description) {
    int code = kDone;
    for (const ComponentDescription& component : description.components)
        for (const FileCheck& check : component.checks) {
            if (check.has_damage()) return kNumericFailure;
            if (!passed(check)) code = kFailed;
        }
    return code;
}

}  // namespace

int inspect(const Session& session, const InspectArguments& arguments) {
    if (arguments.path.extension() == ".jsonl")
        throw Error(ErrorCode::bad_request,
                    "'" + arguments.path.string() + "' is a numeric log or a batch, not a model or a video",
                    "kinescope-cli compare compares two numeric logs.", {{"path", arguments.path.string()}});
    if (is_video(arguments.path)) return inspect_video(session, arguments.path);
    CheckpointDescription description = make_quiet_engine(session)->catalog().describe_checkpoint(arguments.path);
    if (arguments.depth == InspectDepth::values) check_weights(session, description);
    print_json(session, to_document(description));
    if (session.format == OutputFormat::human) print(session.out, description);
    return arguments.depth == InspectDepth::values ? verdict(description) : kDone;
}

}  // namespace kinescope::cli
