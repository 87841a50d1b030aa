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
      pages_(places.pages),
      rail_(places.rail) {
    addPage(places, compare_, QStringLiteral("compare"), QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "Compare"),
            QKeySequence(Qt::CTRL | Qt::Key_3));
    addPage(places, models_, QStringLiteral("models"), QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "Models"),
            QKeySequence(Qt::CTRL | Qt::Key_4));
    addPage(places, doctor_, QStringLiteral("doctor"), QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "Doctor"),
            QKeySequence(Qt::CTRL | Qt::Key_5));
    addTools(places);
    connect(&rail_, &NavRail::currentChanged, &pages_, &QStackedWidget::setCurrentIndex);
}

void StudyPages::addPage(const StudyPlaces& places, QWidget* page, const QString& icon, const char* text,
                         const QKeySequence& key) {
    const int index = pages_.addWidget(page);
    rail_.addPage(icon, {})->setObjectName(icon + QStringLiteral("PageButton"));
    inEveryLanguage(page, [this, index, text] {
        rail_.setPageText(index, QCoreApplication::translate("kinescope::ui::MainMenu", text));
    });
    auto* action = new QAction(this);
    const QByteArray name = "action" + icon.left(1).toUpper().toLatin1() + icon.mid(1).toLatin1();
    places.menu.addPage(action, text, key, name.constData());
    connect(action, &QAction::triggered, &rail_, [this, index] { rail_.setCurrentIndex(index); });
}

void StudyPages::addTools(const StudyPlaces& places) {
    auto* scan = new QAction(this);
    places.menu.addTool(scan, QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "Scan Model Folders"),
                        QKeySequence(Qt::Key_F5), "actionScanModelFolders");
    connect(scan, &QAction::triggered, this, [this] {
        showModels();
        models_->scan();
    });
    auto* check = new QAction(this);
    places.menu.addTool(check, QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "Check This Computer"), {},
                        "actionCheckThisComputer");
    connect(check, &QAction::triggered, this, [this] {
        rail_.setCurrentIndex(pages_.indexOf(doctor_));
        doctor_->check(CanaryMode::fresh);
    });
    auto* copy = new QAction(this);
    places.menu.addTool(copy, QT_TRANSLATE_NOOP("kinescope::ui::MainMenu", "Copy Report"),
                        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), "actionCopyReport");
    connect(copy, &QAction::triggered, doctor_, &DoctorPage::copyReport);
}

void StudyPages::showModels() {
    rail_.setCurrentIndex(pages_.indexOf(models_));
}

}  // namespace kinescope::ui
