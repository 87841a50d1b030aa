#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <QtTest>

#include "ui/widgets/card.h"
#include "ui/widgets/reading_order.h"
#include "ui/widgets/theme.h"

using namespace kinescope::ui;

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
};

QTEST_MAIN(TestReadingOrder)
#include "test_reading_order.moc"
