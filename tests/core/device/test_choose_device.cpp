#include <QTest>

#include "core/api/error.h"
#include "core/device/backend.h"
#include "core/device/choose_device.h"
#include "core/device/library_versions.h"
#include "tests/support/devices.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

DeviceCapability unusable(DeviceCapability device, const std::string& why) {
    device.unusable.text = why;
    return device;
}

Error refusal(const std::string& requested, const std::vector<DeviceCapability>& devices) {
    try {
        choose_device(requested, devices);
    } catch (const Error& error) {
        return error;
    }
    return {ErrorCode::internal, "no error"};
}

}  // namespace

class TestChooseDevice : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void automatic_choice_prefers_the_accelerator() {
        const std::vector<DeviceCapability> devices = {cuda_device(8, 6), cpu_device()};
        QCOMPARE(device_id(choose_device("auto", devices)), std::string("cuda:0"));
        QCOMPARE(device_id(choose_device("cuda", devices)), std::string("cuda:0"));
        QCOMPARE(device_id(choose_device("cpu", devices)), std::string("cpu"));
        QVERIFY(skipped_devices(devices).empty());
    }

    void automatic_choice_skips_unusable_devices() {
        const std::vector<DeviceCapability> devices = {unusable(cuda_device(7, 0, "Tesla V100"), "too old"),
                                                       cpu_device()};
        QCOMPARE(device_id(choose_device("auto", devices)), std::string("cpu"));
        const auto said = skipped_devices(devices);
        QCOMPARE(said.size(), std::size_t{1});
        QCOMPARE(said[0], std::string("cuda:0 (Tesla V100) is not used: too old"));
    }

    void a_missing_device_is_an_error_that_lists_the_others() {
        const Error error = refusal("cuda:3", {cuda_device(8, 6), cpu_device()});
        QCOMPARE(error.code(), ErrorCode::device_unavailable);
        QVERIFY(error.message().find("cuda:0, cpu") != std::string::npos);
    }

    void a_requested_unusable_device_is_an_error() {
        for (const char* requested : {"cuda", "cuda:0"}) {
            const Error error = refusal(requested, {unusable(cuda_device(7, 0), "too old"), cpu_device()});
            QCOMPARE(error.code(), ErrorCode::device_unavailable);
            QVERIFY(error.message().find("too old") != std::string::npos);
        }
    }

    void devices_that_libtorch_does_not_support_data() {
        QTest::addColumn<int>("capability");
        QTest::addColumn<int>("cuda_version");
        QTest::addColumn<QString>("driver");
        QTest::addColumn<QString>("load_error");
        QTest::addColumn<QString>("said");
        QTest::newRow("V100, CUDA 13") << 70 << 13000 << "13.0"
                                       << ""
                                       << "requires 7.5 or higher";
        QTest::newRow("V100, the wheel") << 70 << 13000 << "13.0"
                                         << ""
                                         << "torch==2.11.0+cu126";
        QTest::newRow("GTX 1080, CUDA 13") << 61 << 13000 << "13.0"
                                           << ""
                                           << "6.1";
        QTest::newRow("GTX 1080, CUDA 12.8") << 61 << 12080 << "13.0"
                                             << ""
                                             << "requires 7.5 or higher";
        QTest::newRow("V100, CUDA 12.6") << 70 << 12060 << "12.6"
                                         << ""
                                         << "";
        QTest::newRow("RTX 2080, CUDA 13") << 75 << 13000 << "13.0"
                                           << ""
                                           << "";
        QTest::newRow("an old driver") << 90 << 13000 << "12.4"
                                       << "it finds no device"
                                       << "its driver supports CUDA 12.4, but LibTorch needs CUDA 13";
        QTest::newRow("a newer driver") << 90 << 13000 << "13.2"
                                        << ""
                                        << "";
        QTest::newRow("a newer minor version") << 90 << 13010 << "13.0"
                                               << ""
                                               << "";
        QTest::newRow("no backend") << 90 << 13000 << "13.0"
                                    << "libtorch_cuda.so: cannot open"
                                    << "libtorch_cuda.so: cannot open";
        QTest::newRow("supported") << 90 << 13000 << "13.0"
                                   << ""
                                   << "";
    }
    void devices_that_libtorch_does_not_support() {
        QFETCH(int, capability);
        QFETCH(int, cuda_version);
        QFETCH(QString, driver);
        QFETCH(QString, load_error);
        QFETCH(QString, said);
        DeviceCapability device = cuda_device(capability / 10, capability % 10);
        device.driver = driver.toStdString();
        const auto why = QString::fromStdString(
            why_unusable(device, {.cuda_version = cuda_version, .cuda_load_error = load_error.toStdString()}).text);
        QCOMPARE(why.isEmpty(), said.isEmpty());
        QVERIFY2(why.contains(said), qPrintable(why));
        QVERIFY(why_unusable(cpu_device(), {.cuda_version = 13000, .cuda_load_error = "no"}).empty());
    }

    void versions_have_their_usual_text() {
        QCOMPARE(cublas_version_text(120405), std::string("12.4.5"));
        QCOMPARE(cudnn_version_text(91301), std::string("9.13.1"));
        QCOMPARE(cudnn_version_text(8907), std::string("8.9.7"));
        QCOMPARE(cuda_version_text(13000), std::string("13.0"));
        QVERIFY(library_versions().at("libtorch").starts_with("2."));
    }

    void the_numeric_switches_are_set_and_read_back() {
        apply_numeric_settings(HalfAccumulation::forbidden);
        auto settings = numeric_settings();
        for (const char* name :
             {"float16_accumulation", "float16_reduction", "bfloat16_reduction", "half_reduction_in_attention",
              "tf32_matmul", "tf32_convolution", "cudnn_attention", "cudnn_benchmark"})
            QVERIFY2(settings.at(name) == "off", name);
        apply_numeric_settings(HalfAccumulation::allowed);
        settings = numeric_settings();
        QCOMPARE(settings.at("float16_accumulation"), std::string("on"));
        QCOMPARE(settings.at("tf32_matmul"), std::string("off"));
        apply_numeric_settings(HalfAccumulation::forbidden);
    }
};

QTEST_GUILESS_MAIN(TestChooseDevice)
#include "test_choose_device.moc"
