#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "ui/bridge/engine_inspector.h"
#include "ui/models/model_words.h"

namespace kinescope::ui {

/// The models of the built-in set and of the folders, as a table. Rows appear when the list is there; what each weighs
/// and how it is stored follows, model by model, from a look at its headers in the background.
class ModelTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { nameColumn, makesColumn, storedColumn, sizeColumn, stateColumn, numColumns };
    enum Role { stateRole = Qt::UserRole + 1, sortRole, pathRole };  ///< Qt::UserRole: the model's id

    explicit ModelTable(EngineInspector& inspector, QObject* parent = nullptr);

    /// Looks anew; what is known of models that are still there stays until it is read again.
    void scan();
    bool isScanning() const { return waiting_ > 0; }
    const ModelEntry& entry(int row) const { return entries_[static_cast<std::size_t>(row)]; }
    /// What there is to say of one model is asked for again.
    void lookAgain(const QString& id);
    /// -1: none.
    int rowOf(const QString& id) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Heads and cells in the language of the moment.
    void sayAgain();

Q_SIGNALS:
    void scanningChanged();
    void listFailed(const kinescope::Error& error);

private:
    void take(const std::vector<ModelCard>& cards);
    void describe(const std::string& model, const CheckpointDescription* description, const Error* error);
    QString shown(const ModelEntry& entry, int column) const;
    QVariant sortKey(const ModelEntry& entry, int column) const;
    void answered();

    EngineInspector& inspector_;
    std::vector<ModelEntry> entries_;
    int waiting_ = 0;  ///< questions without an answer
};

/// The table by words and by folder.
class ModelFilter : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit ModelFilter(ModelTable& table, QObject* parent = nullptr);

    void setWords(const QString& words);
    /// Empty: all; "builtin": the built-in ones alone.
    void setFolder(const QString& folder);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QString words_;
    QString folder_;
};

/// Whether a model, by its id, lies in a folder; "builtin" names the built-in ones, and empty all.
bool liesIn(const QString& model, const QString& folder);

}  // namespace kinescope::ui
