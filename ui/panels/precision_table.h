#pragma once

#include <QDialog>

#include "core/api/policy_summary.h"

class QTableWidget;

namespace kinescope::ui {

/// Shows how and why every component runs: requested and effective precision, storage, sums, attention, device.
class PrecisionTable : public QDialog {
    Q_OBJECT

public:
    explicit PrecisionTable(QWidget* parent);

    void setPolicy(const PolicySummary& policy);

private:
    void showRows();

    PolicySummary policy_;
    QTableWidget* table_;
};

}  // namespace kinescope::ui
