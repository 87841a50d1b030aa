#include "ui/models/history_model.h"
#include "ui/models/in_pool.h"
#include "ui/models/log_folder.h"
#include "ui/models/model_names.h"
#include "ui/models/queue_model.h"
#include "ui/text/words.h"

#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QMimeData>
#include <QUrl>
#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

namespace kinescope::ui {
namespace {

constexpr int kPage = 200;
constexpr std::chrono::milliseconds kArrangeDelay{200};
constexpr auto kFavorites = "history/favourites";

/// What happens to the log of a video that is moved to the trash.
enum class LogAfter { trashed, kept };

/// Moves a video and perhaps its log to the trash. A log outside Kinescope's folder is always kept, because the user
/// may need it. Returns an error message, or an empty string on success.
QString trash(const QString& file, LogAfter after) {
    QFile video(file);
    const QString log = after == LogAfter::trashed ? logOf(file) : QString();
    const bool isOurs = isInLogFolder(log);
    if (!video.moveToTrash()) return video.errorString();
    if (isOurs) QFile::moveToTrash(log);
    return {};
}

QString factsOf(const HistoryItem& item, const ModelNames& names) {
    if (!item.request) return QFileInfo(item.file).fileName();
    const VideoRequest& request = *item.request;
    QStringList facts{names.nameOf(request.model), sizeText(request)};
    if (num_parts(request) > 1) facts << HistoryModel::tr("%Ln parts", nullptr, num_parts(request));
    if (request.continue_video) facts << HistoryModel::tr("continuation");
    if (!request.finish.upscaler.empty()) facts << HistoryModel::tr("upscaled");
    if (!request.finish.interpolator.empty()) facts << HistoryModel::tr("interpolated");
    if (request.seed) facts << HistoryModel::tr("seed %1").arg(*request.seed);
    facts.removeAll(QString());
    return facts.join(QStringLiteral(", "));
}

}  // namespace

HistoryModel::HistoryModel(EngineBridge& bridge, QSettings& settings, const QDir& thumbnails, QObject* parent)
    : QAbstractListModel(parent), bridge_(bridge), settings_(settings), thumbnails_(bridge, thumbnails) {
    pool_.setMaxThreadCount(1);
    arrangeTimer_.setSingleShot(true);
    arrangeTimer_.setInterval(kArrangeDelay);
    connect(&arrangeTimer_, &QTimer::timeout, this, &HistoryModel::arrange);
    connect(&ModelNames::of(bridge_), &ModelNames::changed, this, [this] {
        if (rowCount() > 0) Q_EMIT dataChanged(index(0), index(rowCount() - 1));
    });
    connect(
        &bridge_, &EngineBridge::settingsRead, this,
        [this](const std::filesystem::path& video, const VideoRequest& request) { onSettingsRead(video, request); });
    connect(&bridge_, &EngineBridge::settingsFailed, this,
            [this](const std::filesystem::path& video, const Error&) { onSettingsRead(video, std::nullopt); });
    connect(&thumbnails_, &ThumbnailStore::ready, this, [this](const QString& file) {
        const int row = rowOf(file);
        if (row >= 0) Q_EMIT dataChanged(index(row), index(row), {FramesRole});
    });
}

HistoryModel::~HistoryModel() {
    pool_.clear();
    pool_.waitForDone();
}

void HistoryModel::scan(const QString& folder) {
    const int ticket = ++scan_;
    asked_ = folder;
    pool_.start([this, ticket, folder] {
        auto items = scanVideos(folder);
        QMetaObject::invokeMethod(
            this,
            [this, ticket, folder, items = std::move(items)]() mutable {
                if (ticket == scan_) onScanned(folder, std::move(items));
            },
            Qt::QueuedConnection);
    });
}

void HistoryModel::onScanned(const QString& folder, std::vector<HistoryItem> items) {
    const bool isSameFolder = folder == std::exchange(folder_, folder);
    const QStringList favorites = settings_.value(QLatin1String(kFavorites)).toStringList();
    const QSet<QString> marked(favorites.begin(), favorites.end());
    QSet<QString> found;
    for (HistoryItem& item : items) {
        found.insert(item.file);
        item.favorite = marked.contains(item.file);
        const HistoryItem* known = find(item.file);
        if (!known || known->made != item.made) continue;
        item.request = known->request;
        item.seconds = known->seconds;
        item.asked = known->asked;
        item.measured = known->measured;
    }
    for (const HistoryItem& known : items_) {
        if (!isSameFolder || found.contains(known.file)) continue;
        items.push_back(known);
        items.back().missing = true;
    }
    std::stable_sort(items.begin(), items.end(),
                     [](const HistoryItem& a, const HistoryItem& b) { return a.made > b.made; });
    changeItems([&] { items_ = std::move(items); });
    Q_EMIT scanned();
    if (awaited_.isEmpty()) readNextSettings();
}

void HistoryModel::changeItems(const std::function<void()>& change) {
    beginResetModel();  // views read the old items once more
    change();
    places_.clear();
    for (std::size_t i = 0; i < items_.size(); ++i) places_[items_[i].file] = static_cast<int>(i);
    next_ = 0;
    fillRows();
    endResetModel();
    Q_EMIT changed();
}

void HistoryModel::readNextSettings() {
    while (next_ < items_.size() && (items_[next_].asked || items_[next_].missing)) ++next_;
    awaited_ = next_ < items_.size() ? items_[next_].file : QString();
    if (!awaited_.isEmpty()) bridge_.askSettings(awaited_.toStdU16String());
}

void HistoryModel::onSettingsRead(const std::filesystem::path& video, const std::optional<VideoRequest>& request) {
    const QString file = pathText(video);
    if (HistoryItem* item = find(file)) {
        const bool was_shown = isShown(*item, filter_);
        item->request = request;
        item->asked = true;
        if (was_shown != isShown(*item, filter_) && !arrangeTimer_.isActive()) arrangeTimer_.start();
        emitItemChanged(file);
    }
    if (file == awaited_) readNextSettings();
}

void HistoryModel::readLength(HistoryItem& measured) {
    if (!measured.asked || measured.measured || measured.missing || clipSeconds(measured)) return;
    measured.measured = true;
    const QString file = measured.file;
    bridge_.request(
        Lane::media, this, [file](Engine& engine) { return engine.videos().describe_video(file.toStdU16String()); },
        [this, file, made = measured.made](const VideoDescription& video) {
            HistoryItem* item = find(file);
            if (!item || item->made != made || video.fps <= 0) return;
            item->seconds = video.num_frames / video.fps;
            emitItemChanged(file);
        },
        [](const Error&) {});  // an unreadable file has no length
}

void HistoryModel::setFilter(const HistoryFilter& filter) {
    if (filter == filter_) return;
    filter_ = filter;
    arrange();
}

void HistoryModel::arrange() {
    beginResetModel();
    fillRows();
    endResetModel();
    Q_EMIT changed();
}

void HistoryModel::fillRows() {
    arrangeTimer_.stop();
    rows_.clear();
    num_shown_ = 0;
    const QDate today = QDate::currentDate();
    QDate day;
    for (std::size_t i = 0; i < items_.size(); ++i) {
        if (!isShown(items_[i], filter_)) continue;
        if (items_[i].made.date() != day) {
            day = items_[i].made.date();
            rows_.push_back({-1, dayText(day, today)});
        }
        rows_.push_back({static_cast<int>(i), {}});
        ++num_shown_;
    }
    loaded_ = std::min(std::max(kPage, loaded_), static_cast<int>(rows_.size()));
}

int HistoryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : loaded_;
}

