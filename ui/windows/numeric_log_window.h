#pragma once

#include <QDialog>

#include "ui/models/numeric_log_model.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace kinescope::ui {

struct Desktop;
class Segmented;
class Theme;

/// Shows the records of a numeric log: a table with a filter, and the selected record as JSON. Not modal.
class NumericLogWindow : public QDialog {
    Q_OBJECT

public:
    NumericLogWindow(const Theme& theme, const Desktop& desktop, QWidget* parent);

    /// Reads the file on a worker thread.
    void read(const QString& file);

private:
    void build();
    void wire();
    void retranslate();
    void showLog(const NumericLogRows& log);
    void showDetails();
    void updateNote();
    void openOther();

    const Desktop& desktop_;
    QString file_;
    NumericLogRows log_;
    int numReads_ = 0;        ///< so that a file that was read slowly does not replace a later one
    bool isReading_ = false;  ///< file_ has not been read yet
    NumericLogModel* model_;
    QSortFilterProxyModel* shown_;
    QLabel* name_;
    QLabel* note_;
    QLineEdit* filter_;
    Segmented* kind_;
    QPushButton* other_;
    QTableView* table_;
    QPlainTextEdit* details_;
};

}  // namespace kinescope::ui
