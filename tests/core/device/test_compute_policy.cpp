#include <QTest>

#include "core/api/error.h"
#include "core/device/compute_policy.h"
#include "core/device/dtype.h"

using namespace kinescope;

namespace {

DeviceCapability cuda(int major, int minor) {
    DeviceCapability device;
    device.kind = DeviceKind::cuda;
    device.compute_major = major;
    device.compute_minor = minor;
    return device;
}

const StoredDtypes kStored = {{"text_encoder", at::kBFloat16}, {"transformer", at::kBFloat16}, {"vae", at::kFloat}};

DeviceCapability mps(int macos) {
    DeviceCapability device;
    device.kind = DeviceKind::mps;
    device.macos_major = macos;
    return device;
}

DeviceCapability cpu(CpuFeatures features) {
    DeviceCapability device;
    device.cpu = features;
    return device;
}

}  // namespace

class TestComputePolicy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void denoiser_dtype_follows_the_device_data() {
        QTest::addColumn<int>("device");
        QTest::addColumn<QString>("wish");
        QTest::addColumn<QString>("compute");
        const std::vector<std::pair<const char*, const char*>> automatic = {
            {"sm_61", "float32"},  {"sm_70", "float32"},  {"sm_75", "float32"},  {"sm_80", "bfloat16"},
            {"sm_86", "bfloat16"}, {"sm_89", "bfloat16"}, {"sm_90", "bfloat16"}, {"sm_120", "bfloat16"},
            {"mps13", "float32"},  {"mps14", "bfloat16"}, {"avx2", "float32"},   {"amx", "float32"}};
        for (int i = 0; i < static_cast<int>(automatic.size()); ++i) {
            QTest::addRow("%s auto", automatic[i].first) << i << "auto" << automatic[i].second;
            QTest::addRow("%s fp16", automatic[i].first) << i << "fp16"
                                                         << "float16";
            QTest::addRow("%s fp32", automatic[i].first) << i << "fp32"
                                                         << "float32";
        }
    }
    void denoiser_dtype_follows_the_device() {
        QFETCH(int, device);
        QFETCH(QString, wish);
        QFETCH(QString, compute);
        const std::vector<DeviceCapability> devices = {
            cuda(6, 1),
            cuda(7, 0),
            cuda(7, 5),
            cuda(8, 0),
            cuda(8, 6),
            cuda(8, 9),
            cuda(9, 0),
            cuda(12, 0),
            mps(13),
            mps(14),
            cpu({.avx2 = true}),
            cpu({.avx2 = true, .avx512 = true, .avx512_bf16 = true, .amx_bf16 = true})};
        const ComputePolicy policy = resolve_compute_policy({.dtype = wish.toStdString()}, kStored, devices.at(device));
        QCOMPARE(QString::fromStdString(dtype_name(policy.at("transformer").compute)), compute);
        QCOMPARE(QString::fromStdString(policy.components.at("transformer").requested), wish);
        QVERIFY(!policy.components.at("transformer").reason.empty());
        QCOMPARE(policy.at("vae").compute, at::kFloat);
    }

    void storage_may_differ_from_compute() {
        const ComputePolicy policy =
            resolve_compute_policy({.dtype = "fp32", .storage = "fp16"}, kStored, cpu({.avx2 = true}));
        QCOMPARE(policy.at("transformer").storage, at::kHalf);
        QCOMPARE(policy.at("transformer").compute, at::kFloat);
        QCOMPARE(policy.at("vae").storage, at::kFloat);
    }

    void automatic_choice_prefers_the_accelerator() {
        const std::vector<DeviceCapability> devices = {cuda(8, 6), cpu({})};
        QCOMPARE(device_id(choose_device("auto", devices)), std::string("cuda:0"));
        QCOMPARE(device_id(choose_device("cuda", devices)), std::string("cuda:0"));
        QCOMPARE(device_id(choose_device("cpu", devices)), std::string("cpu"));
    }

    void absent_device_is_an_error_that_lists_what_is_there() {
        try {
            choose_device("cuda:3", {cuda(8, 6), cpu({})});
            QFAIL("no error");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::device_unavailable);
            QVERIFY(error.message().find("cuda:0, cpu") != std::string::npos);
        }
    }

    void this_machine_has_a_cpu_with_memory_and_cores() {
        const DeviceCapability device = query_cpu();
        QVERIFY(device.physical_cores >= 1);
        QVERIFY(device.memory_total_bytes > 0);
        QVERIFY(device.memory_free_bytes > 0 && device.memory_free_bytes <= device.memory_total_bytes);
        QCOMPARE(device_id(device), std::string("cpu"));
    }

    void summary_has_a_row_and_a_reason_for_each_component() {
        const StoredDtypes stored = {{"text_encoder", at::kBFloat16}, {"transformer", at::kHalf}, {"vae", at::kFloat}};
        const PolicySummary rows =
            summarize(resolve_compute_policy({}, stored, cpu({.avx2 = true})), stored, "float32");
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows[1].stored, std::string("float16"));
        QCOMPARE(rows[1].compute, std::string("float32"));
        for (const auto& row : rows) QVERIFY(!row.reason.empty());
    }
};

QTEST_GUILESS_MAIN(TestComputePolicy)
#include "test_compute_policy.moc"
