#include "core/device/device_fault.h"

#include <c10/util/Exception.h>

#include <QTest>
#include <new>
#include <stdexcept>

using namespace kinescope;

class TestDeviceFault : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void messages_are_classified_data() {
        using enum DeviceFault;
        QTest::addColumn<QString>("message");
        QTest::addColumn<DeviceFault>("fault");
        const auto add = [](const char* message, DeviceFault fault) { QTest::newRow(message) << message << fault; };
        add("CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 7.79 GiB", out_of_memory);
        add("MPS backend out of memory (MPS allocated: 5.10 GB)", out_of_memory);
        add("CUDA error: out of memory\nCUDA kernel errors might be reported asynchronously", out_of_memory);
        add("CUDA driver error: out of memory", out_of_memory);
        add("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`", out_of_memory);
        add("CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`", out_of_memory);
        add("cuDNN error: CUDNN_STATUS_ALLOC_FAILED", out_of_memory);
        add("cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED", out_of_memory);
        add("GET was unable to find an engine to execute this computation", out_of_memory);
        add("FIND was unable to find an engine to execute this computation", out_of_memory);
        add("CUDA error: an illegal memory access was encountered", lost);
        add("CUDA error: unspecified launch failure", lost);
        add("CUDA error: device-side assert triggered", lost);
        add("CUDA error: uncorrectable ECC error encountered", lost);
        add("CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasGemmEx(...)`", lost);
        add("cuDNN error: CUDNN_STATUS_EXECUTION_FAILED", lost);
        add("CUDA error: CUBLAS_STATUS_NOT_SUPPORTED when calling `cublasLtMatmul(...)`", none);
        add("cuDNN error: CUDNN_STATUS_BAD_PARAM", none);
        add("CUDA driver version is insufficient for CUDA runtime version", none);
        add("[enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory", none);
        add("Expected all tensors to be on the same device", none);
        add("", none);
    }
    void messages_are_classified() {
        QFETCH(QString, message);
        QFETCH(DeviceFault, fault);
        QCOMPARE(classify_device_message(message.toStdString()), fault);
        QCOMPARE(device_fault(std::runtime_error(message.toStdString())), fault);
    }

    void exceptions_of_libtorch_are_classified_by_type_and_code() {
        const c10::SourceLocation here{"f", "f.cpp", 1};
        QCOMPARE(device_fault(c10::OutOfMemoryError(here, "no words")), DeviceFault::out_of_memory);
        QCOMPARE(device_fault(c10::AcceleratorError(here, 2, "no words")), DeviceFault::out_of_memory);
        QCOMPARE(device_fault(c10::AcceleratorError(here, 700, "no words")), DeviceFault::lost);
        QCOMPARE(device_fault(c10::Error(here, "no words")), DeviceFault::none);
        QCOMPARE(device_fault(std::bad_alloc()), DeviceFault::none);
    }

    void the_message_is_one_short_line() {
        const std::string whole =
            "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 7.79 GiB of which 1.10 GiB "
            "is free. Process 4711 has 3.00 GiB memory in use. Of the allocated memory 2.00 GiB is allocated by "
            "PyTorch.\nSee documentation";
        QCOMPARE(device_message(std::runtime_error(whole)),
                 std::string("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 7.79 GiB "
                             "of which 1.10 GiB is free."));
    }
};

QTEST_GUILESS_MAIN(TestDeviceFault)
#include "test_device_fault.moc"
