#include <QtTest>

#include "ui/text/check_words.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

CanaryFinding finding(const std::string& name, const std::string& outcome, const std::string& alternative = {}) {
    return {.probe = {.code = name, .values = {{"dtype", "float16"}, {"shape", "77x40"}}, .text = name},
            .outcome = outcome,
            .alternative = {.code = alternative, .values = {}, .text = alternative}};
}

std::vector<CheckRow> rowsOf(const std::vector<CanaryFinding>& findings) {
    DeviceReport device;
    device.device.name = "GPU";
    device.canary = findings;
    DoctorReport report;
    report.devices = {device};
    return checkRows(report);
}

}  // namespace

class TestCheckWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    /// The names of all probes in core/device/canary.cpp, and of some layers.
    void everyCheckHasItsKind_data() {
        QTest::addColumn<QString>("kind");
        const QString fused = QStringLiteral("Kinescope's own fused kernels");
        for (const char* name : {"fused kernels", "fused norm", "fused norm and rotary embedding", "fused gated sum",
                                 "fused gated sum and norm", "fused statistics", "fused norm and SiLU"})
            QTest::newRow(name) << fused;
        for (const char* name : {"attention", "causal attention", "attention over long keys",
                                 "attention with large scores", "cuDNN attention", "many scores"})
            QTest::newRow(name) << QStringLiteral("Attention");
        for (const char* name : {"convolution", "TF32 convolution"})
            QTest::newRow(name) << QStringLiteral("Convolutions");
        for (const char* name : {"sum of +8 and -8", "sum of 2048 and many 1/32"})
            QTest::newRow(name) << QStringLiteral("Sums");
        for (const char* name : {"two rows", "long rows", "product over stale memory", "GELU in the matrix product"})
            QTest::newRow(name) << QStringLiteral("Matrix products");
        for (const char* name : {"inverse square root", "float8 cast"})
            QTest::newRow(name) << QStringLiteral("Norms and conversions");
        for (const char* name : {"Wan 14B modulation", "CogVideoX 5B time embedding"})
            QTest::newRow(name) << QStringLiteral("Small layers of the models");
    }

    void everyCheckHasItsKind() {
        QFETCH(QString, kind);
        const auto rows = rowsOf({finding(QTest::currentDataTag(), "passed")});
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0].title, kind);
        QCOMPARE(rows[0].result, QStringLiteral("GPU: 1 of 1 match float32"));
        QCOMPARE(rows[0].health, Health::good);
    }

    /// A failed or slower check has a row of its own, so the row of its kind does not count it.
    void aCheckIsCountedOnce() {
        const auto rows =
            rowsOf({finding("fused norm", "passed"), finding("fused gated sum", "slower", "LibTorch's ops"),
                    finding("fused norm", "passed"), finding("fused statistics", "wrong", "LibTorch's ops")});
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows[0].health, Health::remark);
        QVERIFY2(rows[0].advice.startsWith("A fused kernel saves time"), qPrintable(rows[0].advice));
        QVERIFY2(rows[0].advice.endsWith("the faster way."), qPrintable(rows[0].advice));
        QCOMPARE(rows[1].result, QStringLiteral("GPU: wrong result; works with LibTorch's ops"));
        QCOMPARE(rows[2].result, QStringLiteral("GPU: 2 of 2 match float32"));
        QCOMPARE(rows[2].health, Health::good);
    }

    void aFullMemoryIsTold() {
        auto rows = rowsOf({finding("convolution", "passed"), finding("convolution", "not run")});
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0].result, QStringLiteral("GPU: 1 of 2 match float32; 1 not run: the memory was full"));
        rows = rowsOf({finding("attention", "not run"), finding("cuDNN attention", "not run")});
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0].result, QStringLiteral("GPU: 2 not run: the memory was full"));
        QCOMPARE(rows[0].health, Health::remark);  // nothing is known about attention
    }
};

QTEST_MAIN(TestCheckWords)
#include "test_check_words.moc"
