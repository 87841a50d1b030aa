#include "core/computers/courier.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iterator>
#include <system_error>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/existing_outputs.h"
#include "core/base/frame_folder.h"
#include "core/base/sha256.h"
#include "core/computers/connection_error.h"
#include "core/computers/file_names.h"
#include "core/computers/kept_engine.h"
#include "core/computers/model_match.h"
#include "core/protocol/message.h"

namespace kinescope::computers {

namespace {

namespace fs = std::filesystem;
using protocol::Json;
using remote::AfterLoss;

constexpr double kFirstPause = 2.1;  // seconds between attempts to connect
constexpr double kLongestPause = 30;

/// A model that cannot be told apart is one without weight files.
bool has_weights(const WantedModel& wanted) {
    return !wanted.files.empty();
}

const char* call_for(Order order) {
    switch (order) {
        case Order::cancel:
            return "jobs.cancel";
        case Order::pause:
        case Order::pause_at_once:
            return "jobs.pause";
        case Order::decode:
            return "jobs.decode_now";
        case Order::resume:
        case Order::none:
            break;
    }
    return "jobs.resume";
}

Json arguments_of(const SentJob& sent) {
    Json arguments = Json::array({sent.there});
    if (sent.order == Order::pause) arguments.push_back(protocol::to_document(PausePoint::after_step));
    if (sent.order == Order::pause_at_once) arguments.push_back(protocol::to_document(PausePoint::at_once));
    return arguments;
}

/// The path of a result below the folder of its job.
fs::path below_token(const fs::path& path, const std::string& token) {
    fs::path below;
    bool inside = false;
    for (const fs::path& part : path) {
        if (inside) below /= part;
        if (part == token) inside = true;
    }
    return below;
}

/// The last event with the paths of this computer. After a restart of this program, it has no details.
RunEvent own_last_event(const SentJob& sent) {
    const OutputRequest& own = sent.own.output;
    const auto own_path = [&](const fs::path& there) { return own_output(below_token(there, sent.token), own); };
    if (!sent.last_event && sent.is_partial) return RunCancelled{sent.job.step, own.file};
    RunEvent event = sent.last_event.value_or(RunFinished{{.output = {},
                                                           .numeric_log = {},
                                                           .status = RunStatus::completed,
                                                           .num_frames = sent.job.request.num_frames.value_or(0)}});
    if (auto* finished = std::get_if<RunFinished>(&event)) {
        const fs::path output = own_path(finished->result.output);
        finished->result.output = output.empty() ? own.file : output;
        finished->result.numeric_log = own.numeric_log;
    } else if (auto* cancelled = std::get_if<RunCancelled>(&event)) {
        cancelled->output = own_path(cancelled->output);
    }
    return event;
}

/// A file of a result, and where it arrives on this computer.
struct Arriving {
    StoredFile file;
    fs::path target;
};

/// Returns how many bytes of a file are on their way.
std::int64_t missing_bytes(const Arriving& arriving) {
    std::error_code failure;
    const auto whole = fs::file_size(arriving.target, failure);
    const bool is_whole = !failure && static_cast<std::int64_t>(whole) == arriving.file.bytes;
    const std::int64_t arrived = is_whole ? arriving.file.bytes : PartFile(arriving.target).size();
    return std::max<std::int64_t>(0, arriving.file.bytes - arrived);
}

void require_space(const std::vector<Arriving>& files, const std::vector<Arriving>& frames, const fs::path& target) {
    std::uintmax_t bytes = 0;
    for (const std::vector<Arriving>& some : {files, frames})
        for (const Arriving& file : some) bytes += static_cast<std::uintmax_t>(missing_bytes(file));
    std::error_code failure;
    fs::create_directories(target.parent_path(), failure);
    const fs::space_info space = fs::space(target.parent_path(), failure);
    if (failure || bytes <= space.available) return;
    throw Error(ErrorCode::disk_full,
                "the disk is full: the results take " + std::to_string(bytes) + " bytes, " +
                    std::to_string(space.available) + " are free",
                "Free some space, then continue the job. The results stay on the other computer.",
                {{"path", target.string()}});
}

/// Throws Error(output_exists) before anything is sent, not when the results arrive.
void refuse_existing(const OutputRequest& own) {
    if (!own.file.has_extension()) check_frame_folder(frame_folder(own), own.overwrite);
    for (const auto& [field, file] : existing_outputs(own))
        throw Error(ErrorCode::output_exists, "'" + file.string() + "' already exists", "Choose another name.",
                    {{"path", file.string()}});
}

/// The hidden folder in which the frames of a job arrive.
fs::path arriving_frames(const SentJob& sent) {
    return frame_folder(sent.own.output).parent_path() / (".kinescope-" + sent.token + ".part");
}

/// Returns true if the frames have arrived, and their folder has its name.
bool has_all_frames(const std::vector<Arriving>& frames, const fs::path& folder) {
    std::error_code ignored;
    const auto count =
        static_cast<std::size_t>(std::distance(fs::directory_iterator(folder, ignored), fs::directory_iterator()));
    return count == frames.size() && std::ranges::all_of(frames, [&](const Arriving& frame) {
               const fs::path file = folder / frame.target.filename();
               std::error_code missing;
               return fs::is_regular_file(file, missing) && sha256_of_file(file) == frame.file.sha256;
           });
}

/// Gives the arrived frames their name as a whole.
void name_frames(const fs::path& arrived, const OutputRequest& own) {
    const fs::path folder = frame_folder(own);
    check_frame_folder(folder, own.overwrite);
    sync_folder(arrived);
    const int error = rename_frame_folder(arrived, folder, own.overwrite);
    if (error == EEXIST || error == ENOTEMPTY)
        throw Error(ErrorCode::output_exists, "'" + folder.string() + "' already exists",
                    "Rename or delete that folder, then continue the job.", {{"path", folder.string()}});
    if (error != 0)
        throw Error(ErrorCode::output_not_writable,
                    "'" + folder.string() + "' cannot be written: " + std::generic_category().message(error),
                    "Check that the folder exists and that you have write permission.", {{"path", folder.string()}});
    sync_folder(folder.parent_path());
}

}  // namespace

VideoRequest RequestTranslator::translate(const VideoRequest& request, const std::string& token, const GoOn& go_on) {
    std::string missing;
    fs::path first;
    VideoRequest copy = request;
    visit_paths(copy, [&](PathUse use, const fs::path& path) {
        if (use != PathUse::model || !model_there(path).empty()) return;
        if (first.empty()) first = path;
        missing += (missing.empty() ? "'" : ", '") + path.string() + "'";
    });
    if (!missing.empty())
        throw Error(ErrorCode::file_not_found, computer_.name + ": there is no copy of " + missing,
                    "Copy the files there, into one of its model folders. A LoRA of PEFT needs its adapter_config.json "
                    "beside it.",
                    {{"computer", computer_.name}, {"cause", "model_missing"}, {"path", first.string()}});
    return request_for(request, files_.folder() / "results" / token, [&](PathUse use, const fs::path& path) {
        return use == PathUse::model ? model_there(path) : files_.send(path, go_on);
    });
}

fs::path RequestTranslator::mapped(const fs::path& path) const {
    for (const PathMap& map : computer_.paths) {
        const fs::path rest = path.lexically_relative(map.here);
        if (!rest.empty() && *rest.begin() != "..") return rest == "." ? map.there : map.there / rest;
    }
    return {};
}

fs::path RequestTranslator::model_there(const fs::path& model) {
    std::error_code ignored;
    if (model == VideoRequest().model || !fs::exists(model, ignored)) return model;
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = found_.find(model); known != found_.end()) return known->second;
    }
    fs::path found = ask_for_model(model);
    const std::lock_guard lock(mutex_);
    if (!found.empty()) found_[model] = found;
    return found;
}

