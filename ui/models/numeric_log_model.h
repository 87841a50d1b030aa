#pragma once

#include <QAbstractTableModel>
#include <QByteArray>
#include <QList>

namespace kinescope::ui {

/// A record of a numeric log.
struct NumericLogRow {
    QString record;  ///< "stat", "guard" ...
    QString phase;
    int step = -1;  ///< 0-based; -1: the record has none
    QString site;
    QString dtype;
    double largest = 0;  ///< NaN: the record has none
    double headroom = 0;
    QString note;     ///< finding and action of the guard, or the result of the run
    QByteArray line;  ///< the record as written
};

struct NumericLogRows {
    QList<NumericLogRow> rows;
    int numSkipped = 0;  ///< lines that are not records
    bool isCut = false;  ///< the file has more records than were read
    QString problem;     ///< why the file can't be read; empty: it was read
};

/// Reads at most `limit` records. Slow for large files: call it on a worker thread.
NumericLogRows readNumericLog(const QString& file, int limit = 200'000);

/// The records of a numeric log in a table.
class NumericLogModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        recordColumn,
        phaseColumn,
        stepColumn,
        siteColumn,
        dtypeColumn,
        largestColumn,
        headroomColumn,
        noteColumn
    };
    static constexpr int kColumns = noteColumn + 1;
    /// Role of a bool that is true for guard records and the summary.
    static constexpr int kFindingRole = Qt::UserRole;
    /// Role of the site and note, for the filter.
    static constexpr int kTextRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(QList<NumericLogRow> rows);
    /// Returns a record as indented JSON.
    QString details(int row) const;
    /// The headers in the current language.
    void retranslate();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const NumericLogRow& row, int column) const;

    QList<NumericLogRow> rows_;
};

}  // namespace kinescope::ui