bool HistoryModel::canFetchMore(const QModelIndex& parent) const {
    return !parent.isValid() && loaded_ < static_cast<int>(rows_.size());
}

void HistoryModel::fetchMore(const QModelIndex&) {
    const int more = std::min(kPage, static_cast<int>(rows_.size()) - loaded_);
    if (more <= 0) return;
    beginInsertRows({}, loaded_, loaded_ + more - 1);
    loaded_ += more;
    endInsertRows();
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    if (row.item < 0) {
        if (role == HeadingRole) return true;
        return role == Qt::DisplayRole ? QVariant(row.heading) : QVariant();
    }
    const HistoryItem& item = items_[static_cast<std::size_t>(row.item)];
    switch (role) {
        case Qt::DisplayRole:
            return titleOf(item);
        case Qt::ToolTipRole:
            return (QStringList{titleOf(item)} + item.warnings).join(QLatin1Char('\n'));
        case Qt::UserRole:
            return item.file;
        case HeadingRole:
            return false;
        case TimeRole:
            return QLocale().toString(item.made.time(), QLocale::ShortFormat);
        case LengthRole:
            if (auto* known = const_cast<HistoryModel*>(this); HistoryItem* shown = known->find(item.file))
                known->readLength(*shown);
            return clipSeconds(item) ? QVariant(*clipSeconds(item)) : QVariant();
        case BadgeRole:
            return QVariant::fromValue(badgeOf(item));
        case MissingRole:
            return item.missing;
        case FavoriteRole:
            return item.favorite;
        case FactsRole:
            return factsOf(item, ModelNames::of(bridge_));
        case FramesRole:
            return item.missing ? QVariant() : QVariant::fromValue(thumbnails_.frames(item.file, item.made));
        default:
            return {};
    }
}

