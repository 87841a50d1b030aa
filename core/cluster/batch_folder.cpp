#include "core/cluster/batch_folder.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <random>
#include <sstream>

#include "core/api/normal_path.h"
#include "core/api/utf8.h"
#include "core/api/video_request_json.h"
#include "core/base/atomic_file.h"
#include "core/base/file_presence.h"
#include "core/base/full_disk.h"
#include "core/base/regular_file.h"
#include "core/base/utc_time.h"
#include "core/cluster/shell_text.h"

namespace kinescope::cluster {

namespace {

namespace fs = std::filesystem;

constexpr int kFormat = 1;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{512} << 20;
constexpr const char* kDecodeNow = "decode_now";
constexpr const char* kReasons[] = {"first", "automatic", "resumed"};

/// Runs `read`. Errors of the JSON library name the file.
template <class Read>
auto read_guarded(const fs::path& file, Read read) {
    const auto damaged = [&file](const char* reason) {
        return Error(ErrorCode::bad_config, file.string() + " is not usable: " + reason,
                     "The file is damaged, or another version of Kinescope wrote it.", {{"path", file.string()}});
    };
    try {
        return read();
    } catch (const Json::exception& error) {
        throw damaged(error.what());
    } catch (const JsonError& error) {
        throw damaged(error.what());
    }
}

std::string dumped(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string draw_id() {
    return fmt::format("{:08x}", std::random_device{}());
}

std::string line_of(const VideoTask& task) {
    Json files = Json::array();
    for (const WantedFile& file : task.files) files.push_back({{"name", file.name}, {"target", file.target.string()}});
    return dumped({{"request", parse_json(to_json(task.request))},
                   {"files", files},
                   {"overwrite", task.overwrite == OverwriteMode::overwrite}}) +
           "\n";
}

VideoTask task_from(const std::string& line, const fs::path& file) {
    return read_guarded(file, [&] {
        const Json json = parse_json(line);
        VideoTask task;
        task.request = parse_request(dumped(json.at("request")), {});
        for (const Json& one : json.at("files"))
            task.files.push_back({one.at("name"), one.at("target").get<std::string>()});
        task.overwrite = json.at("overwrite").get<bool>() ? OverwriteMode::overwrite : OverwriteMode::refuse;
        return task;
    });
}

/// JSON holds text in UTF-8 only. A name in another encoding would come back as another file.
void require_utf8(const VideoTask& task) {
    for (const WantedFile& file : task.files)
        if (find_invalid_utf8(file.target.string()))
            throw Error(ErrorCode::bad_request, "the file name '" + file.target.string() + "' is not valid UTF-8",
                        "Rename the file or the folder.", {{"path", file.target.string()}});
}

fs::path make_folders(const fs::path& shared, const std::string& id) {
    fs::path folder = fs::absolute(shared) / ("kinescope-" + id);
    for (const char* part : {"submissions", "logs", "tasks"}) {
        std::error_code error;
        fs::create_directories(folder / part, error);
        if (!error) continue;
        const bool is_full = shortage_of(error.value()) != Shortage::none;
        throw Error(is_full ? ErrorCode::disk_full : ErrorCode::output_not_writable,
                    "the shared storage is not usable: '" + folder.string() + "': " + error.message(),
                    is_full ? "Free space on the shared storage, or ask for a larger quota."
                            : "Check --shared-dir: the folder must exist, and you need write permission.",
                    {{"path", folder.string()}, {"storage", "shared"}});
    }
    std::error_code ignored;  // prompts are private; the tasks run as the same user
    fs::permissions(folder, fs::perms::owner_all, ignored);
    return folder;
}

Json to_json(const Submission& submission) {
    return {{"number", submission.number},
            {"job", submission.job},
            {"tasks", submission.tasks},
            {"reason", kReasons[static_cast<int>(submission.reason)]},
            {"steps", submission.steps}};
}

SubmissionReason reason_from(const std::string& name) {
    const auto* const found = std::ranges::find(kReasons, name);
    if (found == std::end(kReasons)) throw JsonError("'" + name + "' is not a reason");
    return static_cast<SubmissionReason>(found - std::begin(kReasons));
}

}  // namespace

VideoTask make_task(VideoRequest request) {
    VideoTask task;
    OutputRequest& output = request.output;
    const auto want = [&task](fs::path& file, const std::string& name) {
        if (file.empty()) return;
        task.files.push_back({name, normal_path(fs::absolute(file))});
        file = fs::path("out") / name;
    };
    task.overwrite = output.overwrite;
    output.overwrite = OverwriteMode::refuse;
    // A slash at the end would leave an empty name.
    if (!output.file.has_filename()) output.file = output.file.parent_path();
    want(output.file, "video" + output.file.extension().string());
    want(output.numeric_log, kNumericLog);
    want(output.numeric_csv, kNumericCsv);
    want(output.latents, "latents.safetensors");
    want(output.frames, "frames.safetensors");
    want(output.preview_dir, kPreviews);
    task.request = std::move(request);
    return task;
}

Error storage_lost(const fs::path& path, const std::string& reason) {
    return {ErrorCode::engine_lost,
            "the shared storage cannot be read: '" + path.string() + "': " + reason,
            "Check that it is mounted on this computer. Tasks that were submitted continue.",
            {{"path", path.string()}}};
}

std::optional<Error> full_storage(const fs::path& folder) {
    constexpr std::uintmax_t kFewBytes = std::uintmax_t{1} << 20;
    std::error_code failure;
    const fs::space_info space = fs::space(folder, failure);
    if (failure || space.available >= kFewBytes) return std::nullopt;
    return Error(ErrorCode::disk_full,
                 "the shared storage is full: running videos cannot save their steps or report progress",
                 "Free some space there.", {{"path", folder.string()}, {"storage", "shared"}});
}

BatchFolder BatchFolder::create(const fs::path& shared, const SlurmOptions& options,
                                const std::vector<VideoTask>& tasks) {
    for (const VideoTask& task : tasks) require_utf8(task);
    const std::string id = draw_id();
    const fs::path folder = make_folders(shared, id);
    try {
        AtomicFile requests(folder / "requests.jsonl");
        for (const VideoTask& task : tasks) requests.write(line_of(task));
        requests.commit();
        const Json batch = {{"format", kFormat},
                            {"id", id},
                            {"created", utc_now()},
                            {"num_tasks", tasks.size()},
                            {"options", to_json(options)}};
        write_file_atomically(folder / "batch.json", batch.dump(1, ' ', false, Json::error_handler_t::replace));
    } catch (...) {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
        throw;
    }
    return BatchFolder(folder);
}

BatchFolder::BatchFolder(fs::path path) : path_(normal_path(fs::absolute(path))) {
    read();
}

void BatchFolder::update() {
    const auto stamp = file_stamp(path_ / "batch.json");
    if (!stamp || stamp != stamp_) read();
}

void BatchFolder::read() {
    const fs::path file = path_ / "batch.json";
    const auto stamp = file_stamp(file);  // a change after this is noticed by the next update
    const Json json = read_json(file);
    read_guarded(file, [&] {
        if (json.at("format") != kFormat) throw JsonError("its format version is unsupported");
        id_ = json.at("id");
        num_tasks_ = json.at("num_tasks");
        options_ = slurm_options_from(json.at("options"));
    });
    stamp_ = stamp;
}

void BatchFolder::change_options(const SlurmOptions& options) {
    const fs::path file = path_ / "batch.json";
    Json batch = read_json(file);
    batch["options"] = to_json(options);
    write_file_atomically(file, batch.dump(1, ' ', false, Json::error_handler_t::replace));
    options_ = options;
}

TaskFolder BatchFolder::task_folder(int task) const {
    return TaskFolder(path_ / "tasks" / fmt::format("{:05}", task));
}

std::vector<VideoTask> BatchFolder::tasks() const {
    const fs::path file = path_ / "requests.jsonl";
    std::istringstream lines(read_regular_file(file, kMostBytes));
    std::vector<VideoTask> all;
    for (std::string line; std::getline(lines, line);) all.push_back(task_from(line, file));
    if (all.size() == static_cast<std::size_t>(num_tasks_)) return all;
    throw Error(ErrorCode::bad_config, fmt::format("{} has {} requests, not {}", file.string(), all.size(), num_tasks_),
                "The file was changed. Submit the batch again.", {{"path", file.string()}});
}

VideoTask BatchFolder::task(int number) const {
    const fs::path file = path_ / "requests.jsonl";
    std::istringstream lines(read_regular_file(file, kMostBytes));
    int current = 0;
    for (std::string line; std::getline(lines, line);)
        if (++current == number) return task_from(line, file);
    throw Error(ErrorCode::bad_config, fmt::format("{} has no request {}", file.string(), number),
                "The file was changed. Submit the batch again.", {{"path", file.string()}});
}

std::vector<Submission> BatchFolder::submissions() const {
    std::vector<int> numbers;
    std::error_code error;
    for (fs::directory_iterator entry(path_ / "submissions", error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        const std::string name = entry->path().stem().string();
        int number = 0;
        const auto [end, invalid] = std::from_chars(name.data(), name.data() + name.size(), number);
        const bool is_number = invalid == std::errc() && end == name.data() + name.size() && number > 0;
        if (is_number && entry->path().extension() == ".json") numbers.push_back(number);
    }
    if (error) throw storage_lost(path_, error.message());
    std::ranges::sort(numbers);
    std::vector<Submission> all;
    for (const int number : numbers) all.push_back(submission(number));
    return all;
}

Submission BatchFolder::submission(int number) const {
    const fs::path file = description(number);
    const Json json = read_json(file);
    return read_guarded(file, [&] {
        Submission submission{.number = json.at("number"),
                              .job = json.at("job"),
                              .tasks = json.at("tasks").get<std::vector<int>>(),
                              .reason = reason_from(json.at("reason")),
                              .steps = json.at("steps").get<std::vector<int>>()};
        if (submission.steps.size() != submission.tasks.size()) throw JsonError("'steps' does not fit 'tasks'");
        for (const int task : submission.tasks)
            if (task < 1 || task > num_tasks_) throw JsonError("there is no task " + std::to_string(task));
        return submission;
    });
}

void BatchFolder::add(Submission& submission) const {
    while (!write_new_file(description(submission.number), dumped(to_json(submission)))) ++submission.number;
    try {
        write_file_atomically(
            script(submission.number),
            script_text({.folder = path_, .program = options_.program, .submission = submission.number}));
    } catch (...) {
        remove(submission);
        throw;
    }
}

void BatchFolder::write(const Submission& submission) const {
    write_file_atomically(description(submission.number), dumped(to_json(submission)));
}

void BatchFolder::remove(const Submission& submission) const {
    std::error_code ignored;
    fs::remove(script(submission.number), ignored);
    fs::remove(description(submission.number), ignored);
}

fs::path BatchFolder::description(int submission) const {
    return path_ / "submissions" / (std::to_string(submission) + ".json");
}

fs::path BatchFolder::script(int submission) const {
    return path_ / "submissions" / (std::to_string(submission) + ".sh");
}

std::string BatchFolder::job_name(int submission) const {
    return job_name_prefix() + std::to_string(submission);
}

std::string BatchFolder::job_name_prefix() const {
    return "kinescope-" + id_ + "-";
}

std::vector<int> BatchFolder::cancelled() const {
    const fs::path file = path_ / "cancelled.json";
    if (!has_entry(file)) return {};
    return read_guarded(file, [&] { return read_json(file).get<std::vector<int>>(); });
}

bool BatchFolder::is_cancelled(int task) const {
    return std::ranges::count(cancelled(), task) > 0;
}

void BatchFolder::write_cancelled(const std::vector<int>& tasks) const {
    write_file_atomically(path_ / "cancelled.json", dumped(Json(tasks)));
}

RemainingSteps BatchFolder::remaining_steps() const {
    std::error_code ignored;
    return fs::exists(path_ / kDecodeNow, ignored) ? RemainingSteps::skipped : RemainingSteps::computed;
}

void BatchFolder::write_remaining_steps(RemainingSteps steps) const {
    std::error_code ignored;
    if (steps == RemainingSteps::skipped)
        write_file_atomically(path_ / kDecodeNow, "");
    else
        fs::remove(path_ / kDecodeNow, ignored);
}

}  // namespace kinescope::cluster
