#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <QtTest>

#include "ui/widgets/card.h"
#include "ui/widgets/reading_order.h"
#include "ui/widgets/theme.h"

using namespace kinescope::ui;

namespace {

/// Returns the button that Tab visits after a widget.
QPushButton* buttonAfter(QWidget* widget) {
    QWidget* next = widget->nextInFocusChain();
    while (!qobject_cast<QPushButton*>(next)) next = next->nextInFocusChain();
    return qobject_cast<QPushButton*>(next);
}

}  // namespace

class TestReadingOrder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsAreReadFromTopToBottom() {
        const QRect left(0, 40, 50, 20), right(60, 44, 50, 12), below(0, 70, 50, 20), title(200, 0, 50, 20);
        QCOMPARE(readingOrder({below, right, left, title}), QList<int>({3, 2, 1, 0}));
        const QRect list(0, 0, 100, 300), upper(110, 10, 50, 20), lower(110, 50, 50, 20);
        QCOMPARE(readingOrder({lower, upper, list}), QList<int>({2, 1, 0}));
        QCOMPARE(readingOrder({}), QList<int>());
    }

    /// Widgets of the header come first, although they are created after those of the body.
    void tabBeginsInTheHeader() {
        Theme theme;
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        column->addWidget(new QPushButton(QStringLiteral("above")));
        auto* card = new Card(theme, &window);
        column->addWidget(card);
        auto* body = new QPushButton(QStringLiteral("body"), card);
        card->body()->addWidget(body);
        auto* second = new QPushButton(QStringLiteral("second"), card);
        auto* first = new QPushButton(QStringLiteral("first"), card);
        card->setTitle(QStringLiteral("Title"));
        card->header()->addWidget(first);
        card->header()->addWidget(second);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QTRY_COMPARE(first->nextInFocusChain(), second);
        QTRY_COMPARE(second->nextInFocusChain(), body);
    }

    /// Fields that appear in a scrolled form, as those of an opened section, are visited where they are.
    void tabFollowsFieldsThatAppear() {
        Theme theme;
        Card card(theme);
        auto* scroll = new QScrollArea(&card);
        scroll->setFocusPolicy(Qt::NoFocus);
        scroll->setWidgetResizable(true);
        auto* form = new QWidget;
        auto* below = new QPushButton(QStringLiteral("below"), form);
        auto* section = new QWidget(form);
        auto* lower = new QPushButton(QStringLiteral("lower"), section);
        auto* upper = new QPushButton(QStringLiteral("upper"), section);
        auto* fields = new QVBoxLayout(section);
        fields->addWidget(upper);
        fields->addWidget(lower);
        auto* column = new QVBoxLayout(form);
        column->addWidget(section);
        column->addWidget(below);
        column->addStretch(1);
        scroll->setWidget(form);
        card.body()->addWidget(scroll);
        section->hide();
        card.resize(300, 400);
        card.show();
        QVERIFY(QTest::qWaitForWindowExposed(&card));
        QTest::qWait(50);
        section->show();
        QTRY_COMPARE(buttonAfter(upper), lower);
        QTRY_COMPARE(buttonAfter(lower), below);
    }

    /// The part of a form that is scrolled out of view comes before what is below the scroll area.
    void aScrolledFormIsReadAsAWhole() {
        Theme theme;
        Card card(theme);
        auto* footer = new QPushButton(QStringLiteral("footer"), &card);
        auto* scroll = new QScrollArea(&card);
        scroll->setFocusPolicy(Qt::NoFocus);
        scroll->setWidgetResizable(true);
        auto* form = new QWidget;
        auto* column = new QVBoxLayout(form);
        QList<QPushButton*> fields;
        for (int i = 0; i < 20; ++i) {
            fields << new QPushButton(QString::number(i), form);
            column->addWidget(fields.back());
        }
        scroll->setWidget(form);
        card.body()->addWidget(scroll);
        card.body()->addWidget(footer);
        card.resize(300, 200);
        card.show();
        QVERIFY(QTest::qWaitForWindowExposed(&card));
        QTRY_COMPARE(buttonAfter(fields.back()), footer);
        for (int i = 1; i < fields.size(); ++i) QCOMPARE(buttonAfter(fields[i - 1]), fields[i]);
    }
};

QTEST_MAIN(TestReadingOrder)
#include "test_reading_order.moc"
