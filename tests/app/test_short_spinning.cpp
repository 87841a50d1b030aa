#include <QProcess>
#include <QTest>

#include "tests/app/cli_process.h"

/// The program limits how long idle threads of libgomp spin.
class TestShortSpinning : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void libgomp_reads_the_limit_unless_the_user_chose_one_data() {
        QTest::addColumn<QStringList>("variables");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("replaces a variable") << QStringList{"SHLVL=1"} << QByteArray("GOMP_SPINCOUNT = '1000'");
        QTest::newRow("starts again") << QStringList{} << QByteArray("GOMP_SPINCOUNT = '1000'");
        QTest::newRow("the user's count") << QStringList{"GOMP_SPINCOUNT=7"} << QByteArray("GOMP_SPINCOUNT = '7'");
        // With this policy, libgomp uses a count of its own.
        QTest::newRow("the user's policy")
            << QStringList{"OMP_WAIT_POLICY=active"} << QByteArray("GOMP_SPINCOUNT = '30000000000'");
    }
    void libgomp_reads_the_limit_unless_the_user_chose_one() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("Sanitizers start before the function that sets the limit.");
#endif
        QFETCH(QStringList, variables);
        QFETCH(QByteArray, expected);
        QProcess process;
        process.setEnvironment(QStringList{"OMP_DISPLAY_ENV=verbose"} + variables);
        process.start(kinescope::testing::cli_program(), {QStringLiteral("--version")});
        QVERIFY(process.waitForFinished());
        const QByteArray shown = process.readAllStandardError();
        QVERIFY2(shown.contains(expected), shown);
    }
};

QTEST_GUILESS_MAIN(TestShortSpinning)
#include "test_short_spinning.moc"
