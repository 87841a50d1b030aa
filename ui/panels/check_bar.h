#pragma once

#include <QWidget>

#include "ui/models/file_checker.h"

class QProgressBar;
class QPushButton;

namespace kinescope::ui {

class ElidedLabel;

/// Offers to read a model's files from end to end; shows how far that is, and stops it.
class CheckBar : public QWidget {
    Q_OBJECT

public:
    explicit CheckBar(QWidget* parent = nullptr);

    void showFacts(const CheckFacts& facts);

Q_SIGNALS:
    void startWanted();
    void stopWanted();

private:
    void say();

    CheckFacts facts_;
    QPushButton* start_;
    QPushButton* stop_;
    QProgressBar* bar_;
    ElidedLabel* words_;
};

}  // namespace kinescope::ui
