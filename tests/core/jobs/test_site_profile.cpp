#include <ATen/ATen.h>

#include <QTest>

#include "core/jobs/tools/site_profile.h"

using namespace kinescope;

class TestSiteProfile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ops_are_classified_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("site");
        QTest::newRow("product with bias") << "aten::addmm"
                                           << "gemm";
        QTest::newRow("linear layer") << "aten::linear"
                                      << "gemm";
        QTest::newRow("int8 product") << "kinescope::int8_linear"
                                      << "gemm";
        QTest::newRow("attention") << "aten::_scaled_dot_product_flash_attention_for_cpu"
                                   << "attention";
        QTest::newRow("convolution") << "aten::mkldnn_convolution"
                                     << "convolution";
        QTest::newRow("Winograd convolution") << "kinescope::winograd"
                                              << "convolution";
        QTest::newRow("norm") << "kinescope::layer_norm"
                              << "norm";
        QTest::newRow("gelu") << "kinescope::gelu"
                              << "activation";
        QTest::newRow("gate") << "kinescope::add_gated"
                              << "elementwise";
        QTest::newRow("sum") << "aten::add_"
                             << "elementwise";
        QTest::newRow("dtype conversion") << "aten::_to_copy"
                                          << "copy";
        QTest::newRow("view") << "aten::view"
                              << "";
    }
    void ops_are_classified() {
        QFETCH(QString, op);
        QFETCH(QString, site);
        const auto found = site_of_op(op.toStdString());
        QCOMPARE(QString::fromUtf8(found.data(), static_cast<qsizetype>(found.size())), site);
    }

    void nested_calls_count_for_the_outer_op() {
        SiteProfile profile;
        profile.begin(Phase::denoise);
        at::linear(at::ones({4, 8}), at::ones({3, 8}), at::ones({3}));
        profile.begin(Phase::decode);
        at::ones({4}).clone();
        QCOMPARE(profile.seconds().size(), std::size_t{2});
        QCOMPARE(profile.seconds().at(Phase::denoise).size(), std::size_t{1});
        QVERIFY(profile.seconds().at(Phase::denoise).contains("gemm"));
        QVERIFY(profile.seconds().at(Phase::decode).contains("copy"));
    }

    void nothing_is_recorded_after_the_profile_ends() {
        { const SiteProfile ended; }
        const SiteProfile profile;
        QVERIFY(profile.seconds().empty());
    }
};

QTEST_GUILESS_MAIN(TestSiteProfile)
#include "test_site_profile.moc"
