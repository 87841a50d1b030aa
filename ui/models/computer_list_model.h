#pragma once

#include <QAbstractListModel>
#include <filesystem>
#include <stop_token>
#include <vector>

#include "core/api/computers.h"
#include "ui/bridge/engine_bridge.h"

namespace kinescope::ui {

/// The computers on which jobs can run: this one in row 0, then the others in the user's order; and the one that is
/// selected for new jobs. An engine without other computers has only row 0.
class ComputerListModel : public QAbstractListModel {
    Q_OBJECT

public:
    /// Qt::DisplayRole is the name with the state, Qt::UserRole the name; empty: this computer.
    enum Role { StateTextRole = Qt::UserRole + 1, ErrorTextRole };

    /// Returns the model of a bridge, which owns it. All parts of the window share the selection.
    static ComputerListModel& of(EngineBridge& bridge);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

    /// The other computers.
    const std::vector<ComputerStatus>& others() const { return others_; }
    /// Row of a computer; 0 for an unknown name.
    int rowOf(const std::string& name) const;

    /// Selects the computer for new jobs, which also answers questions about models; empty: this one.
    void choose(const std::string& name);
    const std::string& chosen() const { return chosen_; }
    /// The computer that runs a job; empty: this one.
    QString computerOf(JobId job) const;
    /// The state of that computer; nullptr: this one.
    const ComputerStatus* statusOf(JobId job) const;

    /// Replaces a computer, or appends one if `row` is rowCount(). saved or refused follows.
    void set(int row, const Computer& computer);
    void removeRow(int row);
    /// Tests the connection to a computer. Emits tested or testFailed at the end, unless the test is cancelled or
    /// another one starts first.
    void test(const Computer& computer);
    /// Ends a test that is under way.
    void cancelTest();

Q_SIGNALS:
    /// Emitted once: from now on, computerOf() knows the computers. Never emitted if the engine cannot be created.
    void ready();
    void changed();
    /// Emitted when another computer answers questions from now on, or the selected one answers them again.
    void chosenChanged();
    void saved();
    void refused(const kinescope::Error& error);
    void tested(const kinescope::ComputerFacts& facts);
    void testFailed(const kinescope::Error& error);

private:
    explicit ComputerListModel(EngineBridge& bridge);
    void use(Computers* computers);
    void refresh();
    void askChosen();
    struct Change {
        std::string toChoose;                           ///< the computer that is selected afterwards; empty: stays
        std::vector<std::filesystem::path> newFolders;  ///< of models, which must exist
    };
    void save(const std::vector<Computer>& computers, const Change& change);
    std::vector<Computer> wanted() const;

    EngineBridge& bridge_;
    Computers* computers_ = nullptr;  ///< a view of the engine; nullptr: not ready, or it has no other computers
    std::vector<ComputerStatus> others_;
    std::string chosen_;
    bool isUnanswered_ = false;                   ///< the selected computer could not be asked for its models
    std::stop_source testing_{std::nostopstate};  ///< of the test that is under way
};

}  // namespace kinescope::ui
