#include "core/base/platform_machine.h"

#include <unistd.h>

#include <algorithm>

#ifdef __APPLE__
#include <mach/mach.h>
#include <sys/sysctl.h>

#include <cstdio>
#else
#include <sys/syscall.h>
#include <sys/sysinfo.h>

#include <fstream>
#include <sstream>
#endif

namespace kinescope {

OperatingSystem operating_system() {
#if defined(_WIN32)
    return OperatingSystem::windows;
#elif defined(__APPLE__)
    return OperatingSystem::macos;
#else
    return OperatingSystem::linux_kernel;
#endif
}

bool request_amx() {
#if defined(__linux__) && defined(__x86_64__)
    constexpr int kRequestPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
    return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
    return false;
#endif
}

int logical_cores() {
    return std::max(static_cast<int>(::sysconf(_SC_NPROCESSORS_CONF)), 1);
}

#ifdef __APPLE__

namespace {

std::string text_setting(const char* name) {
    std::size_t size = 0;
    if (::sysctlbyname(name, nullptr, &size, nullptr, 0) != 0 || size == 0) return {};
    std::string text(size, '\0');
    if (::sysctlbyname(name, text.data(), &size, nullptr, 0) != 0) return {};
    return text.substr(0, text.find('\0'));
}

template <class Number>
Number number_setting(const char* name) {
    Number value = 0;
    std::size_t size = sizeof(value);
    return ::sysctlbyname(name, &value, &size, nullptr, 0) == 0 ? value : 0;
}

}  // namespace

OsVersion macos_version() {
    OsVersion version;
    std::sscanf(text_setting("kern.osproductversion").c_str(), "%d.%d", &version.major, &version.minor);
    return version;
}

CpuDescription describe_cpu() {
    CpuDescription cpu{.name = text_setting("machdep.cpu.brand_string"),
                       .flags = {},
                       .physical_cores = number_setting<std::int32_t>("hw.physicalcpu")};
    for (const auto& [setting, flag] :
         {std::pair{"hw.optional.avx2_0", "avx2"}, std::pair{"hw.optional.avx512f", "avx512f"},
          std::pair{"hw.optional.avx512_bf16", "avx512_bf16"}})
        if (number_setting<std::int32_t>(setting) != 0) cpu.flags.insert(flag);
    return cpu;
}

SystemMemory system_memory() {
    SystemMemory memory{.total_bytes = number_setting<std::int64_t>("hw.memsize"), .free_bytes = 0};
    vm_statistics64_data_t pages{};
    mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
    if (::host_statistics64(::mach_host_self(), HOST_VM_INFO64, reinterpret_cast<host_info64_t>(&pages), &count) ==
        KERN_SUCCESS)
        memory.free_bytes =
            static_cast<std::int64_t>(pages.free_count + pages.inactive_count) * ::sysconf(_SC_PAGESIZE);
    return memory;
}

#else

OsVersion macos_version() {
    return {};
}

CpuDescription describe_cpu() {
    CpuDescription cpu;
    std::set<std::string> cores;
    std::string physical_id;
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const auto colon = line.find(':');
        if (colon == std::string::npos) continue;
        const std::string key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
        const std::string value = colon + 2 <= line.size() ? line.substr(colon + 2) : "";
        if (key == "model name" && cpu.name.empty()) cpu.name = value;
        if (key == "physical id") physical_id = value;
        if (key == "core id") cores.insert(physical_id + "/" + value);
        if (key == "flags" && cpu.flags.empty()) {
            std::istringstream words(value);
            for (std::string word; words >> word;) cpu.flags.insert(word);
        }
    }
    cpu.physical_cores = static_cast<int>(cores.size());
    return cpu;
}

SystemMemory system_memory() {
    struct sysinfo system {};
    if (::sysinfo(&system) != 0) return {};
    return {.total_bytes = static_cast<std::int64_t>(system.totalram) * system.mem_unit,
            .free_bytes = static_cast<std::int64_t>(system.freeram + system.bufferram) * system.mem_unit};
}

#endif

}  // namespace kinescope
