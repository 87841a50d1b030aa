#include "ui/models/explore_model.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMimeData>
#include <QSet>
#include <QUrl>
#include <algorithm>

#include "core/api/user_dirs.h"
#include "ui/models/explore_rule.h"
#include "ui/models/save_file.h"
#include "ui/models/write_times.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

constexpr qint64 kLargestFile = 16 << 20;
constexpr std::size_t kMostTiles = 2000;

QString fileOf(const VideoRequest& request) {
    return pathText(request.output.file);
}

QString seedText(const VideoRequest& request) {
    const quint64 seed = request.seed.value_or(0);
    if (!request.variation_of) return ExploreModel::tr("Seed %1").arg(seed);
    return ExploreModel::tr("Seed %1, %2 % of seed %3", "seed, strength, seed of the variation")
        .arg(*request.variation_of)
        .arg(qRound(request.variation_strength.value_or(kDefaultVariationStrength) * 100))
        .arg(seed);
}

TileState stateOf(JobState state) {
    switch (state) {
        case JobState::running:
            return TileState::running;
        case JobState::finished:
            return TileState::done;
        case JobState::failed:
            return TileState::failed;
        case JobState::cancelled:
            return TileState::stopped;
        case JobState::waiting:
        case JobState::paused:
        case JobState::interrupted:
            break;
    }
    return TileState::waiting;
}

/// Reads the requests of the last session. Skips lines that are damaged or from another version.
std::vector<VideoRequest> readRequests(const QString& file) {
    QFile kept(file);
    std::vector<VideoRequest> requests;
    if (kept.size() > kLargestFile || !kept.open(QIODevice::ReadOnly)) return requests;
    for (const QByteArray& line : kept.readAll().split('\n')) {
        if (line.trimmed().isEmpty() || requests.size() >= kMostTiles) continue;
        try {
            requests.push_back(parse_request(line.toStdString()));
        } catch (const Error&) {
            continue;
        }
    }
    return requests;
}

void writeFile(const QString& name, const QByteArray& text) {
    QDir().mkpath(QFileInfo(name).path());
    if (const QString fault = saveFile(name, text); !fault.isEmpty())
        qWarning("The results in Explore were not saved to %s: %s", qPrintable(name), qPrintable(fault));
}

}  // namespace

ExploreModel::ExploreModel(QueueModel& queue, HistoryModel& history, QString file, QObject* parent)
    : QAbstractListModel(parent), queue_(queue), history_(history), file_(std::move(file)) {
    files_.setMaxThreadCount(1);
    looks_.setMaxThreadCount(1);
    restore();
    connect(&queue_, &QueueModel::changed, this, &ExploreModel::update);
    connect(&queue_, &QueueModel::dataChanged, this, [this](const QModelIndex& first, const QModelIndex& last) {
        if (first.row() == last.row()) updateJob(first.row());
    });
    connect(&history_, &HistoryModel::changed, this, &ExploreModel::lookAtFilesAgain);
    connect(&history_, &HistoryModel::itemChanged, this, &ExploreModel::emitFile);
    connect(&history_.thumbnails(), &ThumbnailStore::ready, this, &ExploreModel::emitFile);
}

ExploreModel::~ExploreModel() {
    looks_.clear();
    looks_.waitForDone();
    files_.waitForDone();  // saves the last grid
}

QString ExploreModel::defaultFile() {
    return pathText(user_dirs().data / "explore.jsonl");
}

std::vector<ExploreModel::Tile> ExploreModel::tilesOf(const std::vector<VideoRequest>& requests) {
    std::vector<Tile> tiles;
    for (const VideoRequest& request : requests)
        if (!request.output.file.empty()) tiles.push_back({.request = request, .file = fileOf(request), .made = {}});
    return tiles;
}

void ExploreModel::setRequests(const std::vector<VideoRequest>& requests) {
    isRestored_ = true;
    beginResetModel();
    tiles_ = tilesOf(requests);
    endResetModel();
    update();
    save();
}

void ExploreModel::showAgain(const std::vector<VideoRequest>& requests) {
    setRequests(requests);
    stopAwaiting();
}

