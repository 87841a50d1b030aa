#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <fstream>

#include "core/api/error.h"
#include "core/device/cuda/kernel_compiler.h"

using namespace kinescope;

namespace {

/// Adds files whose names begin with their age.
void add_old_and_new_files(const std::filesystem::path& folder) {
    for (const char* name : {"old.cubin", "new.cubin", "old.txt"}) {
        std::ofstream(folder / name) << "image";
        if (std::string_view(name).starts_with("old"))
            std::filesystem::last_write_time(folder / name,
                                             std::filesystem::file_time_type::clock::now() - std::chrono::days(91));
    }
}

}  // namespace

/// Compiles the fused kernels with NVIDIA's run-time compiler, which needs no GPU. CMake passes its folder if it finds
/// one. Compiles for the oldest and the newest architecture, and with KINESCOPE_ALL_ARCHITECTURES=1 for all, because
/// each takes 10 s.
class TestKernelCompiler : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_architecture_compiles_data() {
        QTest::addColumn<int>("capability");
        const bool all = qEnvironmentVariableIsSet("KINESCOPE_ALL_ARCHITECTURES");
        for (const int capability : all ? std::vector{75, 80, 86, 89, 90, 100, 120} : std::vector{75, 120})
            QTest::addRow("sm_%d", capability) << capability;
    }
    void every_architecture_compiles() {
        QFETCH(int, capability);
        if (nvrtc_version().empty()) QSKIP("NVRTC is not installed");
        QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.path().toStdString());
        add_old_and_new_files(path);
        const std::string image = kernel_image(capability, path);
        QVERIFY2(!std::filesystem::exists(path / "old.cubin"), "images of old versions are deleted");
        QVERIFY(std::filesystem::exists(path / "new.cubin") && std::filesystem::exists(path / "old.txt"));
        QVERIFY(
            image.starts_with("\x7f"
                              "ELF"));
        for (const char* kernel : {"norm_float32_bfloat16", "normed_rotary_bfloat16_bfloat16", "gated_sum_bfloat16",
                                   "statistics_float16", "unit_length_silu_float32", "sum_norm_bfloat16_bfloat16"})
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
