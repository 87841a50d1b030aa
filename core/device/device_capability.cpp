#include "core/device/device_capability.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <thread>
#include <utility>

#include "core/base/memory_limits.h"
#include "core/base/platform_machine.h"
#include "core/device/cpu_level.h"

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
            return "macOS " + std::to_string(capability.macos_major) +
                   (capability.macos_minor > 0 ? "." + std::to_string(capability.macos_minor) : "");
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

/// Sets the memory of the CPU. Prefers /proc/meminfo, which counts reclaimable caches as free. The system call also
/// works if /proc is not mounted.
void add_memory(DeviceCapability& cpu) {
    AvailableMemory memory = available_memory(read_system_file, read_process_limits());
    if (memory.free_bytes == 0) {
        const SystemMemory system = system_memory();
        memory.total_bytes = system.total_bytes;
        memory.free_bytes = system.free_bytes;
    }
    cpu.memory_total_bytes = memory.total_bytes;
    cpu.memory_free_bytes = memory.free_bytes;
    cpu.memory_limit = std::move(memory.limit);
}

}  // namespace

DeviceCapability query_cpu() {
    const CpuDescription info = describe_cpu();
    DeviceCapability cpu;
    cpu.kind = DeviceKind::cpu;
    cpu.name = info.name.empty() ? "CPU" : info.name;
    const auto has = [&](CpuLevel level, const char* flag) {
        return cpu_level() >= level && info.flags.contains(flag);
    };
    cpu.cpu = {.avx2 = has(CpuLevel::avx2, "avx2"),
               .avx512 = has(CpuLevel::avx512, "avx512f"),
               .avx512_bf16 = has(CpuLevel::avx512, "avx512_bf16"),
               .amx_bf16 = has(CpuLevel::amx, "amx_bf16")};
    const int logical = static_cast<int>(std::thread::hardware_concurrency());
    cpu.physical_cores =
        info.physical_cores > 0 ? std::min(info.physical_cores, std::max(logical, 1)) : std::max(logical, 1);
    add_memory(cpu);
    return cpu;
}

int machine_cores() {
    const int cores = describe_cpu().physical_cores;
    return cores > 0 ? cores : logical_cores();
}

int num_cpu_threads(int wanted, Reproducibility reproducible) {
    if (wanted > 0) return wanted;
    return reproducible == Reproducibility::on ? machine_cores() : query_cpu().physical_cores;
}

std::vector<DeviceCapability> query_devices() {
    std::vector<DeviceCapability> devices = query_cuda();
    std::ranges::move(query_mps(), std::back_inserter(devices));
    devices.push_back(query_cpu());
    return devices;
}

}  // namespace kinescope