Qt::ItemFlags HistoryModel::flags(const QModelIndex& index) const {
    if (!index.isValid() || index.data(HeadingRole).toBool()) return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
}

QMimeData* HistoryModel::mimeData(const QModelIndexList& indexes) const {
    QList<QUrl> urls;
    for (const QModelIndex& index : indexes) urls << QUrl::fromLocalFile(index.data(Qt::UserRole).toString());
    auto* mime = new QMimeData;
    mime->setUrls(urls);
    return mime;
}

HistoryItem* HistoryModel::find(const QString& file) {
    const auto place = places_.constFind(file);
    return place == places_.constEnd() ? nullptr : &items_[static_cast<std::size_t>(*place)];
}

const HistoryItem* HistoryModel::item(const QString& file) const {
    return const_cast<HistoryModel*>(this)->find(file);
}

int HistoryModel::rowOf(const QString& file) const {
    const int row = shownRowOf(file);
    return row < loaded_ ? row : -1;
}

int HistoryModel::loadRowOf(const QString& file) {
    const int row = shownRowOf(file);
    while (row >= loaded_) fetchMore({});
    return row;
}

int HistoryModel::shownRowOf(const QString& file) const {
    const auto place = places_.constFind(file);
    if (place == places_.constEnd()) return -1;
    const auto row = std::ranges::find(rows_, *place, &Row::item);
    return row == rows_.end() ? -1 : static_cast<int>(row - rows_.begin());
}

qint64 HistoryModel::bytes() const {
    return std::accumulate(items_.begin(), items_.end(), qint64{0},
                           [](qint64 sum, const HistoryItem& item) { return sum + item.bytes; });
}

void HistoryModel::emitItemChanged(const QString& file) {
    const int row = rowOf(file);
    if (row >= 0) Q_EMIT dataChanged(index(row), index(row));
    Q_EMIT itemChanged(file);
}

void HistoryModel::toggleFavorite(const QString& file) {
    HistoryItem* item = find(file);
    if (!item) return;
    item->favorite = !item->favorite;
    QStringList favorites = settings_.value(QLatin1String(kFavorites)).toStringList();
    favorites.removeAll(file);
    if (item->favorite) favorites << file;
    settings_.setValue(QLatin1String(kFavorites), favorites);
    if (filter_.kind == HistoryFilter::Kind::favorites) arrange();
    emitItemChanged(file);
}

/// Returns whether no other video has the name of this one. Their log would have the same name, too.
bool HistoryModel::hasNameOfItsOwn(const HistoryItem& item) const {
    const auto name = [](const QString& file) { return QFileInfo(file).completeBaseName(); };
    return std::ranges::none_of(items_, [&](const HistoryItem& other) {
        return other.file != item.file && name(other.file) == name(item.file);
    });
}

bool HistoryModel::movesLog(const QString& file) const {
    const HistoryItem* known = item(file);
    return known && !known->missing && known->hasLog && hasNameOfItsOwn(*known);
}

void HistoryModel::moveToTrash(const QString& file, const std::function<void(const QString&)>& done) {
    const HistoryItem* known = item(file);
    if (!known) return done({});
    const auto finish = [this, file, done](const QString& fault) {
        const int place = places_.value(file, -1);  // another scan may have removed it
        if (fault.isEmpty() && place >= 0) changeItems([&] { items_.erase(items_.begin() + place); });
        done(fault);
    };
    if (known->missing) return finish({});
    inPool(
        this,
        [file, after = hasNameOfItsOwn(*known) ? LogAfter::trashed : LogAfter::kept] { return trash(file, after); },
        finish);
}

}  // namespace kinescope::ui
