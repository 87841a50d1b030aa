#include <QTest>

#include "core/jobs/call_tokens.h"

using namespace kinescope;

class TestCallTokens : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_call_can_be_cancelled_before_and_after_it_starts() {
        CallTokens calls;
        const CancellationToken running = calls.token(1);
        calls.cancel(1);
        calls.cancel(2);
        QVERIFY(running.is_requested());
        QVERIFY(calls.token(2).is_requested());
        QVERIFY(!calls.token(3).is_requested());
    }

    void calls_without_an_id_are_cancelled_together_and_later_ones_are_not() {
        CallTokens calls;
        const CancellationToken first = calls.token(0), second = calls.token(0), other = calls.token(1);
        calls.cancel(0);
        QVERIFY(first.is_requested() && second.is_requested());
        QVERIFY(!other.is_requested());
        QVERIFY(!calls.token(0).is_requested());
    }
};

QTEST_GUILESS_MAIN(TestCallTokens)
#include "test_call_tokens.moc"
