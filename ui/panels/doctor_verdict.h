#pragma once

#include <QFrame>

#include "ui/models/doctor_words.h"
#include "ui/widgets/message_line.h"

class QLabel;
class QPushButton;

namespace kinescope::ui {

class StateIcon;
class Theme;

/// Shape of a state for how good something of the machine is.
Severity severityOf(Health health);

/// The verdict over the whole machine in words, before any table, with what can be done about it.
class DoctorVerdictBar : public QFrame {
    Q_OBJECT

public:
    explicit DoctorVerdictBar(const Theme& theme, QWidget* parent = nullptr);

    void showChecking();
    void showVerdict(const DoctorVerdict& verdict);
    void showError(const QString& title, const QString& sentence);

Q_SIGNALS:
    void checkWanted();
    void saveWanted();
    void copyWanted();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QPushButton* button(const char* name);
    void show(Severity severity, const QString& title, const QString& sentence);

    const Theme& theme_;
    Severity severity_ = Severity::info;
    StateIcon* icon_;
    QLabel* title_;
    QLabel* sentence_;
    QPushButton* again_;
    QPushButton* save_;
    QPushButton* copy_;
};

}  // namespace kinescope::ui
