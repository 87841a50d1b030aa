#include <QTemporaryDir>
#include <QTest>

#include "core/api/error.h"
#include "core/device/cuda/kernel_compiler.h"

using namespace kinescope;

/// Compiles the fused kernels with NVIDIA's run-time compiler, which needs no GPU. CMake passes its folder if it finds
/// one.
class TestKernelCompiler : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_architecture_compiles_data() {
        QTest::addColumn<int>("capability");
        for (const int capability : {75, 80, 86, 89, 90, 100, 120}) QTest::addRow("sm_%d", capability) << capability;
    }
    void every_architecture_compiles() {
        QFETCH(int, capability);
        if (nvrtc_version().empty()) QSKIP("NVRTC is not installed");
        QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.path().toStdString());
        const std::string image = kernel_image(capability, path);
        QVERIFY(
            image.starts_with("\x7f"
                              "ELF"));
        for (const char* kernel :
             {"norm_float32_bfloat16", "normed_rotary_bfloat16_bfloat16", "gated_sum_bfloat16", "statistics_float16"})
            QVERIFY2(image.find(kernel) != std::string::npos, kernel);
        const auto file = kernel_image_file(capability, path);
        const auto size = std::filesystem::file_size(file);
        QVERIFY(size > image.size());  // and a checksum
        if (capability == 75) std::filesystem::resize_file(file, size / 2);
        QVERIFY2(kernel_image(capability, path) == image, "a file that was cut is replaced");
        QCOMPARE(std::filesystem::file_size(file), size);
        QVERIFY(kernel_image(capability, path) == image);
    }

    void an_unknown_architecture_is_refused() {
        if (nvrtc_version().empty()) QSKIP("NVRTC is not installed");
        QVERIFY_EXCEPTION_THROWN(compile_kernels(1), Error);
    }

    void a_missing_compiler_is_named() {
        if (!nvrtc_version().empty()) QSKIP("NVRTC is installed");
        try {
            compile_kernels(90);
            QFAIL("expected an error");
        } catch (const Error& error) {
            QVERIFY2(error.message().find("libnvrtc.so.13 is missing") != std::string::npos, error.what());
        }
    }
};

QTEST_GUILESS_MAIN(TestKernelCompiler)
#include "test_kernel_compiler.moc"