void RequestTranslator::forget_models() {
    const std::lock_guard lock(mutex_);
    found_.clear();
}

fs::path RequestTranslator::ask_for_model(const fs::path& model) {
    WantedModel wanted = describe_model(model);
    const fs::path map = mapped(model);
    if (!map.empty()) wanted.hints.insert(wanted.hints.begin(), map);
    if (!has_weights(wanted)) return map.empty() ? model : map;
    const Json found =
        link_.call("models.match", Json::array({Json::array({to_document(wanted)})}), AfterLoss::ask_again).value;
    if (!found.is_array() || found.size() != 1 || !found[0].is_string())
        throw Error(ErrorCode::bad_request, "the answer of '" + computer_.name + "' about models is invalid");
    return found[0].get<std::string>();
}

Courier::Courier(ComputerLink& link, SentQueue& queue, FileTransfer& files, RequestTranslator& translator)
    : link_(link),
      queue_(queue),
      files_(files),
      translator_(translator),
      orders_thread_([this] { run_orders(); }),
      thread_([this] { run(); }) {}

Courier::~Courier() {
    stop();
    thread_.join();
    orders_thread_.join();
}

void Courier::stop() {
    const std::lock_guard lock(mutex_);
    stops_ = true;
    changed_.notify_all();
}

void Courier::wake() {
    const std::lock_guard lock(mutex_);
    has_work_ = true;
    has_orders_ = true;
    changed_.notify_all();
}

