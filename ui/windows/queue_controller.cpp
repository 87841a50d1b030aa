#include "ui/windows/queue_controller.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "core/api/request_sweep.h"
#include "ui/models/computer_list_model.h"
#include "ui/models/images.h"
#include "ui/models/in_pool.h"
#include "ui/models/log_folder.h"
#include "ui/models/model_names.h"
#include "ui/models/queue_estimate.h"
#include "ui/models/unique_names.h"
#include "ui/text/error_catalog.h"
#include "ui/text/words.h"
#include "ui/widgets/text_lines.h"

namespace kinescope::ui {
namespace {

constexpr auto kCleanExit = "queue/continueAtStart";
constexpr auto kCrashes = "queue/crashes";
constexpr auto kRunning = "queue/running";
constexpr qint64 kMostRequestBytes = 16 << 20;
constexpr qsizetype kMostOfNotice = 60;  ///< characters of a name

/// Creates the folders of videos and of their numeric logs.
void makeFolders(const QString& videos) {
    for (const QString& folder : {videos, logFolder()}) QDir().mkpath(folder);
}

/// New jobs whose files get their names on the thread of Lane::submissions: the folder may not respond, and the thread
/// names one job after another, so that no two jobs get the same name.
struct NewJobs {
    std::vector<VideoRequest> requests;
    std::vector<OutputNaming> namings;  ///< empty: the requests have their names
    QString folder;
};

const std::vector<VideoRequest>& named(NewJobs& jobs, Engine& engine) {
    if (jobs.namings.empty()) return jobs.requests;
    std::set<std::filesystem::path> taken = outputsOf(engine.jobs().list());
    makeFolders(jobs.folder);
    for (std::size_t i = 0; i < jobs.requests.size(); ++i) {
        VideoRequest& request = jobs.requests[i];
        request.output = jobs.namings[i]();
        makeNamesUnique(request, taken);
        taken.insert(request.output.file);
    }
    jobs.namings.clear();
    return jobs.requests;
}

std::filesystem::path pathOf(const QString& file) {
    return file.toStdU16String();
}

/// The requests in a file, or why there are none.
struct FileOfRequests {
    bool isReadable = false;
    std::vector<VideoRequest> requests = {};
    std::optional<Error> error = {};  ///< of an invalid request
};

FileOfRequests readFile(const QString& file) {
    QFile source(file);
    if (!QFileInfo(file).isFile() || !source.open(QIODevice::ReadOnly) || source.size() > kMostRequestBytes) return {};
    FileOfRequests found{.isReadable = true};
    const bool lines = file.endsWith(QLatin1String(".jsonl"), Qt::CaseInsensitive);
    const QByteArray all = source.readAll();
    try {
        for (const QByteArray& line : lines ? all.split('\n') : QList<QByteArray>{all}) {
            if (line.trimmed().isEmpty()) continue;
            found.requests.push_back(parse_request(line.toStdString(), pathOf(QFileInfo(file).absolutePath())));
        }
    } catch (const Error& error) {
        found.error = error;
    }
    return found;
}

}  // namespace

QueueController::QueueController(EngineBridge& bridge, RequestModel& request, RunModel& run, QSettings& settings,
                                 QObject* parent)
    : QObject(parent),
      bridge_(bridge),
      request_(request),
      run_(run),
      settings_(settings),
      queue_(bridge),
      restorer_(request, UnansweredRequest::dropped) {
    connect(&restorer_, &SettingsRestorer::unanswered, this, &QueueController::stopEditing);
    connect(&run_, &RunModel::previewArrived, this, [this](const PreviewReady& preview) {
        if (!preview.frames.empty() && preview.frames.front()) picture_ = imageOf(*preview.frames.front());
    });
    connect(&run_, &RunModel::progressed, this, &QueueController::updateProgress);
    connect(&run_, &RunModel::progressed, this, &QueueController::noteRunningJob);
    connect(&run_, &RunModel::stateChanged, this, [this](RunState state) {
        if (state == RunState::planning) picture_ = {};
        if (state == RunState::done) settings_.remove(QLatin1String(kCrashes));
        noteRunningJob();
    });
    connect(&bridge_, &EngineBridge::settingsRead, this,
            [this](const std::filesystem::path& video, const VideoRequest& read) {
                if (video != awaited_) return;
                awaited_.clear();
                restore(read);
            });
    connect(&bridge_, &EngineBridge::settingsFailed, this, [this](const std::filesystem::path& video, const Error&) {
        if (video != awaited_) return;
        awaited_.clear();
        Q_EMIT noSettingsFound(pathText(video));
    });
    connect(&bridge_, &EngineBridge::orderRefused, this, [this](const Error& error) {
        ++numRefused_;
        Q_EMIT failed(errorText(error).title, errorText(error).sentence);
    });
    connect(&queue_, &QueueModel::changed, this, &QueueController::leaveStartedJob);
    connect(&bridge_, &EngineBridge::runEventsArrived, this, [this](const std::vector<JobEvent>& events) {
        for (const JobEvent& arrived : events) noteUnsavedSteps(arrived);
    });
    // RunModel receives the failure in the same batch of events, after the queue.
    connect(&queue_, &QueueModel::jobFailed, this, [this](const Job& job) {
        QMetaObject::invokeMethod(
            this, [this, job] { reportFailure(job); }, Qt::QueuedConnection);
    });
}

QueueController::~QueueController() {
    settings_.remove(QLatin1String(kRunning));
}

/// A run that starts saves its steps, until it warns that it can't.
void QueueController::noteUnsavedSteps(const JobEvent& arrived) {
    if (std::holds_alternative<RunStarted>(arrived.event)) unsaved_.remove(arrived.job);
    if (isAboutUnsavedSteps(arrived.event)) unsaved_.insert(arrived.job);
}

void QueueController::noteRunningJob() {
    const JobId running = run_.running() ? run_.facts().job : 0;
    if (running == noted_) return;
    noted_ = running;
    if (running == 0)
        settings_.remove(QLatin1String(kRunning));
    else
        settings_.setValue(QLatin1String(kRunning), static_cast<qlonglong>(running));
    // QSettings writes on this thread anyway, at the next turn of the event loop. A job that ends the process at once
    // must be noted before.
    settings_.sync();
}

/// The page itself shows the failure of its run, until the next job starts.
void QueueController::reportFailure(const Job& job) {
    const bool isActive = run_.state() == RunState::failed && run_.facts().job == job.id;
    if (!isActive || hasNext(job)) Q_EMIT jobFailed(job);
}

/// Returns true if another job of the same computer runs after this one, or is about to start.
bool QueueController::hasNext(const Job& job) const {
    return std::ranges::any_of(bridge_.jobs(), [&](const Job& other) {
        const bool starts = other.state == JobState::waiting && !bridge_.isHeld() && !bridge_.sleeps(other);
        const bool isNext = other.state == JobState::running || starts;
        return other.id != job.id && isNext && computerOf(other) == computerOf(job);
    });
}

void QueueController::retry(JobId job) {
    bridge_.retry(job);
}

const Job* QueueController::failedActiveJob() const {
    if (run_.state() != RunState::failed) return nullptr;
    const auto& jobs = bridge_.jobs();
    const auto job = std::ranges::find(jobs, run_.facts().job, &Job::id);
    return job == jobs.end() ? nullptr : &*job;
}

/// Removes the failed job, unless it has completed steps, so that it can be continued.
void QueueController::replaceFailed() {
    const Job* job = failedActiveJob();
    if (job != nullptr && job->step == 0) bridge_.remove(job->id);
}

bool QueueController::continueFailed() {
    const Job* job = failedActiveJob();
    if (job == nullptr || job->step == 0) return false;
    bridge_.resume(job->id);
    return true;
}

void QueueController::updateProgress() {
    const RunProgress& progress = run_.facts().progress;
    if (run_.facts().job == 0) return;
    if (const auto planned = queue_.plannedSeconds(run_.facts().job)) run_.setPlanned(*planned);
    const int done = progress.stepsBefore + static_cast<int>(progress.stepSeconds.size());
    queue_.setProgress(run_.facts().job, {picture_, done, progress.numSteps, run_.secondsLeft()});
}

/// Returns the plan of the form if it is one for this request, too. Imported and restored requests have other settings.
const Plan* QueueController::planOf(const VideoRequest& request) const {
    if (!request_.plan()) return nullptr;
    const bool isPlanned = costKey(request_.filled(request)) == costKey(request_.resolved());
    return isPlanned ? &*request_.plan() : nullptr;
}

void QueueController::submitUnused(const std::vector<VideoRequest>& requests, const std::vector<OutputNaming>& namings,
                                   const QString& folder, const Sent& sent) {
    if (requests.empty()) return;
    const auto jobs = std::make_shared<NewJobs>(NewJobs{requests, namings, folder});
    const bool isShown = !run_.running() && bridge_.isIdle();
    if (isShown) run_.expect(requests.front(), planOf(requests.front()));
    bridge_.request(
        Lane::submissions, this, [jobs](Engine& engine) { return named(*jobs, engine); },
        [this, isShown, sent](const std::vector<VideoRequest>& found) {
            if (isShown) run_.setExpectedOutput(found.front().output);
            sent(found);
        },
        [sent](const Error&) { sent({}); });  // each submission reports it
    for (std::size_t i = 0; i < requests.size(); ++i)
        bridge_.submitMade([jobs, i](Engine& engine) { return named(*jobs, engine)[i]; },
                           isShown && i == 0 ? Submission::shown : Submission::queued);
}

void QueueController::submitAll(const std::vector<VideoRequest>& requests, const QString& folder, const Sent& sent) {
    std::vector<OutputNaming> namings;
    for (const VideoRequest& request : requests) namings.push_back(request_.naming(request, folder));
    submitUnused(requests, namings, folder, sent);
}

void QueueController::generate(const QString& folder, int count) {
    if (!canGenerate()) return;
    if (edited_) return updateJob(folder);
    generateNew(folder, count, [this](const std::vector<VideoRequest>& sent) {
        if (sent.size() > 1) Q_EMIT swept(sent);
    });
}

void QueueController::generateNew(const QString& folder, int count, const Sent& sent) {
    if (!request_.canRun()) return;
    run_.decideLater();
    request_.prepareSeed();
    const std::uint64_t seed = request_.request().seed.value_or(0);
    try {
        submitAll(request_sweep(request_.request(), count, seed), folder, sent);
    } catch (const Error& error) {
        return Q_EMIT failed(errorText(error).title, errorText(error).sentence);
    }
    request_.edit([&](VideoRequest& form) { form.seed = seed; });
    request_.markSeedUsed();
}

/// Returns true if the form shows the edited job without changes.
bool QueueController::showsEditedJob() const {
    if (!edited_) return false;
    VideoRequest form = request_.request();
    form.output = edited_->request.output;
    return form == edited_->request;
}

/// Undo brings back what the user has typed: the form before the first of several jobs, or changes of the last one.
void QueueController::edit(const Job& job) {
    const auto form = showsEditedJob() ? restorer_.before() : std::nullopt;
    edited_ = job;
    restorer_.restore(job.request, RestoredFrom::job);
    if (form) restorer_.remember(*form);
    Q_EMIT editingChanged(true);
}

void QueueController::updateJob(const QString& folder) {
    const JobId job = edited_->id;
    if (updating_ == job || restorer_.isRestoring()) return;
    VideoRequest changed = request_.request();
    changed.output = edited_->request.output;
    const OutputNaming naming = namingOfEdited(changed, folder);
    const auto change = [job, changed, naming](Engine& engine) {
        VideoRequest request = changed;
        if (naming) {
            request.output = naming();
            makeNamesUnique(request, outputsOf(engine.jobs().list()));
        }
        engine.jobs().edit(job, request);
    };
    updating_ = job;
    bridge_.request(
        naming ? Lane::submissions : Lane::orders, this, change, [this, job, changed] { onJobUpdated(job, changed); },
        [this, job](const Error& error) { onUpdateRefused(job, error); });
}

/// If the earlier request gave the video its name, the changed one does, too.
OutputNaming QueueController::namingOfEdited(const VideoRequest& changed, const QString& folder) const {
    const VideoRequest& before = edited_->request;
    const bool isNamedByUs = QFileInfo(pathText(before.output.file)).path() == QDir::cleanPath(folder);
    if (!isNamedByUs || request_.haveSameName(before, changed)) return {};
    return request_.naming(changed, folder);
}

bool QueueController::endUpdate(JobId job) {
    if (updating_ == job) updating_ = 0;
    return edited_ && edited_->id == job;
}

void QueueController::onJobUpdated(JobId job, const VideoRequest& changed) {
    if (endUpdate(job)) undoRestore();
    Q_EMIT confirmed(tr("Job updated."), cutText(jobName(changed, ModelNames::of(bridge_)), kMostOfNotice));
}

void QueueController::onUpdateRefused(JobId job, const Error& error) {
    if (endUpdate(job)) stopEditing();
    Q_EMIT failed(tr("The job was not changed:"), errorText(error).sentence);
}

/// Ends editing when the job has started or is gone.
void QueueController::leaveStartedJob() {
    if (!edited_ || updating_ == edited_->id) return;
    const int row = queue_.rowOf(edited_->id);
    if (row >= 0 && queue_.job(row).state == JobState::waiting) return;
    stopEditing();
    Q_EMIT editedJobLost();
}

void QueueController::stopEditing() {
    if (std::exchange(edited_, std::nullopt)) Q_EMIT editingChanged(false);
}

void QueueController::restore(const VideoRequest& request) {
    stopEditing();
    restorer_.restore(request, RestoredFrom::video);
}

void QueueController::undoRestore() {
    stopEditing();
    restorer_.undo();
}

void QueueController::vary(VideoRequest request, const QString& folder, int count) {
    std::vector<VideoRequest> requests;
    const std::uint64_t seed = request.seed.value_or(0);
    for (int i = 1; i <= count; ++i) {
        request.seed = seed + static_cast<std::uint64_t>(i);
        requests.push_back(request);
    }
    submitAll(requests, folder, [](const std::vector<VideoRequest>&) {});
    confirmAdded(tr("%Ln videos", nullptr, count));
}

void QueueController::confirmAdded(const QString& words) {
    bridge_.whenSubmitted(this, [this, words, before = numRefused_] {
        if (numRefused_ == before) Q_EMIT confirmed(tr("Added to the queue:"), words);
    });
}

void QueueController::restoreFrom(const QString& video) {
    awaited_ = pathOf(video);
    bridge_.askSettings(awaited_);
}

void QueueController::readRequests(const QString& file,
                                   const std::function<void(const std::vector<VideoRequest>&)>& use) {
    inPool(
        this, [file] { return readFile(file); },
        [this, name = QFileInfo(file).fileName(), use](const FileOfRequests& found) {
            if (!found.isReadable) {
                Q_EMIT failed(tr("Can't read the file:"), name);
            } else if (found.error) {
                Q_EMIT failed(tr("%1 contains an invalid request:").arg(name), errorText(*found.error).sentence);
            } else if (found.requests.empty()) {
                Q_EMIT failed(tr("The file contains no request:"), name);
            } else {
                use(found.requests);
            }
        });
}

void QueueController::restoreRequest(const QString& file) {
    readRequests(file, [this](const std::vector<VideoRequest>& requests) { restore(requests.front()); });
}

void QueueController::importRequests(const QString& file, const QString& folder) {
    readRequests(file, [this, folder](const std::vector<VideoRequest>& requests) {
        std::vector<OutputNaming> namings;
        for (const VideoRequest& request : requests) namings.push_back(request_.importedNaming(request, folder));
        submitUnused(requests, namings, folder, [](const std::vector<VideoRequest>&) {});
        confirmAdded(tr("%Ln requests", nullptr, static_cast<int>(requests.size())));
    });
}

QByteArray QueueController::openRequests() const {
    QByteArray lines;
    for (const Job& job : bridge_.jobs())
        if (!is_over(job.state)) lines += QByteArray::fromStdString(to_json(job.request) + "\n");
    return lines;
}

std::optional<RecoveryDialog::Facts> QueueController::interrupted() {
    const QVariant left = settings_.value(QLatin1String(kCleanExit));
    if (left.isValid()) {
        continueCleanly(left.toString().split(QLatin1Char(','), Qt::SkipEmptyParts));
        return std::nullopt;
    }
    const std::vector<Job> found = interruptedJobs();
    if (found.empty()) return std::nullopt;
    const auto& jobs = bridge_.jobs();
    RecoveryDialog::Facts facts{.job = found.front(), .computer = computerOf(found.front())};
    facts.interrupted = static_cast<int>(found.size()) - 1;
    facts.waiting = static_cast<int>(std::ranges::count(jobs, JobState::waiting, &Job::state));
    if (facts.computer.isEmpty()) {
        facts.crashes = settings_.value(QLatin1String(kCrashes), 0).toInt() + 1;
        settings_.setValue(QLatin1String(kCrashes), facts.crashes);
    }
    return facts;
}

/// Returns the jobs that an end of this program or of an engine has interrupted, those of this computer first.
std::vector<Job> QueueController::interruptedJobs() const {
    const JobId ran = settings_.value(QLatin1String(kRunning), 0).toLongLong();
    std::vector<Job> found;
    // The engine pauses its job when the window is killed. The job may have started after the last one that was noted.
    // Other computers pause no job then.
    std::ranges::copy_if(bridge_.jobs(), std::back_inserter(found), [&](const Job& job) {
        const bool mayHaveRun = ran > 0 && job.id >= ran && computerOf(job).isEmpty();
        return job.state == JobState::interrupted || (job.state == JobState::paused && mayHaveRun);
    });
    std::stable_partition(found.begin(), found.end(), [this](const Job& job) { return computerOf(job).isEmpty(); });
    return found;
}

QString QueueController::computerOf(const Job& job) const {
    return ComputerListModel::of(bridge_).computerOf(job.id);
}

/// Prepares the start after the user has quit with the option to continue later.
void QueueController::continueCleanly(const QStringList& left) {
    settings_.remove(QLatin1String(kCleanExit));
    for (const Job& job : bridge_.jobs()) {
        if (!left.contains(QString::number(job.id)) || !can_resume(job.state)) continue;
        bridge_.resume(job.id);
        Q_EMIT confirmed(tr("Continuing where you left off:"),
                         cutText(jobName(job, ModelNames::of(bridge_)), kMostOfNotice));
    }
    bridge_.releaseQueue();
}

void QueueController::answerRecovery(const RecoveryDialog::Facts& facts, RecoveryAnswer answer, RecoveryMode mode) {
    if (answer == RecoveryAnswer::keepInQueue) return;
    if (mode == RecoveryMode::safe) {
        VideoRequest request = facts.job.request;
        request.device = "cpu";
        bridge_.holdQueue();  // the job must not start before it is changed
        bridge_.retry(facts.job.id);
        bridge_.edit(facts.job.id, request);
    } else if (answer == RecoveryAnswer::startOver) {
        bridge_.cancel(facts.job.id);
        bridge_.retry(facts.job.id);
    } else if (answer == RecoveryAnswer::skipFinish) {
        bridge_.resumeWithoutFinish(facts.job.id);
    } else {
        bridge_.resume(facts.job.id);
    }
    bridge_.releaseQueue();
}

QuitQuestion QueueController::quitQuestion() const {
    const RunProgress& progress = run_.facts().progress;
    const int done = progress.stepsBefore + static_cast<int>(progress.stepSeconds.size());
    const bool isBetweenSteps = done > 0 && done < std::max(progress.numSteps, progress.stepsOfAllParts);
    return {run_.secondsLeft(), isBetweenSteps ? done + 1 : 0, unsaved_.contains(run_.facts().job)};
}

void QueueController::leaveForNextStart() {
    QStringList left;
    for (const Job& job : bridge_.jobs())
        if (job.state == JobState::running && computerOf(job).isEmpty()) left << QString::number(job.id);
    settings_.setValue(QLatin1String(kCleanExit), left.join(QLatin1Char(',')));
}

}  // namespace kinescope::ui
