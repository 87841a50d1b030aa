#include "ui/models/explore_model.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMimeData>
#include <QSaveFile>
#include <QThreadPool>
#include <QUrl>
#include <algorithm>

#include "core/api/user_dirs.h"
#include "ui/models/explore_rule.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

constexpr qint64 kLargestFile = 16 << 20;
constexpr std::size_t kMostTiles = 2000;

QString fileOf(const VideoRequest& request) {
    return pathText(request.output.file);
}

QString seedText(const VideoRequest& request) {
    const qlonglong seed = request.seed.value_or(0);
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

}  // namespace

ExploreModel::ExploreModel(QueueModel& queue, HistoryModel& history, QString file, QObject* parent)
    : QAbstractListModel(parent), queue_(queue), history_(history), file_(std::move(file)) {
    restore();
    connect(&queue_, &QueueModel::changed, this, &ExploreModel::update);
    connect(&queue_, &QueueModel::dataChanged, this, [this](const QModelIndex& first, const QModelIndex& last) {
        if (first.row() == last.row()) updateJob(first.row());
    });
    connect(&history_, &HistoryModel::changed, this, &ExploreModel::update);
    connect(&history_, &HistoryModel::itemChanged, this, &ExploreModel::emitFile);
    connect(&history_.thumbnails(), &ThumbnailStore::ready, this, &ExploreModel::emitFile);
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
    beginResetModel();
    tiles_ = tilesOf(requests);
    endResetModel();
    update();
    save();
}

void ExploreModel::insertAfter(int row, const std::vector<VideoRequest>& requests) {
    const std::vector<Tile> tiles = tilesOf(requests);
    if (tiles.empty() || tiles_.size() + tiles.size() > kMostTiles) return;
    const int first = std::clamp(row + 1, 0, rowCount());
    beginInsertRows({}, first, first + static_cast<int>(tiles.size()) - 1);
    tiles_.insert(tiles_.begin() + first, tiles.begin(), tiles.end());
    endInsertRows();
    update();
    save();
}

/// Reads the requests of the last session. Skips lines that are damaged or from another version.
void ExploreModel::restore() {
    QFile kept(file_);
    if (file_.isEmpty() || kept.size() > kLargestFile || !kept.open(QIODevice::ReadOnly)) return;
    std::vector<VideoRequest> requests;
    for (const QByteArray& line : kept.readAll().split('\n')) {
        if (line.trimmed().isEmpty() || requests.size() >= kMostTiles) continue;
        try {
            requests.push_back(parse_request(line.toStdString()));
        } catch (const Error&) {
            continue;
        }
    }
    tiles_ = tilesOf(requests);
    for (Tile& tile : tiles_) tile.isAwaited = false;
    update();
}

void ExploreModel::save() const {
    if (file_.isEmpty()) return;
    QByteArray text;
    for (const Tile& tile : tiles_) text += QByteArray::fromStdString(to_json(tile.request)) + '\n';
    QThreadPool::globalInstance()->start([name = file_, text] {
        QDir().mkpath(QFileInfo(name).path());
        QSaveFile file(name);
        if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size()) file.commit();
    });
}

void ExploreModel::update() {
    QHash<QString, int> jobs;
    // The queue lists the newest finished job first, so that a repeated job counts and not its earlier attempt.
    for (int row = queue_.rowCount() - 1; row >= 0; --row) jobs[fileOf(queue_.job(row).request)] = row;
    for (Tile& tile : tiles_) {
        tile.job = jobs.value(tile.file, -1);
        readState(tile);
    }
    if (!tiles_.empty()) Q_EMIT dataChanged(index(0), index(rowCount() - 1));
    Q_EMIT changed();
}

/// Updates the result of a job whose progress has changed.
void ExploreModel::updateJob(int job) {
    for (int row = 0; row < rowCount(); ++row)
        if (tiles_[static_cast<std::size_t>(row)].job == job) emitTile(row);
}

void ExploreModel::readState(Tile& tile) const {
    if (tile.job >= 0) {
        tile.isAwaited = false;
        tile.state = stateOf(queue_.job(tile.job).state);
        if (tile.state != TileState::done) tile.made = {};
    }
    const bool isOver = tile.job < 0 || tile.state == TileState::done;
    if (!isOver || tile.isAwaited || tile.made.isValid()) return;
    const QFileInfo video(tile.file);
    if (video.exists()) tile.made = video.lastModified();
    tile.state = tile.made.isValid() ? TileState::done : TileState::missing;
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
    const auto isFavorite = [&] {
        const HistoryItem* item = history_.item(tile.file);
        return item != nullptr && item->favorite;
    };
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
            return isFavorite();
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

void ExploreModel::toggleFavorite(int row) {
    history_.toggleFavorite(tiles_[static_cast<std::size_t>(row)].file);
}

}  // namespace kinescope::ui
