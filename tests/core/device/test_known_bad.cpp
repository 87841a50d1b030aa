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
};

std::vector<Row> rows() {
    const DeviceCapability h20 = cuda_device(9, 0, "NVIDIA H20");
    const DeviceCapability h100 = cuda_device(9, 0, "NVIDIA H100");
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
        {"RTX 2060", cuda_device(7, 5, "NVIDIA GeForce RTX 2060"), {}, "turing-without-tensor-cores-fp16", false},
        {"V100, CUDA 13", cuda_device(7, 0, "Tesla V100"), {{"cuda_runtime", "13.0"}}, "cuda-13-old-cards", true},
        {"V100, CUDA 12.6", cuda_device(7, 0, "Tesla V100"), {{"cuda_runtime", "12.6"}}, "cuda-13-old-cards", false},
        {"RTX 2060, bf16", cuda_device(7, 5, "NVIDIA GeForce RTX 2060"), {}, "bf16-emulated", true},
        {"A100, bf16", cuda_device(8, 0, "NVIDIA A100"), {}, "bf16-emulated", false},
        {"MPS", mps_device(15), {}, "mps-large-tensors", true},
        {"macOS 13", mps_device(13), {}, "mps-bf16-macos-13", true},
        {"macOS 14", mps_device(14), {}, "mps-bf16-macos-13", false}};
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
        const auto found = match_known_bad(shipped(), expected.device, expected.libraries);
        const auto is_it = [&](const KnownBad& known) { return known.id == expected.id; };
        QCOMPARE(std::ranges::any_of(found, is_it), expected.holds);
    }

    void cpus_match_no_rule() { QVERIFY(match_known_bad(shipped(), cpu_device(), {{"libtorch", "2.9.0"}}).empty()); }

    void every_rule_has_a_link_and_a_fix() {
        for (const auto& rule : shipped()) {
            QVERIFY(rule.entry.link.starts_with("https://github.com/"));
            QVERIFY(rule.entry.cure.ends_with("."));
            QVERIFY(rule.entry.what.ends_with("."));
        }
    }

    void versions_are_compared_part_by_part() {
        QVERIFY(compare_versions("12.4.5", "12.10") < 0);
        QVERIFY(compare_versions("2.9.0", "2.9") == 0);
        QVERIFY(compare_versions("9.13", "9.9.9") > 0);
    }

    void a_broken_table_names_its_file() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("known_bad.json").toStdString();
        for (const char* text : {"{}", "{\"entries\": [{\"id\": \"x\"}]}", "{\"entries\": [{\"id\": 3}]}"}) {
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
