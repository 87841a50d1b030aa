#include "ui/models/queue_model.h"

#include <QCoreApplication>
#include <QMimeData>
#include <QThreadPool>
#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "core/api/damaged_job.h"
#include "core/api/fetched_job.h"
#include "core/api/visit_paths.h"
#include "ui/models/computer_list_model.h"
#include "ui/models/model_names.h"
#include "ui/models/write_times.h"
#include "ui/text/computer_words.h"
#include "ui/text/error_catalog.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

constexpr std::chrono::seconds kUndoTime{8};
constexpr int kMostRefusedPlans = 3;
const QString kJobsMime = QStringLiteral("application/x-kinescope-job");

/// Returns the position of a state in the order of the list.
int groupOf(JobState state) {
    if (state == JobState::running) return 0;
    if (state == JobState::failed) return 2;
    return is_over(state) ? 3 : 1;
}

/// Returns true if `a` comes before `b`. Open jobs are in the order in which they run; the others are sorted by age,
/// newest first.
bool isBefore(const Job& a, const Job& b) {
    if (groupOf(a.state) != groupOf(b.state)) return groupOf(a.state) < groupOf(b.state);
    return is_over(a.state) && a.id > b.id;
}

/// Returns true for a job that is over. A failed job that has kept steps can continue, so the user removes it alone.
bool isClearable(const Job& job) {
    return is_over(job.state) && (job.state != JobState::failed || job.step == 0);
}

std::optional<double> totalOf(const std::optional<PhaseSeconds>& planned) {
    return planned ? std::optional(std::accumulate(planned->begin(), planned->end(), 0.0)) : std::nullopt;
}

/// The time of the steps that a job has not finished.
std::optional<double> remaining(std::optional<double> seconds, const Job& job) {
    if (!seconds || job.num_steps <= 0) return std::nullopt;
    return *seconds * (job.num_steps - job.step) / job.num_steps;
}

/// `computer`: the other computer that runs the job; empty: this one.
QString factsOf(const VideoRequest& request, const QString& model, const QString& computer) {
    const QString size = sizeText(request);
    const QString facts = size.isEmpty() ? model : QueueModel::tr("%1, %2", "model, size").arg(model, size);
    return computer.isEmpty() ? facts : QueueModel::tr("On %1: %2", "computer, facts").arg(computer, facts);
}

/// Returns the name of the first file from which a video is made, as the user knows it; empty: there is none.
QString inputName(const VideoRequest& request) {
    const VideoRequest own = with_originals(request);
    for (const auto* input : {&own.image, &own.last_image, &own.video, &own.continue_video})
        if (*input) return pathText((*input)->filename());
    return own.conditions.empty() ? QString() : pathText(own.conditions.front().file.filename());
}

/// Returns the plan of a computer, or nullopt if another one may have answered: the selection changes on another
/// thread.
std::optional<Plan> planOn(const std::string& computer, Engine& engine, const VideoRequest& request) {
    const auto isSelected = [&] {
        Computers* computers = computers_of(engine);
        return computer == (computers ? computers->chosen() : std::string());
    };
    if (!isSelected()) return std::nullopt;
    Plan plan = engine.catalog().plan(request);
    return isSelected() ? std::optional(std::move(plan)) : std::nullopt;
}

}  // namespace

QString modelPathText(const std::string& model) {
    if (model == kBuiltinModel) return builtinModelName();
    return modelFolderName(QString::fromStdString(model));
}

QString jobName(const VideoRequest& request, const ModelNames& names) {
    const QString prompt = QString::fromStdString(request.prompt).simplified();
    if (!prompt.isEmpty()) return prompt;
    const QString model = names.nameOf(request.model), input = inputName(request);
    return input.isEmpty() ? model : QueueModel::tr("%1: %2", "model, input file").arg(model, input);
}

QString jobName(const Job& job, const ModelNames& names) {
    if (is_damaged(job)) return QueueModel::tr("Job %1").arg(job.id);
    const QString model = names.nameOf(job.request.model), name = jobName(job.request, names);
    const bool isOnlyModel = name == model && !job.created.empty();
    return isOnlyModel ? QueueModel::tr("%1, %2", "model, time").arg(model, localTimeText(job.created)) : name;
}

