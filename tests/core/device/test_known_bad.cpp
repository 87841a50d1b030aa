#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>

#include "core/api/error.h"
#include "core/device/known_bad.h"
#include "tests/support/devices.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

using Libraries = std::map<std::string, std::string>;

std::vector<KnownBadRule> shipped() {
    return read_known_bad(KINESCOPE_SOURCE_DIR "/resources/known_bad.json");
}

struct Row {
    const char* name;
    DeviceCapability device;
    Libraries libraries;
    const char* id;  ///< id of the expected rule
    bool holds;
    OperatingSystem system = OperatingSystem::linux_kernel;
};

DeviceCapability m4(const char* name, int macos, int minor) {
    DeviceCapability device = mps_device(macos);
    device.name = name;
    device.macos_minor = minor;
    return device;
}

Libraries with_torch(const char* version) {
    return {{"libtorch", version}};
}

std::vector<Row> rows() {
    const DeviceCapability h20 = cuda_device(9, 0, "NVIDIA H20");
    const DeviceCapability h100 = cuda_device(9, 0, "NVIDIA H100");
    DeviceCapability amd = cpu_device();
    amd.name = "AMD EPYC 7B13";
    return {
        {"H20, cuBLAS 12.3", h20, {{"cublas", "12.3.2"}}, "h20-cublaslt-sigfpe", true},
        {"H20, cuBLAS 12.4.5", h20, {{"cublas", "12.4.5"}}, "h20-cublaslt-sigfpe", false},
        {"H20, cuBLAS 13.1", h20, {{"cublas", "13.1.0"}}, "h20-cublaslt-sigfpe", false},
        {"H100, cuBLAS 12.3", h100, {{"cublas", "12.3.2"}}, "h20-cublaslt-sigfpe", false},
        {"H200, cuBLAS 12.3", cuda_device(9, 0, "NVIDIA H200"), {{"cublas", "12.3.2"}}, "h20-cublaslt-sigfpe", false},
        {"H20-3e, cuBLAS 12.3",
         cuda_device(9, 0, "NVIDIA H20-3e"),
         {{"cublas", "12.3.2"}},
         "h20-cublaslt-sigfpe",
         true},
        {"T4000, fp16", cuda_device(7, 5, "NVIDIA T4000"), {}, "turing-without-tensor-cores-fp16", false},
        {"GTX 1650 Ti, fp16",
         cuda_device(7, 5, "NVIDIA GeForce GTX 1650 Ti"),
         {},
         "turing-without-tensor-cores-fp16",
         true},
        {"cuDNN 9.8", h100, {{"cudnn", "9.8.0"}}, "cudnn-conv3d-bf16", true},
        {"cuDNN 9.12", h100, {{"cudnn", "9.12.0"}}, "cudnn-conv3d-bf16", true},
        {"cuDNN 9.13", h100, {{"cudnn", "9.13.0"}}, "cudnn-conv3d-bf16", false},
        {"cuDNN 9.7", h100, {{"cudnn", "9.7.1"}}, "cudnn-conv3d-bf16", false},
        {"torch 2.9.0", h100, {{"libtorch", "2.9.0"}}, "torch-2.9.0-conv3d", true},
        {"torch 2.11.0", h100, {{"libtorch", "2.11.0"}}, "torch-2.9.0-conv3d", false},
        {"GTX 1660", cuda_device(7, 5, "NVIDIA GeForce GTX 1660"), {}, "turing-without-tensor-cores-fp16", true},
        {"T2000", cuda_device(7, 5, "Quadro T2000"), {}, "turing-without-tensor-cores-fp16", true},
        {"RTX 2060", cuda_device(7, 5, "NVIDIA GeForce RTX 2060"), {}, "turing-without-tensor-cores-fp16", false},
        {"V100, CUDA 13", cuda_device(7, 0, "Tesla V100"), {{"cuda_runtime", "13.0"}}, "cuda-13-old-cards", true},
        {"V100, CUDA 12.6", cuda_device(7, 0, "Tesla V100"), {{"cuda_runtime", "12.6"}}, "cuda-13-old-cards", false},
        {"RTX 2060, bf16", cuda_device(7, 5, "NVIDIA GeForce RTX 2060"), {}, "bf16-emulated", true},
        {"A100, bf16", cuda_device(8, 0, "NVIDIA A100"), {}, "bf16-emulated", false},
        {"MPS", mps_device(15), {}, "mps-large-tensors", true},
        {"macOS 13", mps_device(13), {}, "mps-bf16-macos-13", true},
        {"macOS 14", mps_device(14), {}, "mps-bf16-macos-13", false},
        {"long attention", mps_device(26), {}, "mps-attention-long", true},
        {"bf16 attention", mps_device(26), {}, "mps-bf16-attention", true},
        {"bf16 norm", mps_device(26), {}, "mps-bf16-norm", true},
        {"M4 Pro, macOS 26.6", m4("Apple M4 Pro", 26, 6), with_torch("2.12.0"), "mps-wan-frames-m4", true},
        {"M4 Pro, macOS 26.8", m4("Apple M4 Pro", 26, 8), with_torch("2.12.0"), "mps-wan-frames-m4", false},
        {"M3 Pro, macOS 26.6", m4("Apple M3 Pro", 26, 6), with_torch("2.12.0"), "mps-wan-frames-m4", false},
        {"M4 Pro, torch 2.11", m4("Apple M4 Pro", 26, 6), with_torch("2.11.0"), "mps-wan-frames-m4", false},
        {"macOS 26.2", m4("Apple M4", 26, 2), {}, "mps-conv3d", true},
        {"macOS 26.3", m4("Apple M4", 26, 3), {}, "mps-conv3d", false},
        {"macOS 15.2", m4("Apple M4", 15, 2), {}, "mps-conv3d", false},
        {"two passes, torch 2.10", mps_device(26), with_torch("2.10.0"), "mps-attention-two-pass", true},
        {"two passes, torch 2.11", mps_device(26), with_torch("2.11.0"), "mps-attention-two-pass", false},
        {"macOS 27, torch 2.11", mps_device(27), with_torch("2.11.0"), "mps-macos-27", true},
        {"macOS 27, torch 2.13", mps_device(27), with_torch("2.13.0"), "mps-macos-27", false},
        {"macOS 26, torch 2.11", mps_device(26), with_torch("2.11.0"), "mps-macos-27", false},
        {"AMX", cpu_device({.amx_bf16 = true}), {}, "amx-bf16-product", true},
        {"AMX, conv3d", cpu_device({.amx_bf16 = true}), {}, "amx-bf16-conv3d", true},
        {"AVX512_BF16 without AMX", cpu_device({.avx512_bf16 = true}), {}, "amx-bf16-product", false},
        {"AMD, torch 2.5.1", amd, with_torch("2.5.1"), "amd-cpu-bf16-convolution", true},
        {"AMD, torch 2.11", amd, with_torch("2.11.0"), "amd-cpu-bf16-convolution", false},
        {"another CPU, torch 2.5.1", cpu_device(), with_torch("2.5.1"), "amd-cpu-bf16-convolution", false},
        {"torch 2.12, expanded keys", h100, with_torch("2.12.0"), "attention-expanded-keys", true},
        {"torch 2.11, expanded keys", h100, with_torch("2.11.0"), "attention-expanded-keys", false},
        {"Linux", h100, {}, "windows-system-memory-fallback", false},
        {"Windows", h100, {}, "windows-system-memory-fallback", true, OperatingSystem::windows},
        {"Windows without a card",
         cpu_device(),
         {},
         "windows-system-memory-fallback",
         false,
         OperatingSystem::windows}};
}

}  // namespace

