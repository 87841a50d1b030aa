#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "ui/bridge/engine_inspector.h"
#include "ui/text/model_words.h"

namespace kinescope::ui {

/// The built-in models and those in the model folders. Rows appear when the list is available; sizes and dtypes follow
/// when the headers have been read in the background.
class ModelTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { nameColumn, makesColumn, storedColumn, sizeColumn, stateColumn, numColumns };
    enum Role { stateRole = Qt::UserRole + 1, sortRole, pathRole };  ///< Qt::UserRole: id of the model

    explicit ModelTable(EngineInspector& inspector, QObject* parent = nullptr);

    /// Scans the folders again. Known details of existing models stay until they are read again.
    void scan();
    bool isScanning() const { return waiting_ > 0; }
    const ModelEntry& entry(int row) const { return entries_[static_cast<std::size_t>(row)]; }
    /// Reads the details of one model again.
    void refresh(const QString& id);
    /// Returns the row of a model, or -1 if there is none.
    int rowOf(const QString& id) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Updates headers and cells after a language change.
    void retranslate();

Q_SIGNALS:
    void scanningChanged();
    void listFailed(const kinescope::Error& error);

private:
    void onModelsListed(const std::vector<ModelCard>& cards);
    void describe(const std::string& model, const CheckpointDescription* description, const Error* error);
    QString shown(const ModelEntry& entry, int column) const;
    QVariant sortKey(const ModelEntry& entry, int column) const;
    void onAnswer();

    EngineInspector& inspector_;
    std::vector<ModelEntry> entries_;
    int waiting_ = 0;         ///< pending requests
    bool isScanDue_ = false;  ///< requested during a scan, which may have read the folders before they changed
};

/// Filters the table by text and folder.
class ModelFilter : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit ModelFilter(ModelTable& table, QObject* parent = nullptr);

    void setSearchText(const QString& words);
    /// Shows only the models in a folder. An empty string means all models, kBuiltinModel only the built-in one.
    void setFolder(const QString& folder);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QString searchText_;
    QString folder_;
};

/// Returns true if the model with this id is in the folder. kBuiltinModel selects the built-in model, an empty folder
/// all models.
bool isInFolder(const QString& model, const QString& folder);

}  // namespace kinescope::ui
