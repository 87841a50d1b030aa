// Tests the order in which Tab visits the widgets, and that a language change reaches every text.
#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QListView>
#include <QScrollArea>
#include <QtTest>
#include <algorithm>
#include <vector>

#include "tests/support/window_fixture.h"
#include "ui/widgets/language.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/section.h"

using namespace kinescope;
using testing::WindowFixture;
using ui::RunState;

namespace {

bool takesTab(const QWidget* widget) {
    return widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) &&
           !widget->focusProxy();
}

/// Returns the widgets that Tab visits inside `panel`, in order.
QList<QWidget*> chainOf(QWidget* panel) {
    QList<QWidget*> chain;
    QWidget* widget = panel;
    while ((widget = widget->nextInFocusChain()) != panel)
        if (panel->isAncestorOf(widget) && takesTab(widget)) chain << widget;
    return chain;
}

QRect placeOf(const QWidget* widget) {
    return {widget->mapToGlobal(QPoint(0, 0)), widget->size()};
}

/// Returns true if two widgets are in one row: they share at least half of the height of the lower of the two.
bool isSameRow(const QRect& a, const QRect& b) {
    const int shared = std::min(a.bottom(), b.bottom()) - std::max(a.top(), b.top()) + 1;
    return 2 * shared >= std::min(a.height(), b.height());
}

bool isRead(const QRect& first, const QRect& second) {
    return isSameRow(first, second) ? first.left() <= second.left() : first.top() < second.top();
}

QString named(const QWidget* widget) {
    return widget->objectName().isEmpty() ? QString::fromLatin1(widget->metaObject()->className())
                                          : widget->objectName();
}

/// Returns the outermost scroll area of the panel around a widget, otherwise the widget itself.
const QWidget* unitOf(const QWidget* panel, const QWidget* widget) {
    const QWidget* unit = widget;
    for (const QWidget* around = widget->parentWidget(); around != panel; around = around->parentWidget())
        if (qobject_cast<const QScrollArea*>(around)) unit = around;
    return unit;
}

/// Returns every pair of widgets that Tab visits in the wrong order. A scroll area is read as a whole.
QStringList jumpsIn(QWidget* panel) {
    QStringList jumps;
    const QList<QWidget*> chain = chainOf(panel);
    for (qsizetype i = 1; i < chain.size(); ++i) {
        const QWidget* before = unitOf(panel, chain[i - 1]);
        const QWidget* after = unitOf(panel, chain[i]);
        const bool isSameUnit = before == after;
        if (!isRead(placeOf(isSameUnit ? chain[i - 1] : before), placeOf(isSameUnit ? chain[i] : after)))
            jumps << QStringLiteral("%1: %2, then %3").arg(panel->objectName(), named(chain[i - 1]), named(chain[i]));
    }
    return jumps;
}

/// Returns the texts of a widget and its children, without digits.
QSet<QString> textsOf(QWidget& window) {
    QSet<QString> texts;
    const auto take = [&](const QString& text) {
        static const QRegularExpression digits(QStringLiteral("[0-9.,:]+"));
        const QString words = QString(text).remove(digits).simplified();
        if (!words.isEmpty()) texts.insert(words);
    };
    QList<QObject*> objects = window.findChildren<QObject*>();
    objects << &window;
    for (QObject* object : std::as_const(objects)) {
        for (const char* property : {"text", "title", "placeholderText", "toolTip", "accessibleName",
                                     "accessibleDescription", "windowTitle", "specialValueText", "suffix"})
            take(object->property(property).toString());
        if (const auto* combo = qobject_cast<QComboBox*>(object))
            for (int i = 0; i < combo->count(); ++i) take(combo->itemText(i));
        if (const auto* view = qobject_cast<QAbstractItemView*>(object); view && view->model())
            for (int row = 0; row < view->model()->rowCount(); ++row)
                take(view->model()->index(row, 0).data().toString());
    }
    return texts;
}

/// Visits every page with one finished video.
void visitAll(WindowFixture& fixture, QSize size = {1920, 1080}) {
    QVERIFY(fixture.isReady());
    fixture.window->resize(size);
    fixture.window->resetLayout();
    fixture.window->request().edit([](VideoRequest& form) { form.seed = 7; });
    fixture.action("actionGenerate")->trigger();
    QVERIFY(fixture.reaches(RunState::done));
    for (int page = 5; page >= 0; --page) {
        fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(page);
        QTest::qWait(300);
    }
}

/// A page and its panels in the order in which they are read.
struct Page {
    int number;
    QStringList panels;
};

const std::vector<Page>& allPages() {
    static const std::vector<Page> pages{{0, {"requestPanel", "previewPanel", "runPanel"}},
                                         {1, {"queuePanel", "historyPanel", "detailsPanel"}},
                                         {2, {"compareViewPanel"}},
                                         {3, {"folderPanel", "modelTablePanel", "modelDetailsPanel"}},
                                         {4, {"policyPanel", "checksPanel"}},
                                         {5, {"exploreForm", "exploreGrid"}}};
    return pages;
}