/// Waits for work, or for this time if it is above 0. Returns false if the courier stops.
bool Courier::wait(double seconds) {
    std::unique_lock lock(mutex_);
    if (seconds > 0)
        changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return stops_; });
    else
        changed_.wait(lock, [this] { return stops_ || has_work_; });
    has_work_ = false;
    return !stops_;
}

/// Returns false if the courier stops.
bool Courier::wait_for_orders() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stops_ || has_orders_; });
    has_orders_ = false;
    return !stops_;
}

bool Courier::stops() {
    const std::lock_guard lock(mutex_);
    return stops_;
}

/// The jobs on the other computer may have changed while there was no connection.
bool Courier::is_reconciled() const {
    return link_.generation() == reconciled_;
}

void Courier::run() {
    double pause = 0;
    while (wait(pause)) {
        try {
            work();
            pause = 0;
        } catch (const Unreachable&) {  // the state of the link tells the user
            pause = std::clamp(pause * 2, kFirstPause, kLongestPause);
        } catch (const std::exception&) {  // an answer that makes no sense
            pause = kLongestPause;
        }
    }
}

void Courier::work() {
    if (queue_.open_jobs().empty()) return;
    reconcile();
    for (const SentJob& sent : queue_.open_jobs()) {
        if (stops()) return;
        if (!is_reconciled()) return wake();
        attempt(sent, [&] { handle(sent); });
    }
    if (!is_reconciled()) wake();
}

void Courier::run_orders() {
    while (wait_for_orders()) {
        try {
            give_orders();
        } catch (const std::exception&) {  // the connection is lost; the other thread makes a new one, see reconcile()
            const std::lock_guard lock(mutex_);
            has_work_ = true;
            changed_.notify_all();
        }
    }
}

/// The ids of the jobs are those of this connection or of a later one, over which no order is given.
void Courier::give_orders() {
    const int connection = reconciled_;
    for (const SentJob& sent : queue_.open_jobs()) {
        if (stops() || !is_reconciled() || link_.state() != ComputerState::connected) return;
        if (sent.order == Order::none || sent.is_removed || sent.stage != Stage::there) continue;
        attempt(sent, [&] { give(sent, connection); });
    }
}

void Courier::reconcile() {
    const int connection = link_.open();
    if (connection == reconciled_) return;
    queue_.note_question();
    const auto jobs =
        protocol::from_document<std::vector<Job>>(link_.call_over(connection, "jobs.list", Json::array()).value);
    queue_.reconcile(jobs, lines_of_engine(link_.last_lines()));
    reconciled_ = connection;
    const std::lock_guard lock(mutex_);
    has_orders_ = true;
    changed_.notify_all();
}

/// Runs an action for a job. Its error becomes that of the job.
void Courier::attempt(const SentJob& sent, const std::function<void()>& action) {
    try {
        action();
    } catch (const Stopped&) {
        return;
    } catch (const Unreachable&) {
        throw;
    } catch (const Error& error) {
        queue_.note_failed(sent.token, error);
    } catch (const std::exception& error) {
        queue_.note_failed(sent.token, Error(ErrorCode::internal, error.what()));
    }
}

void Courier::handle(const SentJob& sent) {
    if (sent.is_removed || sent.stage == Stage::cleaning) return clean(sent);
    if (sent.stage == Stage::here) return send(sent);
    if (sent.stage == Stage::fetching) return fetch(sent);
}

/// After a new connection, a transfer ends and goes on later: orders are not given before the queues are compared.
void Courier::send(const SentJob& sent) {
    const GoOn go_on = [this, &sent] { return !stops() && is_reconciled() && queue_.may_be_sent(sent.token); };
    if (sent.own.output.file.empty()) throw Error(ErrorCode::bad_request, "the request names no output file");
    refuse_existing(sent.own.output);
    translator_.forget_models();
    const VideoRequest request = translator_.translate(sent.own, sent.token, go_on);
    if (!queue_.begin_sending(sent.token)) return;
    const Json there =
        link_.call("jobs.submit_once", Json::array({sent.token, protocol::to_document(request)}), AfterLoss::ask_again)
            .value;
    queue_.note_question();
    if (const auto job = find_there(there, reconciled_)) queue_.note_sent(sent.token, *job);
}

