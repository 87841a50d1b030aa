#pragma once

#include <QObject>

#include "ui/bridge/engine_inspector.h"
#include "ui/windows/desktop.h"

class QAction;
class QStackedWidget;

namespace kinescope::ui {

class ComparePage;
class DoctorPage;
class MainMenu;
class ModelsPage;
class NavRail;
class Theme;

/// The parts of the window to which the pages are added.
struct StudyPlaces {
    NavRail& rail;
    QStackedWidget& pages;
    MainMenu& menu;
};

/// Creates the pages Compare, Models and Doctor and adds them to the navigation rail and the menu.
class StudyPages : public QObject {
    Q_OBJECT

public:
    StudyPages(const Theme& theme, EngineBridge& bridge, const Desktop& desktop, const StudyPlaces& places,
               QObject* parent);

    ComparePage* compare() const { return compare_; }
    ModelsPage* models() const { return models_; }
    DoctorPage* doctor() const { return doctor_; }
    EngineInspector& inspector() { return inspector_; }
    void showModels();
    /// Adds another page. The names of its button and its action begin with those of its icon.
    void addPage(QWidget* page, const QString& icon, const char* text, const QKeySequence& key);

private:
    void addTools();

    EngineInspector inspector_;
    ComparePage* compare_;
    ModelsPage* models_;
    DoctorPage* doctor_;
    StudyPlaces places_;
};

}  // namespace kinescope::ui
