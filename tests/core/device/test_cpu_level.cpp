#include <ATen/Version.h>

#include <QtTest>

#include "core/api/error.h"
#include "core/base/platform_machine.h"
#include "core/device/cpu_level.h"
#include "core/device/device_capability.h"

using namespace kinescope;

namespace {

const char* const kVariables[] = {"KINESCOPE_CPU", "ATEN_CPU_CAPABILITY", "ONEDNN_MAX_CPU_ISA",
                                  "MKL_ENABLE_INSTRUCTIONS"};

std::optional<Error> error_of_level(const char* level) {
    qputenv("KINESCOPE_CPU", level);
    try {
        limit_cpu_level();
    } catch (const Error& error) {
        return error;
    }
    return std::nullopt;
}

}  // namespace

/// Levels can only be lowered in a process, so the order of the functions matters.
class TestCpuLevel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        for (const char* name : kVariables) qunsetenv(name);
    }
    void cleanupTestCase() { init(); }

    void without_the_variable_nothing_changes() {
        const CpuLevel before = cpu_level();
        limit_cpu_level();
        QVERIFY(!error_of_level(""));
        QCOMPARE(cpu_level(), before);
        QVERIFY(!qEnvironmentVariableIsSet("ATEN_CPU_CAPABILITY"));
    }

    void unknown_levels_are_refused() {
        for (const char* level : {"avx", "AVX2", "avx2 ", "0"}) {
            const auto error = error_of_level(level);
            QVERIFY(error && error->code() == ErrorCode::bad_usage);
            QVERIFY(error->message().find("\"" + std::string(level) + "\"") != std::string::npos);
            QVERIFY(error->hint().find("baseline, avx2, avx2_vnni, avx512 or amx") != std::string::npos);
            QVERIFY(!qEnvironmentVariableIsSet("ATEN_CPU_CAPABILITY"));
        }
    }

    void higher_levels_than_the_processor_are_refused() {
        if (cpu_level() == CpuLevel::amx) QSKIP("this processor has every level");
        const auto error = error_of_level("amx");
        QVERIFY(error && error->code() == ErrorCode::unsupported);
        QVERIFY(error->message().find(to_string(cpu_level())) != std::string::npos);
    }

    void avx512_limits_every_library() {
        if (cpu_level() < CpuLevel::amx) QSKIP("this processor has no AMX");
        QVERIFY(!error_of_level("amx"));
        QCOMPARE(cpu_level(), CpuLevel::amx);
        QVERIFY(query_cpu().cpu.amx_bf16);
        QVERIFY(!error_of_level("avx512"));
        QCOMPARE(cpu_level(), CpuLevel::avx512);
        QCOMPARE(qgetenv("ONEDNN_MAX_CPU_ISA"), QByteArray("AVX512_CORE_FP16"));
        const CpuFeatures cpu = query_cpu().cpu;
        QVERIFY(cpu.avx512 && !cpu.amx_bf16);
    }

    void avx2_with_vnni_adds_int8_products() {
        if (!describe_cpu().flags.contains("avx_vnni")) {
            const auto error = error_of_level("avx2_vnni");
            QVERIFY(error && error->code() == ErrorCode::unsupported);
            return;
        }
        QVERIFY(!error_of_level("avx2_vnni"));
        QCOMPARE(cpu_level(), CpuLevel::avx2_vnni);
        QCOMPARE(qgetenv("ONEDNN_MAX_CPU_ISA"), QByteArray("AVX2_VNNI"));
        QVERIFY(adds_int8_products());
        QVERIFY(query_cpu().cpu.avx2 && !query_cpu().cpu.avx512);
    }

    void avx2_limits_every_library() {
        if (cpu_level() < CpuLevel::avx2) QSKIP("this processor has no AVX2");
        QVERIFY(!error_of_level("avx2"));
        QCOMPARE(cpu_level(), CpuLevel::avx2);
        QVERIFY(!adds_int8_products());
        QCOMPARE(qgetenv("ATEN_CPU_CAPABILITY"), QByteArray("avx2"));
        QCOMPARE(qgetenv("ONEDNN_MAX_CPU_ISA"), QByteArray("AVX2"));
        QCOMPARE(qgetenv("MKL_ENABLE_INSTRUCTIONS"), QByteArray("AVX2"));
        const CpuFeatures cpu = query_cpu().cpu;
        QVERIFY(cpu.avx2 && !cpu.avx512 && !cpu.avx512_bf16 && !cpu.amx_bf16);
    }

    /// LibTorch selects its kernels here, after the level was set.
    void baseline_limits_every_library() {
        QVERIFY(!error_of_level("baseline"));
        QCOMPARE(cpu_level(), CpuLevel::baseline);
        QCOMPARE(qgetenv("ONEDNN_MAX_CPU_ISA"), QByteArray("SSE41"));
        QCOMPARE(at::get_cpu_capability(), std::string("DEFAULT"));
        QVERIFY(!query_cpu().cpu.avx2);
    }

    /// A processor without AVX2 must not get the advice to use "avx2" instead of "avx2_vnni".
    void a_level_above_the_lowest_one_is_refused_as_such() {
        QCOMPARE(cpu_level(), CpuLevel::baseline);
        for (const char* level : {"avx2", "avx2_vnni"}) {
            const auto error = error_of_level(level);
            QVERIFY(error && error->code() == ErrorCode::unsupported);
            QVERIFY(error->message().ends_with("only the level baseline"));
            QCOMPARE(error->hint(), std::string("Set it to a lower level, or remove it."));
        }
    }
};

QTEST_GUILESS_MAIN(TestCpuLevel)
#include "test_cpu_level.moc"
