#include "core/device/cpu_level.h"

#include <c10/util/env.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "core/api/error.h"
#include "core/base/platform_machine.h"
#include "core/device/cpu_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/device/cpu_level.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinescope::HWY_NAMESPACE {
namespace {

CpuLevel level_of_target() {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    return CpuLevel::avx512;
#elif HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
    return CpuLevel::avx2;
#else
    return CpuLevel::baseline;
#endif
}

}  // namespace
}  // namespace kinescope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace kinescope {

namespace {

/// Returns the value of KINESCOPE_CPU, or nullptr if it is unset or empty.
const char* limit_of_user() {
    const char* const name = std::getenv("KINESCOPE_CPU");
    return name == nullptr || *name == 0 ? nullptr : name;
}

/// A level, and the values of the variables that limit the libraries to it.
struct Level {
    CpuLevel level;
    const char* name;
    std::int64_t targets_above;  ///< of Highway
    const char* aten;            ///< ATEN_CPU_CAPABILITY
    const char* onednn;          ///< ONEDNN_MAX_CPU_ISA
    const char* mkl;             ///< MKL_ENABLE_INSTRUCTIONS
};

/// In Highway, a better target of a processor family is a lower bit.
constexpr std::array kLevels{
    Level{CpuLevel::baseline, "baseline", (HWY_AVX2 << 1) - 1, "default", "SSE41", "SSE4_2"},
    Level{CpuLevel::avx2, "avx2", HWY_AVX2 - 1, "avx2", "AVX2", "AVX2"},
    Level{CpuLevel::avx2_vnni, "avx2_vnni", HWY_AVX2 - 1, "avx2", "AVX2_VNNI", "AVX2"},
    Level{CpuLevel::avx512, "avx512", 0, "avx512", "AVX512_CORE_FP16", "AVX512"},
    Level{CpuLevel::amx, "amx", 0, "avx512", "ALL", "AVX512"},
};

const Level& level_named(const std::string& name) {
    for (const Level& level : kLevels)
        if (level.name == name) return level;
    throw Error(ErrorCode::bad_usage, "the environment variable KINESCOPE_CPU has the unknown value \"" + name + "\"",
                "Set it to baseline, avx2, avx2_vnni, avx512 or amx, or remove it.");
}

HWY_EXPORT(level_of_target);

const std::set<std::string>& cpu_flags() {
    static const std::set<std::string> flags = describe_cpu().flags;
    return flags;
}

/// What limit_cpu_level() allows. Highway has no targets for AMX and AVX-VNNI.
std::atomic<CpuLevel> highest_allowed = CpuLevel::amx;

bool has_amx() {
    static const bool is_usable = [] {
        const auto& flags = cpu_flags();
        return flags.contains("amx_tile") && flags.contains("amx_bf16") && flags.contains("avx512_bf16") &&
               request_amx();
    }();
    return is_usable;
}

/// AVX-512 does not imply AVX-VNNI, which has instructions of its own.
bool has_avx_vnni() {
    return cpu_flags().contains("avx_vnni");
}

}  // namespace

std::string_view to_string(CpuLevel level) {
    return kLevels.at(static_cast<std::size_t>(level)).name;
}

CpuLevel cpu_level() {
    CpuLevel level = HWY_DYNAMIC_DISPATCH(level_of_target)();
    if (level == CpuLevel::avx2 && has_avx_vnni()) level = CpuLevel::avx2_vnni;
    if (level == CpuLevel::avx512 && has_amx()) level = CpuLevel::amx;
    return std::min(level, highest_allowed.load());
}

bool adds_int8_products() {
    if (cpu_level() >= CpuLevel::avx512) return cpu_flags().contains("avx512_vnni");
    return cpu_level() == CpuLevel::avx2_vnni;
}

void limit_cpu_level() {
    const char* const name = limit_of_user();
    if (name == nullptr) return;
    const Level& wanted = level_named(name);
    const CpuLevel most = cpu_level();
    const bool lacks_vnni = wanted.level == CpuLevel::avx2_vnni && most >= CpuLevel::avx2 && !has_avx_vnni();
    if (wanted.level > most || lacks_vnni)
        throw Error(ErrorCode::unsupported,
                    "the environment variable KINESCOPE_CPU is " + std::string(name) + ", but this processor has " +
                        (lacks_vnni ? "no AVX-VNNI" : "only the level " + std::string(to_string(most))),
                    "Set it to a lower level, or remove it.");
    hwy::DisableTargets(wanted.targets_above);
    highest_allowed = wanted.level;
    c10::utils::set_env("ATEN_CPU_CAPABILITY", wanted.aten);
    c10::utils::set_env("ONEDNN_MAX_CPU_ISA", wanted.onednn);
    c10::utils::set_env("MKL_ENABLE_INSTRUCTIONS", wanted.mkl);
}

}  // namespace kinescope

#endif
