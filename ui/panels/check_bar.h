#pragma once

#include <QWidget>

#include "ui/models/file_checker.h"

class QProgressBar;
class QPushButton;

namespace kinescope::ui {

class ElidedLabel;

/// Starts and stops the check of a model's files and shows its progress.
class CheckBar : public QWidget {
    Q_OBJECT

public:
    explicit CheckBar(QWidget* parent = nullptr);

    void showFacts(const CheckFacts& facts);

Q_SIGNALS:
    void startRequested();
    void stopRequested();

private:
    void retranslate();

    CheckFacts facts_;
    QPushButton* start_;
    QPushButton* stop_;
    QProgressBar* bar_;
    ElidedLabel* words_;
};

}  // namespace kinescope::ui