void ExploreModel::stopAwaiting() {
    for (Tile& tile : tiles_) tile.isAwaited = false;
    update();
}

std::vector<VideoRequest> ExploreModel::requests() const {
    std::vector<VideoRequest> all;
    for (const Tile& tile : tiles_) all.push_back(tile.request);
    return all;
}

int ExploreModel::room() const {
    return static_cast<int>(kMostTiles - std::min(kMostTiles, tiles_.size()));
}

void ExploreModel::insertAfter(int row, const std::vector<VideoRequest>& requests) {
    const std::vector<Tile> tiles = tilesOf(requests);
    if (tiles.empty()) return;
    isRestored_ = true;
    const int first = std::clamp(row + 1, 0, rowCount());
    beginInsertRows({}, first, first + static_cast<int>(tiles.size()) - 1);
    tiles_.insert(tiles_.begin() + first, tiles.begin(), tiles.end());
    endInsertRows();
    update();
    save();
}

void ExploreModel::restore() {
    if (file_.isEmpty()) return;
    files_.start([this, name = file_] {
        auto requests = readRequests(name);
        QMetaObject::invokeMethod(
            this,
            [this, requests = std::move(requests)] {
                if (isRestored_ || requests.empty()) return;
                isRestored_ = true;
                beginResetModel();
                tiles_ = tilesOf(requests);
                endResetModel();
                stopAwaiting();
            },
            Qt::QueuedConnection);
    });
}

void ExploreModel::save() {
    if (file_.isEmpty()) return;
    QByteArray text;
    for (const Tile& tile : tiles_) text += QByteArray::fromStdString(to_json(tile.request)) + '\n';
    files_.start([name = file_, text] { writeFile(name, text); });
}

void ExploreModel::update() {
    QHash<QString, int> jobs;
    for (int row = 0; row < queue_.rowCount(); ++row) {
        const QString file = fileOf(queue_.job(row).request);
        const int known = jobs.value(file, -1);
        // A failed job may have left its name to a later one.
        if (known < 0 || queue_.job(row).id > queue_.job(known).id) jobs[file] = row;
    }
    for (Tile& tile : tiles_) {
        tile.job = jobs.value(tile.file, -1);
        readState(tile);
    }
    lookAtFiles();
    emitAll();
}

void ExploreModel::emitAll() {
    if (!tiles_.empty()) Q_EMIT dataChanged(index(0), index(rowCount() - 1));
    Q_EMIT changed();
}

/// Updates the result of a job whose progress has changed.
void ExploreModel::updateJob(int job) {
    for (int row = 0; row < rowCount(); ++row)
        if (tiles_[static_cast<std::size_t>(row)].job == job) emitTile(row);
}

/// Returns true if no job will write the file anymore.
bool ExploreModel::isOver(const Tile& tile) {
    return !tile.isAwaited && (tile.job < 0 || tile.state == TileState::done);
}

void ExploreModel::readState(Tile& tile) const {
    if (tile.job >= 0) {
        tile.isAwaited = false;
        tile.state = stateOf(queue_.job(tile.job).state);
        if (tile.state != TileState::done) tile.look = FileLook::needed;
    }
    if (tile.look == FileLook::needed) tile.made = {};
    if (isOver(tile) && tile.look == FileLook::done)
        tile.state = tile.made.isValid() ? TileState::done : TileState::missing;
}

/// Looks at the files of results that are over, unless it did so before.
void ExploreModel::lookAtFiles() {
    QStringList files;
    for (Tile& tile : tiles_) {
        if (!isOver(tile) || tile.look != FileLook::needed) continue;
        tile.look = FileLook::asked;
        files << tile.file;
    }
    if (files.isEmpty()) return;
    looks_.start([this, files] {
        QMetaObject::invokeMethod(
            this, [this, files, times = writeTimes(files)] { onFilesSeen(files, times); }, Qt::QueuedConnection);
    });
}

/// Looks at all files, because one may be deleted. The states stay as they are until the answer.
void ExploreModel::lookAtFilesAgain() {
    looks_.clear();  // replaces looks that have not begun
    for (Tile& tile : tiles_)
        if (isOver(tile)) tile.look = FileLook::needed;
    lookAtFiles();
}

