#include <QTest>
#include <optional>

#include "ui/bridge/newest.h"

using kinescope::ui::Newest;

class TestNewest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNewRequestReplacesTheOneBefore() {
        Newest newest;
        const auto first = newest.current();
        const auto same = newest.current();
        QVERIFY(first() && same());
        newest.begin();
        const auto second = newest.current();
        QVERIFY(!first() && !same() && second());
    }

    void anAnswerMayArriveAfterItsWindowIsGone() {
        std::optional<Newest> newest(std::in_place);
        const auto current = newest->current();
        newest.reset();
        QVERIFY(current());
    }
};

QTEST_GUILESS_MAIN(TestNewest)
#include "test_newest.moc"
