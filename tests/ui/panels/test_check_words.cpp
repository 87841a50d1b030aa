#include <QtTest>

#include "ui/text/check_words.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

CanaryFinding finding(CanaryKind kind, ProbeOutcome outcome, std::vector<CanaryFallback> fallbacks = {}) {
    return {.kind = kind,
            .probe = {.code = "conv2d",
                      .values = {{"dtype", "float16"}, {"shape", "77x40"}},
                      .text = "fused attention, sum of two rows, float16 77x40"},
            .outcome = outcome,
            .fallbacks = std::move(fallbacks)};
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

    void everyKindHasItsTitle_data() {
        QTest::addColumn<CanaryKind>("kind");
        QTest::newRow("Kinescope's own fused kernels") << CanaryKind::fused;
        QTest::newRow("Attention") << CanaryKind::attention;
        QTest::newRow("Convolutions") << CanaryKind::convolution;
        QTest::newRow("Sums") << CanaryKind::sums;
        QTest::newRow("Matrix products") << CanaryKind::products;
        QTest::newRow("Norms and conversions") << CanaryKind::conversion;
        QTest::newRow("Small layers of the models") << CanaryKind::layers;
    }

    /// The kind decides, not the name of the check.
    void everyKindHasItsTitle() {
        QFETCH(CanaryKind, kind);
        const auto rows = rowsOf({finding(kind, ProbeOutcome::passed)});
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0].title, QString::fromLatin1(QTest::currentDataTag()));
        QCOMPARE(rows[0].result, QStringLiteral("GPU: 1 of 1 match float32"));
        QCOMPARE(rows[0].health, Health::good);
    }

    /// A failed or slower check has a row of its own, so the row of its kind does not count it.
    void aCheckIsCountedOnce() {
        const auto rows = rowsOf({finding(CanaryKind::fused, ProbeOutcome::passed),
                                  finding(CanaryKind::fused, ProbeOutcome::slower, {CanaryFallback::plain_ops}),
                                  finding(CanaryKind::fused, ProbeOutcome::passed),
                                  finding(CanaryKind::fused, ProbeOutcome::wrong, {CanaryFallback::plain_ops})});
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows[0].health, Health::remark);
        QVERIFY2(rows[0].advice.startsWith("A fused kernel saves time"), qPrintable(rows[0].advice));
        QVERIFY2(rows[0].advice.endsWith("the faster way."), qPrintable(rows[0].advice));
        QCOMPARE(rows[1].result, QStringLiteral("GPU: wrong result; works with LibTorch's ops"));
        QCOMPARE(rows[2].result, QStringLiteral("GPU: 2 of 2 match float32"));
        QCOMPARE(rows[2].health, Health::good);
    }

    void aFullMemoryIsTold() {
        auto rows = rowsOf({finding(CanaryKind::convolution, ProbeOutcome::passed),
                            finding(CanaryKind::convolution, ProbeOutcome::not_run)});
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0].result, QStringLiteral("GPU: 1 of 2 match float32; 1 not run: the memory was full"));
        rows = rowsOf({finding(CanaryKind::attention, ProbeOutcome::not_run),
                       finding(CanaryKind::attention, ProbeOutcome::not_run)});
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0].result, QStringLiteral("GPU: 2 not run: the memory was full"));
        QCOMPARE(rows[0].health, Health::remark);  // nothing is known about attention
    }
};

QTEST_MAIN(TestCheckWords)
#include "test_check_words.moc"