void ExploreModel::onFilesSeen(const QStringList& files, const QHash<QString, QDateTime>& made) {
    const QSet<QString> seen(files.begin(), files.end());
    for (Tile& tile : tiles_) {
        if (tile.look != FileLook::asked || !seen.contains(tile.file)) continue;
        tile.look = FileLook::done;
        tile.made = made.value(tile.file);
        readState(tile);
    }
    emitAll();
}

void ExploreModel::emitTile(int row) {
    Q_EMIT dataChanged(index(row), index(row));
}

void ExploreModel::emitFile(const QString& file) {
    for (int row = 0; row < rowCount(); ++row)
        if (tiles_[static_cast<std::size_t>(row)].file == file) emitTile(row);
}

int ExploreModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(tiles_.size());
}

int ExploreModel::numDone() const {
    return static_cast<int>(std::ranges::count(tiles_, TileState::done, &Tile::state));
}

QString ExploreModel::status(const Tile& tile) const {
    if (tile.state == TileState::done) return {};
    if (tile.state == TileState::missing) return tr("Not made or deleted");
    return tile.job < 0 ? tr("Waiting") : queue_.index(tile.job).data(QueueModel::StatusRole).toString();
}

QList<QImage> ExploreModel::frames(const Tile& tile) const {
    const QList<QImage> clip =
        tile.made.isValid() ? history_.thumbnails().frames(tile.file, tile.made) : QList<QImage>();
    if (!clip.isEmpty() || tile.job < 0) return clip;
    const auto preview = queue_.index(tile.job).data(QueueModel::PictureRole).value<QImage>();
    return preview.isNull() ? QList<QImage>() : QList<QImage>{preview};
}

QVariant ExploreModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Tile& tile = tiles_[static_cast<std::size_t>(index.row())];
    const auto prompt = [&] { return QString::fromStdString(tile.request.prompt).simplified(); };
    switch (role) {
        case Qt::DisplayRole:
            return prompt();
        case Qt::ToolTipRole:
            return QStringList{prompt(), seedText(tile.request), status(tile)}.join(QLatin1Char('\n')).trimmed();
        case Qt::AccessibleTextRole:
            return tr("%1. %2. %3", "prompt, seed, state").arg(prompt(), seedText(tile.request), status(tile));
        case Qt::UserRole:
            return tile.file;
        case StateRole:
            return static_cast<int>(tile.state);
        case SeedRole:
            return seedText(tile.request);
        case StatusRole:
            return status(tile);
        case FramesRole:
            return QVariant::fromValue(frames(tile));
        case FractionRole:
            return tile.job < 0 ? 0.0 : queue_.index(tile.job).data(QueueModel::FractionRole).toDouble();
        case FavoriteRole:
            return isFavorite(tile);
        default:
            return {};
    }
}

Qt::ItemFlags ExploreModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    const Qt::ItemFlags plain = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    return state(index.row()) == TileState::done ? plain | Qt::ItemIsDragEnabled : plain;
}

QMimeData* ExploreModel::mimeData(const QModelIndexList& indexes) const {
    QList<QUrl> urls;
    for (const QModelIndex& index : indexes) urls << QUrl::fromLocalFile(index.data(Qt::UserRole).toString());
    auto* mime = new QMimeData;
    mime->setUrls(urls);
    return mime;
}

bool ExploreModel::isFavorite(const Tile& tile) const {
    const HistoryItem* item = history_.item(tile.file);
    return item != nullptr && item->favorite;
}

void ExploreModel::toggleFavorites(const QList<int>& rows) {
    const auto tile = [this](int row) -> const Tile& { return tiles_[static_cast<std::size_t>(row)]; };
    const bool areAll = std::ranges::all_of(rows, [&](int row) { return isFavorite(tile(row)); });
    for (const int row : rows)
        if (isFavorite(tile(row)) == areAll) history_.toggleFavorite(tile(row).file);
}

}  // namespace kinescope::ui
