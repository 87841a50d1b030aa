#pragma once

#include <QFrame>

#include "ui/text/doctor_words.h"
#include "ui/widgets/message_line.h"

class QLabel;
class QPushButton;

namespace kinescope::ui {

class StateIcon;
class Theme;

/// Returns the severity, and thereby the icon and color, that represents a device's health.
Severity severityOf(Health health);

/// Summary of the device check, with report and repeat buttons.
class DoctorVerdictBar : public QFrame {
    Q_OBJECT

public:
    explicit DoctorVerdictBar(const Theme& theme, QWidget* parent = nullptr);

    void showChecking();
    void showVerdict(const DoctorVerdict& verdict);
    void showError(const QString& title, const QString& sentence);

Q_SIGNALS:
    void checkRequested();
    void saveRequested();
    void copyRequested();

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
