#pragma once

#include <QWidget>
#include <optional>

#include "ui/bridge/engine_inspector.h"
#include "ui/windows/desktop.h"

class QBoxLayout;
class QLabel;
class QPushButton;

namespace kinescope::ui {

class DoctorVerdictBar;
class FactGrid;
class Island;
class Theme;

/// What this computer can do, what was tried on it and how that went: the verdict first, then the tables.
class DoctorPage : public QWidget {
    Q_OBJECT

public:
    DoctorPage(const Theme& theme, EngineInspector& inspector, Desktop desktop, QWidget* parent = nullptr);

    /// In the background. `mode`: fresh tries every device anew.
    void check(CanaryMode mode);
    void copyReport();
    /// Empty until the first check has ended.
    QString report() const;

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeColumns(const Theme& theme);
    Island* makeIsland(const Theme& theme, const char* name, QWidget* content);
    void say();
    void addLearned(const Theme& theme, Island& island);
    void wire();
    void take(const DoctorReport& report);
    void showDevices();
    void showPolicy();
    void showChecks();
    void showVersions();
    void showLearned();
    void saveReport();

    EngineInspector& inspector_;
    Desktop desktop_;
    std::optional<DoctorReport> found_;
    DoctorVerdictBar* verdict_;
    FactGrid* devices_;
    FactGrid* policy_;
    FactGrid* learned_;
    FactGrid* checks_;
    FactGrid* versions_;
    QBoxLayout* columns_ = nullptr;
    QWidget* right_ = nullptr;  ///< checks and versions
    QList<Island*> islands_;    ///< devices, policy, checks, versions
    QLabel* learnedTitle_;
    QPushButton* forget_;
    bool asked_ = false;
    bool checking_ = false;
};

}  // namespace kinescope::ui