QString sizeText(const VideoRequest& request) {
    QStringList parts;
    if (request.width && request.height) parts << QueueModel::tr("%1 × %2").arg(*request.width).arg(*request.height);
    if (request.num_frames) parts << QueueModel::tr("%Ln frames", nullptr, *request.num_frames);
    return parts.join(QStringLiteral(", "));
}

QueueModel::QueueModel(EngineBridge& bridge, QObject* parent) : QAbstractListModel(parent), bridge_(bridge) {
    undoTimer_.setSingleShot(true);
    undoTimer_.setInterval(kUndoTime);
    connect(&undoTimer_, &QTimer::timeout, this, &QueueModel::finishRemoval);
    connect(&bridge_, &EngineBridge::jobsChanged, this, &QueueModel::onQueueChanged);
    connect(&bridge_, &EngineBridge::engineReady, this, [this] { ready_ = true; });
    connect(&bridge_, &EngineBridge::runEventsArrived, this, &QueueModel::followRuns);
    // The names of computers arrive after the queue.
    connect(&ComputerListModel::of(bridge_), &ComputerListModel::changed, this, [this] {
        if (!rows_.empty())
            Q_EMIT dataChanged(index(0), index(rowCount() - 1), {FactsRole, ComputerRole, ReasonRole, SecondsLeftRole});
        updateTimes();
    });
    connect(&ModelNames::of(bridge_), &ModelNames::changed, this, [this] {
        if (!rows_.empty())
            Q_EMIT dataChanged(index(0), index(rowCount() - 1),
                               {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole, FactsRole});
    });
    connect(&ComputerListModel::of(bridge_), &ComputerListModel::chosenChanged, this, &QueueModel::requestPlans);
    onQueueChanged();
}

QueueModel::~QueueModel() {
    if (removed_) bridge_.remove(removed_->id);
}

void QueueModel::onQueueChanged() {
    std::vector<Job> rows;
    for (const Job& job : bridge_.jobs()) {
        const bool hidden = removed_ && removed_->id == job.id;
        if (hidden && job.state == JobState::running) bridge_.remove(job.id);  // it was started while hidden
        if (!hidden) rows.push_back(job);
    }
    std::stable_sort(rows.begin(), rows.end(), isBefore);
    const bool same = std::equal(rows.begin(), rows.end(), rows_.begin(), rows_.end(),
                                 [](const Job& a, const Job& b) { return a.id == b.id; });
    setRows(std::move(rows));
    forgetRemovedJobs();
    if (!same)  // a video may have been deleted
        for (Video& video : videos_) video.isCurrent = false;
    lookAtVideos();
    requestPlans();
    updateTimes();
    Q_EMIT changed();
    reportEnds();
}

/// Changes the list step by step, so that views keep the selected job and their place.
void QueueModel::setRows(std::vector<Job> rows) {
    QHash<JobId, int> places;
    for (const Job& job : rows) places.insert(job.id, static_cast<int>(places.size()));
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (places.contains(job(row).id)) continue;
        beginRemoveRows({}, row, row);
        rows_.erase(rows_.begin() + row);
        endRemoveRows();
    }
    const auto isPlacedBefore = [&places](const Job& a, const Job& b) {
        return places.value(a.id) < places.value(b.id);
    };
    if (!std::ranges::is_sorted(rows_, isPlacedBefore)) {
        Q_EMIT layoutAboutToBeChanged();
        const QModelIndexList before = persistentIndexList();
        std::vector<JobId> jobs;
        for (const QModelIndex& index : before) jobs.push_back(job(index.row()).id);
        std::ranges::stable_sort(rows_, isPlacedBefore);
        QModelIndexList after;
        for (const JobId job : jobs) after << index(rowOf(job));
        changePersistentIndexList(before, after);
        Q_EMIT layoutChanged();
    }
    QSet<JobId> known;
    for (const Job& job : rows_) known.insert(job.id);
    for (auto job = rows.begin(); job != rows.end();) {
        const int row = static_cast<int>(job - rows.begin());
        if (row < rowCount() && rows_[static_cast<std::size_t>(row)].id == job->id) {
            ++job;
            continue;
        }
        const auto end = std::find_if(job + 1, rows.end(), [&](const Job& one) { return known.contains(one.id); });
        beginInsertRows({}, row, static_cast<int>(end - rows.begin()) - 1);
        rows_.insert(rows_.begin() + row, job, end);
        endInsertRows();
        job = end;
    }
    rows_ = std::move(rows);
    if (!rows_.empty()) Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

