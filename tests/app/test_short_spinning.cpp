#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "tests/app/cli_process.h"

/// Tests that the program limits how long idle threads of libgomp spin.
class TestShortSpinning : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_program_sets_the_limit_unless_the_user_did_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QByteArrayList>("expected");
        QTest::newRow("by itself") << QString() << QString() << QByteArrayList{"GOMP_SPINCOUNT=1000"};
        QTest::newRow("a count") << "GOMP_SPINCOUNT"
                                 << "7" << QByteArrayList{"GOMP_SPINCOUNT=7"};
        QTest::newRow("a policy") << "OMP_WAIT_POLICY"
                                  << "active" << QByteArrayList{"OMP_WAIT_POLICY=active"};
    }
    void the_program_sets_the_limit_unless_the_user_did() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("Sanitizers start before the function that sets the limit.");
#endif
        QFETCH(QString, name);
        QFETCH(QString, value);
        QFETCH(QByteArrayList, expected);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.remove(QStringLiteral("GOMP_SPINCOUNT"));
        environment.remove(QStringLiteral("OMP_WAIT_POLICY"));
        if (!name.isEmpty()) environment.insert(name, value);
        QTemporaryDir folder;
        environment.insert(QStringLiteral("XDG_STATE_HOME"), folder.path());
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(kinescope::testing::cli_program(),
                      {QStringLiteral("generate"), QStringLiteral("--prompt"), QStringLiteral("a red ball"),
                       QStringLiteral("--steps"), QStringLiteral("200"), QStringLiteral("--progress"),
                       QStringLiteral("json"), QStringLiteral("--output"), folder.filePath(QStringLiteral("a.mp4"))});
        QVERIFY(process.waitForStarted());
        const qint64 id = process.processId();
        QVERIFY(process.waitForReadyRead());  // its main() has started
        QFile file(QStringLiteral("/proc/%1/environ").arg(id));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArrayList found;
        for (const QByteArray& variable : file.readAll().split('\0'))
            if (variable.startsWith("GOMP_SPINCOUNT=") || variable.startsWith("OMP_WAIT_POLICY=")) found << variable;
        QCOMPARE(found, expected);
        process.kill();
        QVERIFY(process.waitForFinished());
    }
};

QTEST_GUILESS_MAIN(TestShortSpinning)
#include "test_short_spinning.moc"