std::optional<Job> Courier::find_there(const Json& job, int connection) {
    return protocol::from_document<std::optional<Job>>(
        link_.call_over(connection, "jobs.find", Json::array({job})).value);
}

/// The order is not repeated over a new connection before the queues are compared: the id may be that of another job.
void Courier::give(const SentJob& sent, int connection) {
    if (sent.there == 0) return;
    try {
        link_.call_over(connection, call_for(sent.order), arguments_of(sent));
    } catch (const Unreachable&) {
        throw;
    } catch (const Error&) {
        queue_.note_order_given(sent);  // it is refused each time
        throw;
    }
    queue_.note_order_given(sent);
    if (sent.order != Order::pause && sent.order != Order::pause_at_once) return;
    // The pause may have replaced an order to go on that was not given.
    if (const auto job = find_there(sent.there, connection)) queue_.note_paused(sent.token, *job);
}

void Courier::fetch(const SentJob& sent) {
    const GoOn go_on = [this, &sent] { return !stops() && is_reconciled() && queue_.may_be_fetched(sent.token); };
    const OutputRequest& own = sent.own.output;
    std::vector<Arriving> files;
    std::vector<Arriving> frames;
    for (const StoredFile& file : files_.list(sent.token)) {
        const fs::path there = below_token(file.name, sent.token);
        const fs::path target = own_output(there, own);
        if (const fs::path frame = frame_in(there, own); !frame.empty())
            frames.push_back({file, arriving_frames(sent) / frame});
        else if (!target.empty())
            files.push_back({file, target});
    }
    if (files.empty() && frames.empty()) throw results_gone();
    if (!frames.empty() && has_all_frames(frames, frame_folder(own))) frames.clear();
    if (!frames.empty()) check_frame_folder(frame_folder(own), own.overwrite);
    require_space(files, frames, own.file);
    const auto rule = own.overwrite == OverwriteMode::overwrite ? IfTargetExists::replace : IfTargetExists::refuse;
    for (const Arriving& file : files) files_.receive(file.file, file.target, rule, go_on);
    for (const Arriving& frame : frames) files_.receive(frame.file, frame.target, IfTargetExists::replace, go_on);
    if (!frames.empty()) name_frames(arriving_frames(sent), own);
    queue_.note_fetched(sent.token, own_last_event(sent));
}

/// Deletes the parts of results that have arrived and are no longer wanted.
void Courier::drop_parts(const SentJob& sent) {
    try {
        for (const StoredFile& file : files_.list(sent.token)) {
            const fs::path target = own_output(below_token(file.name, sent.token), sent.own.output);
            if (!target.empty()) PartFile(target).remove();
        }
    } catch (const Unreachable&) {
        throw;
    } catch (const Error&) {  // the results are gone, or the folder here is
        return;
    }
}

/// The other computer may refuse to delete a job that a program there is using or whose run has not ended. The next
/// change of a queue triggers another attempt.
void Courier::clean(const SentJob& sent) {
    try {
        if (!delete_there(sent)) return;
    } catch (const Unreachable&) {
        throw;
    } catch (const Error&) {
        return;
    }
    if (sent.is_removed)
        queue_.forget(sent.token);
    else
        queue_.note_done(sent.token);
}

/// Deletes a job there with its files. All calls may be repeated, but over a new connection only after the queues are
/// compared: the id may be that of another job. Returns false while its run still writes files there.
bool Courier::delete_there(const SentJob& sent) {
    std::error_code ignored;
    if (!sent.own.output.file.empty()) fs::remove_all(arriving_frames(sent), ignored);
    if (sent.stage == Stage::fetching) drop_parts(sent);
    if (sent.there != 0) {
        link_.call_over(reconciled_, "jobs.remove", Json::array({sent.there}));
        if (find_there(sent.there, reconciled_)) return false;
    }
    if (sent.is_sent) link_.call("files.remove", Json::array({sent.token}), AfterLoss::ask_again);
    return true;
}

}  // namespace kinescope::computers
