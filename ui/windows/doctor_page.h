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
class NoticeStrip;
class Card;
class Theme;

/// Shows the capabilities of this computer and the results of the device checks: a verdict, then tables.
class DoctorPage : public QWidget {
    Q_OBJECT

public:
    DoctorPage(const Theme& theme, EngineInspector& inspector, Desktop desktop, QWidget* parent = nullptr);

    /// Runs the check in the background. CanaryMode::fresh ignores earlier results.
    void check(CanaryMode mode);
    void copyReport();
    /// Returns the report as text. Empty until the first check is complete.
    QString report() const;
    NoticeStrip* gpuStrip() const { return gpuStrip_; }

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeColumns(const Theme& theme);
    Card* makeCard(const Theme& theme, const char* name, QWidget* content);
    void retranslate();
    void addLearned(const Theme& theme, Card& card);
    static void addNote(Card& card, QLabel* note);
    void wire();
    void arrangeColumns();
    /// The report dialog asks the same inspector, so that an answer may not be the last one.
    void onExamined(const DoctorReport& report);
    void onFailed(const Error& error);
    void showReport(const DoctorReport& report);
    void showDevices();
    void showAbilities();
    void showPolicy();
    void showChecks();
    void showVersions();
    void showLearned();
    void saveReport();

    const Theme& theme_;
    EngineInspector& inspector_;
    Desktop desktop_;
    std::optional<DoctorReport> found_;
    DoctorVerdictBar* verdict_;
    NoticeStrip* gpuStrip_;
    FactGrid* devices_;
    FactGrid* abilities_;
    FactGrid* policy_;
    FactGrid* learned_;
    FactGrid* checks_;
    FactGrid* versions_;
    QLabel* storageNote_;  ///< explains the support of a type
    QLabel* presetNote_;   ///< how the abilities were determined
    QBoxLayout* columns_ = nullptr;
    QWidget* right_ = nullptr;  ///< contains checks and versions
    QList<Card*> cards_;        ///< devices, abilities, policy, checks, versions
    QWidget* learnedPart_;      ///< hidden if there are no overrides
    QLabel* learnedTitle_;
    QPushButton* forget_;
    bool requested_ = false;
    bool checking_ = false;
};

}  // namespace kinescope::ui
