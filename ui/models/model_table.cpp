#include "ui/models/model_table.h"

#include <QDir>
#include <algorithm>
#include <ranges>
#include <utility>

#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

QString idOf(const ModelEntry& entry) {
    return QString::fromStdString(entry.card.id);
}

}  // namespace

ModelTable::ModelTable(EngineInspector& inspector, QObject* parent)
    : QAbstractTableModel(parent), inspector_(inspector) {
    connect(&inspector_, &EngineInspector::modelsFound, this, &ModelTable::onModelsListed);
    connect(&inspector_, &EngineInspector::modelsFailed, this, [this](const Error& error) {
        onAnswer();
        Q_EMIT listFailed(error);
    });
    connect(&inspector_, &EngineInspector::described, this,
            [this](const std::string& model, const CheckpointDescription& found) { describe(model, &found, nullptr); });
    connect(&inspector_, &EngineInspector::describeFailed, this,
            [this](const std::string& model, const Error& error) { describe(model, nullptr, &error); });
}

void ModelTable::scan() {
    if (isScanning()) {
        isScanDue_ = true;
        return;
    }
    ++waiting_;
    inspector_.askModels();
    Q_EMIT scanningChanged();
}

void ModelTable::onModelsListed(const std::vector<ModelCard>& cards) {
    beginResetModel();
    std::vector<ModelEntry> known = std::exchange(entries_, {});
    for (const ModelCard& card : cards) {
        const auto old =
            std::find_if(known.begin(), known.end(), [&](const ModelEntry& entry) { return entry.card.id == card.id; });
        ModelEntry entry = old == known.end() ? ModelEntry{} : *old;
        entry.card = card;
        entries_.push_back(std::move(entry));
    }
    endResetModel();
    for (const ModelCard& card : cards) {
        ++waiting_;
        inspector_.askDescription(card.id);
    }
    onAnswer();
}

void ModelTable::refresh(const QString& id) {
    ++waiting_;
    inspector_.askDescription(id.toStdString());
    Q_EMIT scanningChanged();
}

void ModelTable::describe(const std::string& model, const CheckpointDescription* description, const Error* error) {
    const int row = rowOf(QString::fromStdString(model));
    if (row >= 0) {
        ModelEntry& entry = entries_[static_cast<std::size_t>(row)];
        entry.description = description ? std::optional(*description) : std::nullopt;
        entry.error = error ? std::optional(*error) : std::nullopt;
        Q_EMIT dataChanged(index(row, 0), index(row, numColumns - 1));
    }
    onAnswer();
}

void ModelTable::onAnswer() {
    if (waiting_ == 0 || --waiting_ > 0) return;
    if (std::exchange(isScanDue_, false)) return scan();
    Q_EMIT scanningChanged();
}

int ModelTable::rowOf(const QString& id) const {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const ModelEntry& entry) { return idOf(entry) == id; });
    return found == entries_.end() ? -1 : static_cast<int>(found - entries_.begin());
}

int ModelTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

int ModelTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(numColumns);
}

QString ModelTable::shown(const ModelEntry& entry, int column) const {
    switch (column) {
        case nameColumn:
            return modelNameAmong(entry.card, std::views::transform(entries_, &ModelEntry::card));
        case makesColumn:
            return makesText(entry.card.tasks);
        case storedColumn:
            return storedText(entry);
        case sizeColumn:
            return modelBytes(entry) > 0 ? bytesText(modelBytes(entry)) : QString();
        default:
            return modelStateText(entry);
    }
}

QVariant ModelTable::sortKey(const ModelEntry& entry, int column) const {
    if (column == sizeColumn) return QVariant::fromValue<qlonglong>(modelBytes(entry));
    if (column == stateColumn) return static_cast<int>(modelState(entry));
    return shown(entry, column).toLower();
}

QVariant ModelTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !checkIndex(index)) return {};  // Copy reads the current index, also if there is none
    const ModelEntry& row = entry(index.row());
    switch (role) {
        case Qt::DisplayRole:
            return shown(row, index.column());
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(index.column() == sizeColumn ? Qt::AlignRight | Qt::AlignVCenter
                                                                    : Qt::AlignLeft | Qt::AlignVCenter);
        case Qt::ToolTipRole:
            return index.column() == nameColumn ? idOf(row) : shown(row, index.column());
        case Qt::UserRole:
            return idOf(row);
        case stateRole:
            return static_cast<int>(modelState(row));
        case sortRole:
            return sortKey(row, index.column());
        case pathRole:
            return row.description ? pathText(row.description->path) : idOf(row);
        default:
            return {};
    }
}

QVariant ModelTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(section == sizeColumn ? Qt::AlignRight | Qt::AlignVCenter
                                                         : Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const QStringList names{tr("Model"), tr("Task"), tr("Stored as"), tr("Size"), tr("State")};
    return names.value(section);
}

void ModelTable::retranslate() {
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, numColumns - 1);
    if (!entries_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, numColumns - 1));
}

bool isInFolder(const QString& model, const QString& folder) {
    if (folder.isEmpty()) return true;
    if (folder == QLatin1String(kBuiltinModel)) return model == folder;
    const QString clean = QDir::cleanPath(folder);
    return model == clean || model.startsWith(clean + QLatin1Char('/'));
}

ModelFilter::ModelFilter(ModelTable& table, QObject* parent) : QSortFilterProxyModel(parent) {
    setSourceModel(&table);
    setSortRole(ModelTable::sortRole);
    setDynamicSortFilter(true);
}

void ModelFilter::setSearchText(const QString& words) {
    searchText_ = words.trimmed();
    invalidateFilter();
}

void ModelFilter::setFolder(const QString& folder) {
    folder_ = folder;
    invalidateFilter();
}

bool ModelFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const auto at = [&](int column) { return sourceModel()->index(row, column, parent); };
    if (!isInFolder(at(0).data(Qt::UserRole).toString(), folder_)) return false;
    for (int column = 0; column < ModelTable::numColumns; ++column)
        if (at(column).data().toString().contains(searchText_, Qt::CaseInsensitive)) return true;
    return at(0).data(Qt::UserRole).toString().contains(searchText_, Qt::CaseInsensitive);
}

}  // namespace kinescope::ui