void QueueModel::followRuns(const std::vector<JobEvent>& events) {
    bool isShown = true;  // the progress of the active job follows
    for (const JobEvent& arrived : events) {
        if (arrived.job == 0) continue;
        if (endsRun(arrived.event))
            runs_.remove(arrived.job);
        else
            runs_[arrived.job].apply(arrived.event);
        isShown = isShown && arrived.job == bridge_.activeJob();
    }
    if (!isShown) updateTimes();
}

/// Returns the remaining seconds of a running job, or nullopt if they are unknown: before its first steps, while its
/// computer is out of reach, while it stands still, and if it takes longer than expected.
std::optional<double> QueueModel::secondsLeft(const Job& job) const {
    if (job.state != JobState::running || !job.waits_for.empty() || !isReached(job)) return std::nullopt;
    if (job.id == activeJob_) return secondsLeft_;
    const auto run = runs_.constFind(job.id);
    if (run == runs_.constEnd()) return std::nullopt;
    const auto left = ui::secondsLeft(plannedSeconds(job.id), run->progress());
    return left.value_or(0) > 0 ? left : std::nullopt;
}

/// Returns true for a job of this computer, or of one that is connected.
bool QueueModel::isReached(const Job& job) const {
    const ComputerStatus* computer = ComputerListModel::of(bridge_).statusOf(job.id);
    return computer == nullptr || computer->state == ComputerState::connected;
}

/// Requests a plan for each job that waits or runs, but only one for jobs that take the same time. The selected
/// computer answers, so the jobs of others have to wait. A job keeps the plan that was made before it took its memory.
void QueueModel::requestPlans() {
    const ComputerListModel& computers = ComputerListModel::of(bridge_);
    for (const Job& job : rows_) {
        const QString computer = computers.computerOf(job.id);
        const bool isOpen = job.state == JobState::waiting || job.state == JobState::running;
        if (!isOpen || computer.toStdString() != computers.chosen()) continue;
        const QString key = computer + QLatin1Char('\n') + QString::fromStdString(costKey(job.request));
        if (job.state == JobState::waiting || !planKeys_.contains(job.id)) planKeys_[job.id] = key;
        const QString& wanted = planKeys_[job.id];
        if (!plans_.contains(wanted)) requestPlan(job, computer, wanted);
    }
}

void QueueModel::requestPlan(const Job& job, const QString& computer, const QString& key) {
    plans_[key] = std::nullopt;
    bridge_.request(
        Lane::slow, this,
        [request = job.request, name = computer.toStdString()](Engine& engine) {
            return planOn(name, engine, request);
        },
        [this, key](const std::optional<Plan>& plan) {
            if (!plan) return static_cast<void>(plans_.remove(key));
            plans_[key] = ui::plannedSeconds(*plan);
            updateTimes();
        },
        [this, key](const Error& error) { forgetPlan(key, error); });
}

/// Lets a plan be requested again with the next change of the queue, unless the answer would be the same.
void QueueModel::forgetPlan(const QString& key, const Error& error) {
    const bool mayPass = error.code() == ErrorCode::engine_lost;
    if (mayPass || ++refusedPlans_[key] < kMostRefusedPlans) plans_.remove(key);
}

std::optional<PhaseSeconds> QueueModel::plannedSeconds(JobId job) const {
    const auto key = planKeys_.constFind(job);
    return key == planKeys_.constEnd() ? std::nullopt : plans_.value(*key);
}

void QueueModel::forgetRemovedJobs() {
    QSet<JobId> jobs;
    for (const Job& job : bridge_.jobs()) jobs.insert(job.id);
    const auto isGone = [&jobs](const auto& entry) { return !jobs.contains(entry.key()); };
    runs_.removeIf(isGone);
    planKeys_.removeIf(isGone);
    pictures_.removeIf(isGone);
    videos_.removeIf(isGone);
}

