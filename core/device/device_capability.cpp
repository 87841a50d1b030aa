#include "core/device/device_capability.h"

#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

#include "core/base/memory_limits.h"

namespace kinescope {

std::string device_id(const DeviceCapability& capability) {
    switch (capability.kind) {
        case DeviceKind::cpu:
            return "cpu";
        case DeviceKind::cuda:
            return "cuda:" + std::to_string(capability.index);
        case DeviceKind::mps:
            return "mps";
    }
    return "cpu";
}

std::string capability_text(const DeviceCapability& capability) {
    switch (capability.kind) {
        case DeviceKind::cuda:
            return std::to_string(capability.compute_major) + "." + std::to_string(capability.compute_minor);
        case DeviceKind::mps:
            return "macOS " + std::to_string(capability.macos_major);
        case DeviceKind::cpu:
            break;
    }
    if (capability.cpu.amx_bf16) return "AMX";
    if (capability.cpu.avx512_bf16) return "AVX512_BF16";
    if (capability.cpu.avx512) return "AVX512";
    return capability.cpu.avx2 ? "AVX2" : "SSE2";
}

bool names_device(std::string_view name, std::string_view words) {
    const auto is_edge = [&](std::size_t at) {
        return at >= name.size() || std::isalnum(static_cast<unsigned char>(name[at])) == 0;
    };
    for (auto at = name.find(words); at != std::string_view::npos; at = name.find(words, at + 1))
        if ((at == 0 || is_edge(at - 1)) && is_edge(at + words.size())) return true;
    return false;
}

namespace {

struct CpuInfo {
    std::string name;
    std::set<std::string> flags;
    int physical_cores = 0;
};

CpuInfo read_cpuinfo() {
    CpuInfo info;
    std::set<std::string> cores;
    std::string physical_id;
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const auto colon = line.find(':');
        if (colon == std::string::npos) continue;
        const std::string key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
        const std::string value = colon + 2 <= line.size() ? line.substr(colon + 2) : "";
        if (key == "model name" && info.name.empty()) info.name = value;
        if (key == "physical id") physical_id = value;
        if (key == "core id") cores.insert(physical_id + "/" + value);
        if (key == "flags" && info.flags.empty()) {
            std::istringstream words(value);
            for (std::string word; words >> word;) info.flags.insert(word);
        }
    }
    info.physical_cores = static_cast<int>(cores.size());
    return info;
}

/// Prefers /proc/meminfo, which counts reclaimable caches. sysinfo(2) also works if /proc is not mounted.
void add_memory(DeviceCapability& cpu) {
    AvailableMemory memory = available_memory(read_system_file, read_process_limits());
    struct sysinfo system {};
    if (memory.free_bytes == 0 && sysinfo(&system) == 0) {
        memory.total_bytes = static_cast<std::int64_t>(system.totalram) * system.mem_unit;
        memory.free_bytes = static_cast<std::int64_t>(system.freeram + system.bufferram) * system.mem_unit;
    }
    cpu.memory_total_bytes = memory.total_bytes;
    cpu.memory_free_bytes = memory.free_bytes;
    cpu.memory_limit = std::move(memory.limit);
}

}  // namespace

DeviceCapability query_cpu() {
    const CpuInfo info = read_cpuinfo();
    DeviceCapability cpu;
    cpu.kind = DeviceKind::cpu;
    cpu.name = info.name.empty() ? "CPU" : info.name;
    cpu.cpu = {.avx2 = info.flags.contains("avx2"),
               .avx512 = info.flags.contains("avx512f"),
               .avx512_bf16 = info.flags.contains("avx512_bf16"),
               .amx_bf16 = info.flags.contains("amx_bf16")};
    const int logical = static_cast<int>(std::thread::hardware_concurrency());
    cpu.physical_cores =
        info.physical_cores > 0 ? std::min(info.physical_cores, std::max(logical, 1)) : std::max(logical, 1);
    add_memory(cpu);
    return cpu;
}

int machine_cores() {
    const int cores = read_cpuinfo().physical_cores;
    return cores > 0 ? cores : std::max(static_cast<int>(::sysconf(_SC_NPROCESSORS_CONF)), 1);
}

std::vector<DeviceCapability> query_devices() {
    std::vector<DeviceCapability> devices = query_cuda();
    devices.push_back(query_cpu());
    return devices;
}

}  // namespace kinescope