class TestKnownBad : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rules_match_the_affected_devices_data() {
        QTest::addColumn<int>("row");
        for (int i = 0; i < static_cast<int>(rows().size()); ++i) QTest::newRow(rows()[i].name) << i;
    }
    void rules_match_the_affected_devices() {
        QFETCH(int, row);
        const Row expected = rows().at(row);
        const auto found = match_known_bad(shipped(), expected.device, {expected.system, expected.libraries});
        const auto is_it = [&](const KnownBad& known) { return known.id == expected.id; };
        QCOMPARE(std::ranges::any_of(found, is_it), expected.holds);
    }

    void cpus_match_no_rule() {
        QVERIFY(match_known_bad(shipped(), cpu_device(), {.libraries = with_torch("2.9.0")}).empty());
    }

    void every_rule_has_a_link_and_a_fix() {
        const auto rules = shipped();
        QVERIFY(!rules.empty());
        for (const auto& rule : rules) {
            QVERIFY(rule.entry.link.starts_with("https://"));
            QVERIFY(rule.entry.fix.ends_with("."));
            QVERIFY(rule.entry.what.ends_with("."));
        }
    }

    void a_condition_decides_alone_data() {
        QTest::addColumn<QString>("condition");
        QTest::addColumn<bool>("holds");
        QTest::newRow("device") << R"("device": "cuda")" << true;
        QTest::newRow("another device") << R"("device": "mps")" << false;
        QTest::newRow("exact capability") << R"("capabilities": [90, 120])" << true;
        QTest::newRow("another capability") << R"("capabilities": [120])" << false;
        QTest::newRow("below its capability") << R"("capability_below": 90)" << false;
        QTest::newRow("part of a name") << R"("names": ["H20"])" << false;
        QTest::newRow("system") << R"("system": "linux")" << true;
        QTest::newRow("another system") << R"("system": "macos")" << false;
        QTest::newRow("CPU feature") << R"("cpu_features": ["amx_bf16"])" << false;
    }
    void a_condition_decides_alone() {
        QFETCH(QString, condition);
        QFETCH(bool, holds);
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("known_bad.json").toStdString();
        std::ofstream(file) << R"({"entries": [{"id": "x", "what": "x.", "fix": "x.", "link": "https://x", )"
                            << condition.toStdString() << "}]}";
        const auto found = match_known_bad(read_known_bad(file), cuda_device(9, 0, "NVIDIA H200"),
                                           {.system = OperatingSystem::linux_kernel});
        QCOMPARE(!found.empty(), holds);
    }

    void versions_are_compared_part_by_part() {
        QVERIFY(compare_versions("12.4.5", "12.10") < 0);
        QVERIFY(compare_versions("2.9.0", "2.9") == 0);
        QVERIFY(compare_versions("9.13", "9.9.9") > 0);
    }

    void a_broken_table_names_its_file() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("known_bad.json").toStdString();
        for (const char* text :
             {"{}", "{\"entries\": [{\"id\": \"x\"}]}", "{\"entries\": [{\"id\": 3}]}",
              R"({"entries": [{"id": "x", "what": "x", "fix": "x", "link": "x", "macos_below": 14}]})",
              R"({"entries": [{"id": "x", "what": "x", "fix": "x", "link": "x", "device": "xpu"}]})"}) {
            std::ofstream(file) << text;
            try {
                read_known_bad(file);
                QFAIL(text);
            } catch (const Error& error) {
                QCOMPARE(error.code(), ErrorCode::bad_config);
                QVERIFY(error.message().find("known_bad.json") != std::string::npos);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestKnownBad)
#include "test_known_bad.moc"
