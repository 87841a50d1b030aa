#include <QTest>

#include "core/base/platform_machine.h"
#include "core/device/dtype_support.h"
#include "core/device/mps_policy.h"
#include "tests/support/devices.h"

using namespace kinescope;
using namespace kinescope::testing;

class TestMpsPolicy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void dtypes_of_macos_data() {
        QTest::addColumn<int>("macos");
        QTest::addColumn<int>("dtype");
        QTest::addColumn<bool>("supported");
        for (const int macos : {13, 14, 26}) {
            const auto row = [&](const char* name, Dtype dtype, bool supported) {
                QTest::addRow("macOS %d, %s", macos, name) << macos << static_cast<int>(dtype) << supported;
            };
            row("float32", at::kFloat, true);
            row("float16", at::kHalf, true);
            row("bfloat16", at::kBFloat16, macos >= 14);
            row("float64", at::kDouble, false);
            row("float8", at::kFloat8_e4m3fn, false);
        }
    }
    void dtypes_of_macos() {
        QFETCH(int, macos);
        QFETCH(int, dtype);
        QFETCH(bool, supported);
        QCOMPARE(compute_support(mps_device(macos), static_cast<Dtype>(dtype)) != DtypeSupport::none, supported);
        QCOMPARE(can_store(mps_device(macos), static_cast<Dtype>(dtype)), supported);
    }

    void attention_runs_in_blocks_only_on_mps() {
        QCOMPARE(max_attention_rows(Device("mps")), 2048);
        QCOMPARE(max_attention_rows(Device("cuda:0")), 0);
        QCOMPARE(max_attention_rows(Device("cpu")), 0);
    }

    void only_cuda_copies_beside_the_computation() {
        QCOMPARE(block_transfer(Device("cuda:1")), BlockTransfer::beside_computation);
        QCOMPARE(block_transfer(Device("mps")), BlockTransfer::in_order);
        QCOMPARE(block_transfer(Device("cpu")), BlockTransfer::in_order);
    }

    void a_linux_computer_has_no_mps() {
        if (operating_system() != OperatingSystem::linux_kernel) QSKIP("for Linux");
        QVERIFY(query_mps().empty());
    }
};

QTEST_GUILESS_MAIN(TestMpsPolicy)
#include "test_mps_policy.moc"
