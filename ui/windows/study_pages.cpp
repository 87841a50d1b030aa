#include "ui/windows/study_pages.h"

#include <QAction>
#include <QCoreApplication>
#include <QStackedWidget>
#include <QToolButton>

#include "ui/widgets/language.h"
#include "ui/widgets/nav_rail.h"
#include "ui/windows/compare_page.h"
#include "ui/windows/doctor_page.h"
#include "ui/windows/main_menu.h"
#include "ui/windows/models_page.h"

namespace kinescope::ui {

StudyPages::StudyPages(const Theme& theme, EngineBridge& bridge, const Desktop& desktop, const StudyPlaces& places,
                       QObject* parent)
    : QObject(parent),
      inspector_(bridge),
      compare_(new ComparePage(theme, inspector_, desktop, &places.pages)),
      models_(new ModelsPage(theme, inspector_, desktop, &places.pages)),
      doctor_(new DoctorPage(theme, inspector_, desktop, &places.pages)),
      places_(places) {
    addPage(compare_, QStringLiteral("compare"), QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "Compare"),
            QKeySequence(Qt::CTRL | Qt::Key_3));
    addPage(models_, QStringLiteral("models"), QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "Models"),
            QKeySequence(Qt::CTRL | Qt::Key_4));
    addPage(doctor_, QStringLiteral("doctor"), QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "Doctor"),
            QKeySequence(Qt::CTRL | Qt::Key_5));
    addTools();
    connect(&places_.rail, &NavRail::currentChanged, &places_.pages, &QStackedWidget::setCurrentIndex);
}

void StudyPages::addPage(QWidget* page, const QString& icon, const char* text, const QKeySequence& key) {
    const int index = places_.pages.addWidget(page);
    places_.rail.addPage(icon, {})->setObjectName(icon + QStringLiteral("PageButton"));
    inEveryLanguage(page, [this, index, text] {
        places_.rail.setPageText(index, QCoreApplication::translate("kinescope::ui::MainMenu", text));
    });
    auto* action = new QAction(this);
    const QByteArray name = "action" + icon.left(1).toUpper().toLatin1() + icon.mid(1).toLatin1();
    places_.menu.addPage(action, text, key, name.constData());
    connect(action, &QAction::triggered, &places_.rail, [this, index] { places_.rail.setCurrentIndex(index); });
}

void StudyPages::addTools() {
    auto* scan = new QAction(this);
    places_.menu.addTool(scan, QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "Scan Model Folders"),
                         QKeySequence(Qt::Key_F5), "actionScanModelFolders");
    connect(scan, &QAction::triggered, this, [this] {
        showModels();
        models_->scan();
    });
    auto* check = new QAction(this);
    places_.menu.addTool(check, QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "Check This Computer"), {},
                         "actionCheckThisComputer");
    connect(check, &QAction::triggered, this, [this] {
        places_.rail.setCurrentIndex(places_.pages.indexOf(doctor_));
        doctor_->check(CanaryMode::fresh);
    });
    auto* copy = new QAction(this);
    places_.menu.addTool(copy, QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "Copy Report"),
                         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), "actionCopyReport");
    connect(copy, &QAction::triggered, doctor_, &DoctorPage::copyReport);
}

void StudyPages::showModels() {
    places_.rail.setCurrentIndex(places_.pages.indexOf(models_));
}

}  // namespace kinescope::ui
