#include <QtTest>

#include "ui/models/log_table.h"

using namespace kinescope::ui;

class TestLogTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void containsSamplesOnly() {
        const QByteArray table = csvOfLog(
            "{\"record\":\"header\",\"schema\":1}\n"
            "{\"record\":\"stat\",\"phase\":\"denoise\",\"step\":3,\"branch\":\"cond\",\"site\":\"blocks.0.ffn\",\"max_"
            "abs\":2.5,"
            "\"min\":\"-inf\",\"nan\":0}\n"
            "{\"record\":\"step\",\"step\":3}\n");
        const QList<QByteArray> lines = table.split('\n');
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines[0], QByteArray("phase,step,attempt,branch,component,site,dtype,count,min,max,max_abs,mean,std,"
                                      "nan,inf,headroom_stops"));
        QCOMPARE(lines[1], QByteArray("denoise,3,,cond,,blocks.0.ffn,,,-inf,,2.5,,,0,,"));
        QVERIFY(lines[2].isEmpty());
    }

    void quotesSpecialCharacters() {
        const QByteArray table = csvOfLog("{\"record\":\"stat\",\"site\":\"a,\\\"b\\\"\"}");
        QVERIFY(table.contains(",\"a,\"\"b\"\"\","));
    }

    void skipsInvalidLines() {
        QCOMPARE(csvOfLog("{\"record\":\"stat\",\"si").split('\n').size(), 2);
        QCOMPARE(csvOfLog("[1,2]\nnull\n\n\xff\xfe").split('\n').size(), 2);
    }
};

QTEST_GUILESS_MAIN(TestLogTable)
#include "test_log_table.moc"