/// Tests that Tab visits whole panels, one after the other, and follows the eye inside each of them.
void verifyTabOrder(WindowFixture& fixture, const QStringList& panels) {
    QStringList jumps;
    for (const QString& name : panels) {
        auto* panel = fixture.window->findChild<QWidget*>(name);
        QVERIFY2(panel && !chainOf(panel).isEmpty(), qPrintable(name));
        jumps << jumpsIn(panel);
    }
    QVERIFY2(jumps.isEmpty(), qPrintable(jumps.join(QStringLiteral("; "))));
    QStringList visited;
    for (const QWidget* widget : chainOf(fixture.window.get()))
        for (const QString& name : panels)
            if (fixture.window->findChild<QWidget*>(name)->isAncestorOf(widget) &&
                (visited.isEmpty() || visited.back() != name))
                visited << name;
    // The chain is a circle that begins anywhere.
    if (visited.size() > 1 && visited.back() == visited.front()) visited.removeLast();
    std::ranges::rotate(visited, std::ranges::find(visited, panels.front()));
    QVERIFY2(visited == panels, qPrintable(visited.join(QStringLiteral(", "))));
    QRect before;
    for (const QString& name : panels) {
        const QRect place = placeOf(fixture.window->findChild<QWidget*>(name));
        QVERIFY2(before.isNull() || isRead(before, place), qPrintable(name));
        before = place;
    }
}

}  // namespace

class TestReading : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { ui::chooseLanguage(QStringLiteral("en")); }

    void tabFollowsTheEye_data() {
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(1920, 1080), QSize(1024, 640)}) QTest::addRow("%d", size.width()) << size;
    }

    void tabFollowsTheEye() {
        QFETCH(QSize, size);
        WindowFixture fixture(testing::healthyRun());
        visitAll(fixture, size);
        for (const Page& page : allPages()) {
            fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(page.number);
            if (auto* view = fixture.find<QListView>("historyView"); view->isVisible()) {
                QTRY_VERIFY(view->model()->rowCount() >= 2);
                view->setCurrentIndex(view->model()->index(1, 0));
            }
            QTest::qWait(100);
            verifyTabOrder(fixture, page.panels);
            if (QTest::currentTestFailed()) return;
        }
    }

    void tabFollowsTheEyeInOpenedSections() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->resize(1024, 640);
        fixture.window->resetLayout();
        auto* panel = fixture.find<QWidget>("requestPanel");
        QTest::qWait(100);
        for (ui::Section* section : panel->findChildren<ui::Section*>()) section->setExpanded(true);
        auto* size = fixture.find<QComboBox>("sizeCombo");
        Q_EMIT size->activated(size->count() - 1);  // "Custom…" shows width and height
        QTRY_VERIFY(fixture.find<QWidget>("widthSpin")->isVisible());
        QTRY_VERIFY2(jumpsIn(panel).isEmpty(), qPrintable(jumpsIn(panel).join(QStringLiteral("; "))));
        QVERIFY(chainOf(panel).indexOf(fixture.find<QWidget>("generateButton")) >
                chainOf(panel).indexOf(fixture.find<QWidget>("guardCombo")));
    }

    /// Tests that a window whose language was changed shows the same texts as one that was started in that language.
    void aLanguageSwitchReachesEveryText_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::newRow("to Chinese") << "en"
                                    << "zh_CN";
        QTest::newRow("to English") << "zh_CN"
                                    << "en";
    }

    void aLanguageSwitchReachesEveryText() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        {
            WindowFixture learning(testing::healthyRun());  // learns the usual peaks, which change the titles of plots
            visitAll(learning);
        }
        ui::chooseLanguage(to);
        QSet<QString> expected;
        {
            WindowFixture started(testing::healthyRun());
            ui::chooseLanguage(to);
            QTest::qWait(50);
            visitAll(started);
            expected = textsOf(*started.window);
        }
        WindowFixture switched(testing::healthyRun());
        ui::chooseLanguage(from);
        QTest::qWait(50);
        visitAll(switched);
        ui::chooseLanguage(to);
        QTest::qWait(100);
        QStringList left;
        for (const QString& text : textsOf(*switched.window) - expected) left << text;
        // Ignore paths of temporary folders, and texts that are elided in only one of the windows.
        static const QRegularExpression different(QStringLiteral("[/›…]"));
        left.removeIf([](const QString& text) { return text.contains(different); });
        QVERIFY2(left.isEmpty(), qPrintable(left.join(QStringLiteral(" | "))));
    }
};

QTEST_MAIN(TestReading)
#include "test_reading.moc"