QueuedTime QueueModel::timeOf(const Job& job) const {
    const auto planned = totalOf(plannedSeconds(job.id));
    if (job.state != JobState::running) return {job.state, planned};
    const auto left = secondsLeft(job);
    return {job.state, left ? left : remaining(planned, job)};
}

/// Each computer runs its own jobs. A cluster decides itself when a job starts that waits there.
void QueueModel::updateTimes() {
    QMap<QString, std::vector<const Job*>> queues;
    for (const Job& job : rows_) {
        const bool isCounted = !bridge_.isHeld() && !bridge_.sleeps(job) && job.waits_for.empty() && isReached(job);
        if (isCounted) queues[ComputerListModel::of(bridge_).computerOf(job.id)].push_back(&job);
    }
    starts_.clear();
    for (const std::vector<const Job*>& queue : queues) {
        std::vector<QueuedTime> times;
        for (const Job* job : queue) times.push_back(timeOf(*job));
        const auto starts = secondsToStart(times);
        for (std::size_t i = 0; i < queue.size(); ++i)
            if (starts[i]) starts_[queue[i]->id] = *starts[i];
    }
    if (!rows_.empty()) Q_EMIT dataChanged(index(0), index(rowCount() - 1), {SecondsLeftRole, SecondsToStartRole});
}

void QueueModel::reportEnds() {
    std::vector<Job> fresh;
    QSet<JobId> ended;
    for (const Job& job : rows_) {
        if (job.state != JobState::failed && job.state != JobState::finished) continue;
        ended.insert(job.id);
        if (ready_ && !ended_.contains(job.id)) fresh.push_back(job);
    }
    ended_ = ended;
    for (const Job& job : fresh) {
        if (job.state == JobState::failed) Q_EMIT jobFailed(job);
        if (job.state == JobState::finished) Q_EMIT jobFinished(job);
    }
}

int QueueModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int QueueModel::rowOf(JobId job) const {
    const auto found = std::find_if(rows_.begin(), rows_.end(), [job](const Job& row) { return row.id == job; });
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int QueueModel::numOver() const {
    return static_cast<int>(
        std::count_if(rows_.begin(), rows_.end(), [](const Job& job) { return is_over(job.state); }));
}

int QueueModel::numFailed() const {
    return static_cast<int>(
        std::count_if(rows_.begin(), rows_.end(), [](const Job& job) { return job.state == JobState::failed; }));
}

int QueueModel::numOpen() const {
    return rowCount() - numOver();
}

int QueueModel::numClearable() const {
    return static_cast<int>(std::ranges::count_if(rows_, isClearable));
}

bool QueueModel::isOpen(int row) const {
    return row >= 0 && row < rowCount() && groupOf(job(row).state) == 1;
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Job& record = job(index.row());
    switch (role) {
        case Qt::DisplayRole:
            return jobName(record, ModelNames::of(bridge_));
        case Qt::ToolTipRole:
            return toolTip(record);
        case Qt::AccessibleTextRole:
            return tr("%1. %2", "prompt of a job, its state")
                .arg(jobName(record, ModelNames::of(bridge_)),
                     (status(record) + QLatin1Char(' ') + reason(record)).trimmed());
        case Qt::UserRole:
            return QVariant::fromValue(static_cast<qlonglong>(record.id));
        case StateRole:
            return static_cast<int>(record.state);
        case DamagedRole:
            return is_damaged(record);
        case SleepsRole:
            return bridge_.sleeps(record);
        case FactsRole:
            return facts(record);
        case ComputerRole: {
            const QString computer = ComputerListModel::of(bridge_).computerOf(record.id);
            return computer.isEmpty() ? QString() : tr("On %1", "computer").arg(computer);
        }
        case StatusRole:
            return status(record);
        case ReasonRole:
            return reason(record);
        case FractionRole:
            return record.num_steps > 0 ? static_cast<double>(record.step) / record.num_steps : 0.0;
        case SecondsLeftRole: {
            const auto seconds = secondsLeft(record);
            return seconds ? QVariant(*seconds) : QVariant();
        }
        case SecondsToStartRole:
            return starts_.contains(record.id) ? QVariant(starts_.value(record.id)) : QVariant();
        case PictureRole:
            return picture(record);
        default:
            return {};
    }
}

QString QueueModel::facts(const Job& job) const {
    if (is_damaged(job)) return {};
    return factsOf(job.request, ModelNames::of(bridge_).nameOf(job.request.model),
                   ComputerListModel::of(bridge_).computerOf(job.id));
}

QString QueueModel::status(const Job& job) const {
    switch (job.state) {
        case JobState::waiting:
            return bridge_.sleeps(job) ? tr("waiting from an earlier session") : tr("waiting");
        case JobState::running:
            return job.num_steps > 0 ? tr("Step %1 of %2").arg(job.step).arg(job.num_steps) : tr("Preparing");
        case JobState::paused:
            return job.step > 0 ? tr("Paused at step %1 of %2").arg(job.step).arg(job.num_steps) : tr("Paused");
        case JobState::interrupted:
            return tr("Interrupted at step %1 of %2").arg(job.step).arg(job.num_steps);
        case JobState::finished:
            return tr("Done");
        case JobState::cancelled:
            return tr("Stopped");
        case JobState::failed:
            return job.error ? errorText(*job.error).title : tr("Failed");
    }
    return {};
}

QString QueueModel::reason(const Job& job) const {
    if (job.state == JobState::waiting) {
        const ComputerStatus* computer = ComputerListModel::of(bridge_).statusOf(job.id);
        if (computer && computer->state == ComputerState::unreachable && computer->error)
            return computerErrorText(*computer->error);
    }
    if (job.state == JobState::running && !isReached(job)) {
        const QString computer = ComputerListModel::of(bridge_).computerOf(job.id);
        return is_fetched(job) ? finishedThereText(computer) : goesOnText(computer);
    }
    if (job.state == JobState::waiting || job.state == JobState::running) return waitReasonText(job);
    return job.state == JobState::failed && job.error ? errorText(*job.error).sentence : QString();
}

QString QueueModel::toolTip(const Job& job) const {
    QStringList lines{jobName(job, ModelNames::of(bridge_)), facts(job)};
    if (job.state != JobState::failed) lines << status(job) << reason(job);
    if (job.state == JobState::failed && job.error) {
        const ErrorText words = errorText(*job.error);
        lines << words.title << words.sentence << words.detail;
    }
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

void QueueModel::setThumbnails(ThumbnailStore& thumbnails) {
    thumbnails_ = &thumbnails;
    connect(thumbnails_, &ThumbnailStore::ready, this, [this](const QString& file) {
        for (int row = 0; row < rowCount(); ++row)
            if (pathText(job(row).output) == file) Q_EMIT dataChanged(index(row), index(row), {PictureRole});
    });
    lookAtVideos();
}

/// Asks a worker thread for the videos whose pictures are not known from this session.
void QueueModel::lookAtVideos() {
    if (!thumbnails_) return;
    QHash<JobId, QString> files;
    for (const Job& job : rows_) {
        const QString file = pathText(job.output);
        if (file.isEmpty() || pictures_.contains(job.id)) continue;
        Video& video = videos_[job.id];
        if (video.file == file && video.isCurrent) continue;
        video = {file, video.file == file ? video.made : QDateTime(), true};
        files[job.id] = file;
    }
    if (files.isEmpty()) return;
    QThreadPool::globalInstance()->start([model = QPointer(this), files] {
        const QHash<QString, QDateTime> made = writeTimes(files);
        QMetaObject::invokeMethod(qApp, [model, files, made] {
            if (model) model->onVideosSeen(files, made);
        });
    });
}

void QueueModel::onVideosSeen(const QHash<JobId, QString>& files, const QHash<QString, QDateTime>& made) {
    bool isChanged = false;
    for (auto video = videos_.begin(); video != videos_.end(); ++video) {
        if (files.value(video.key()) != video->file) continue;
        const QDateTime time = made.value(video->file);
        isChanged = std::exchange(video->made, time) != time || isChanged;
    }
    if (isChanged && !rows_.empty()) Q_EMIT dataChanged(index(0), index(rowCount() - 1), {PictureRole});
}

QImage QueueModel::picture(const Job& job) const {
    const QImage seen = pictures_.value(job.id);
    if (!seen.isNull() || !thumbnails_) return seen;
    const auto video = videos_.constFind(job.id);
    if (video == videos_.constEnd() || !video->made.isValid()) return {};
    const QList<QImage> frames = thumbnails_->frames(video->file, video->made);
    return frames.isEmpty() ? QImage() : frames[frames.size() / 2];  // the first frame is often black
}

Qt::ItemFlags QueueModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::ItemIsDropEnabled;
    const Qt::ItemFlags plain = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    return isOpen(index.row()) ? plain | Qt::ItemIsDragEnabled : plain;
}

QStringList QueueModel::mimeTypes() const {
    return {kJobsMime};
}

QMimeData* QueueModel::mimeData(const QModelIndexList& indexes) const {
    if (indexes.isEmpty()) return nullptr;
    auto* mime = new QMimeData;
    mime->setData(kJobsMime, indexes.front().data(Qt::UserRole).toByteArray());
    return mime;
}

bool QueueModel::dropMimeData(const QMimeData* mime, Qt::DropAction action, int row, int, const QModelIndex& parent) {
    if (action != Qt::MoveAction || !mime->hasFormat(kJobsMime)) return false;
    const JobId dragged = mime->data(kJobsMime).toLongLong();
    const int from = rowOf(dragged);
    int target = row >= 0 ? row : parent.isValid() ? parent.row() : rowCount();
    if (target > from) --target;
    if (from >= 0) moveTo(dragged, target);
    return false;  // the engine reports the new order; false keeps the view from removing rows
}

void QueueModel::moveTo(JobId moved, int row) {
    const int from = rowOf(moved);
    if (!isOpen(from)) return;
    while (row < rowCount() && row < from && !isOpen(row)) ++row;
    while (row > from && !isOpen(row)) --row;
    if (row == from || row < 0) return;
    const auto& jobs = bridge_.jobs();
    const JobId there = job(row).id;
    const auto place = std::find_if(jobs.begin(), jobs.end(), [there](const Job& one) { return one.id == there; });
    bridge_.move(moved, static_cast<int>(place - jobs.begin()));
}

void QueueModel::moveBy(JobId job, int rows) {
    const int from = rowOf(job);
    if (from >= 0 && isOpen(from + rows)) moveTo(job, from + rows);
}

void QueueModel::remove(JobId job) {
    const int row = rowOf(job);
    if (row < 0 || this->job(row).state == JobState::running) return;
    const Job record = this->job(row);
    finishRemoval();
    removed_ = record;
    undoTimer_.start();
    onQueueChanged();
    Q_EMIT removed(jobName(*removed_, ModelNames::of(bridge_)));
}

void QueueModel::undoRemove() {
    if (!removed_) return;
    undoTimer_.stop();
    const Job back = *std::exchange(removed_, std::nullopt);
    const auto& jobs = bridge_.jobs();
    const bool there = std::any_of(jobs.begin(), jobs.end(), [&](const Job& job) { return job.id == back.id; });
    if (!there) bridge_.submit(back.request);  // the job was started meanwhile and is gone
    onQueueChanged();
    Q_EMIT removalDone();
}

void QueueModel::finishRemoval() {
    undoTimer_.stop();
    if (!removed_) return;
    bridge_.remove(std::exchange(removed_, std::nullopt)->id);
    Q_EMIT removalDone();
}

void QueueModel::clearOver() {
    for (const Job& job : rows_) {
        if (isClearable(job)) bridge_.remove(job.id);
    }
}

void QueueModel::setProgress(JobId job, const Progress& progress) {
    if (!progress.picture.isNull()) pictures_[job] = progress.picture;
    activeJob_ = job;
    secondsLeft_ = progress.secondsLeft;
    const int row = rowOf(job);
    if (row < 0) return;
    Job& record = rows_[static_cast<std::size_t>(row)];
    if (progress.numSteps > 0) record.num_steps = progress.numSteps;
    record.step = std::max(record.step, progress.step);
    Q_EMIT dataChanged(index(row), index(row));
    updateTimes();
}

}  // namespace kinescope::ui
