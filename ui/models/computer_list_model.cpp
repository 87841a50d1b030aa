#include "ui/models/computer_list_model.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "ui/text/computer_words.h"

namespace kinescope::ui {
namespace {

/// The folders here of the first list that the second one does not have.
std::vector<std::filesystem::path> newFolders(const std::vector<PathMap>& paths, const std::vector<PathMap>& known) {
    std::vector<std::filesystem::path> folders;
    for (const PathMap& map : paths)
        if (std::ranges::find(known, map.here, &PathMap::here) == known.end()) folders.push_back(map.here);
    return folders;
}

/// A folder that was saved before may be on a disk that is not connected now.
void requireFolders(const std::vector<std::filesystem::path>& folders) {
    std::error_code none;
    for (const std::filesystem::path& folder : folders)
        if (!std::filesystem::exists(folder, none))
            throw Error(ErrorCode::bad_request, "'" + folder.string() + "' does not exist on this computer", {},
                        {{"cause", "no_folder_here"}, {"path", folder.string()}});
}

}  // namespace

ComputerListModel& ComputerListModel::of(EngineBridge& bridge) {
    if (auto* known = bridge.findChild<ComputerListModel*>(QString(), Qt::FindDirectChildrenOnly)) return *known;
    return *new ComputerListModel(bridge);
}

ComputerListModel::ComputerListModel(EngineBridge& bridge) : QAbstractListModel(&bridge), bridge_(bridge) {
    bridge_.request(
        Lane::questions, this, [](Engine& engine) { return computers_of(engine); },
        [this](Computers* computers) {
            use(computers);
            Q_EMIT ready();
        },
        [](const Error&) {});
    connect(&bridge_, &EngineBridge::modelsFound, this, [this] { isUnanswered_ = false; });
    connect(&bridge_, &EngineBridge::modelsFailed, this,
            [this](const Error& error) { isUnanswered_ = error.code() == ErrorCode::engine_lost; });
}

void ComputerListModel::use(Computers* computers) {
    if (!computers) return;
    computers_ = computers;
    computers_->listen([this] { QMetaObject::invokeMethod(this, &ComputerListModel::refresh, Qt::QueuedConnection); });
    refresh();
}

void ComputerListModel::refresh() {
    std::vector<ComputerStatus> fresh = computers_->list();
    const bool same = std::ranges::equal(
        fresh, others_, {}, [](const ComputerStatus& each) { return each.computer.name; },
        [](const ComputerStatus& each) { return each.computer.name; });
    if (same) {
        others_ = std::move(fresh);
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
    } else {
        beginResetModel();
        others_ = std::move(fresh);
        endResetModel();
    }
    const int row = rowOf(chosen_);
    if (row == 0) choose({});  // the computer was removed
    const bool isConnected = row > 0 && others_[static_cast<std::size_t>(row - 1)].state == ComputerState::connected;
    if (isConnected && std::exchange(isUnanswered_, false)) askChosen();
    Q_EMIT changed();
}

int ComputerListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(others_.size()) + 1;
}

int ComputerListModel::rowOf(const std::string& name) const {
    const auto found = std::ranges::find(others_, name, [](const ComputerStatus& each) { return each.computer.name; });
    return found == others_.end() ? 0 : static_cast<int>(found - others_.begin()) + 1;
}

QVariant ComputerListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    if (index.row() == 0) {
        if (role == Qt::DisplayRole) return tr("This computer");
        return role == Qt::UserRole ? QVariant(QString()) : QVariant();
    }
    const ComputerStatus& status = others_[static_cast<std::size_t>(index.row() - 1)];
    const QString name = QString::fromStdString(status.computer.name);
    switch (role) {
        case Qt::DisplayRole:
            return tr("%1 (%2)", "name of a computer, state").arg(name, computerStateText(status));
        case Qt::UserRole:
            return name;
        case StateTextRole:
            return computerStateText(status);
        case ErrorTextRole:
        case Qt::ToolTipRole:
            return status.error ? computerErrorText(*status.error) : QString();
        default:
            return {};
    }
}

std::vector<Computer> ComputerListModel::wanted() const {
    std::vector<Computer> computers;
    for (const ComputerStatus& status : others_) computers.push_back(status.computer);
    return computers;
}

/// Runs in the lane of new jobs, so that jobs that were submitted before go to the computer that was selected then.
void ComputerListModel::choose(const std::string& name) {
    if (name == chosen_) return;
    chosen_ = name;
    bridge_.request(
        Lane::submissions, this,
        [name](Engine& engine) {
            if (Computers* computers = computers_of(engine)) computers->choose(name);
        },
        [this] { askChosen(); }, [](const Error&) {});
}

void ComputerListModel::askChosen() {
    Q_EMIT chosenChanged();
    bridge_.askModels();
    bridge_.askDevices();
}

QString ComputerListModel::computerOf(JobId job) const {
    return computers_ ? QString::fromStdString(computers_->computer_of(job)) : QString();
}

const ComputerStatus* ComputerListModel::statusOf(JobId job) const {
    const int row = rowOf(computerOf(job).toStdString());
    return row == 0 ? nullptr : &others_[static_cast<std::size_t>(row - 1)];
}

void ComputerListModel::set(int row, const Computer& computer) {
    std::vector<Computer> all = wanted();
    if (row < 1) return;
    const auto place = static_cast<std::size_t>(row - 1);
    const bool isChosen = place < all.size() && all[place].name == chosen_;
    Change change{.toChoose = isChosen ? computer.name : std::string(), .newFolders = {}};
    if (place < all.size()) {
        change.newFolders = newFolders(computer.paths, all[place].paths);
        all[place] = computer;
    } else {
        change.newFolders = newFolders(computer.paths, {});
        all.push_back(computer);
    }
    save(all, change);
}

void ComputerListModel::removeRow(int row) {
    std::vector<Computer> all = wanted();
    if (row < 1 || row > static_cast<int>(all.size())) return;
    all.erase(all.begin() + (row - 1));
    save(all, {});
}

/// Removing a computer waits for the end of its connection, so this is not done on the GUI thread.
void ComputerListModel::save(const std::vector<Computer>& computers, const Change& change) {
    cancelTest();  // the lane would wait for it
    bridge_.request(
        Lane::slow, this,
        [computers, folders = change.newFolders](Engine& engine) {
            requireFolders(folders);
            if (Computers* group = computers_of(engine)) group->save(computers);
        },
        [this, toChoose = change.toChoose] {
            if (!toChoose.empty()) choose(toChoose);
            Q_EMIT saved();
        },
        [this](const Error& error) { Q_EMIT refused(error); });
}

void ComputerListModel::test(const Computer& computer) {
    cancelTest();
    testing_ = std::stop_source();
    const std::stop_token cancel = testing_.get_token();
    bridge_.request(
        Lane::slow, this,
        [computer, cancel](Engine& engine) {
            Computers* group = computers_of(engine);
            return group ? group->test(computer, cancel) : ComputerFacts();
        },
        [this, cancel](const ComputerFacts& facts) {
            if (!cancel.stop_requested()) Q_EMIT tested(facts);
        },
        [this, cancel](const Error& error) {
            if (!cancel.stop_requested()) Q_EMIT testFailed(error);
        });
}

void ComputerListModel::cancelTest() {
    testing_.request_stop();
}

}  // namespace kinescope::ui
