#include <array>
#include <optional>

#include "core/base/platform_library.h"
#include "core/device/device_capability.h"

namespace kinescope {

namespace {

// The functions of NVIDIA's driver API that describe devices. They are looked up at run time, so that the program does
// not need a CUDA toolkit. The constants come from cuda.h.
constexpr int kSuccess = 0;
constexpr int kAttributeComputeMajor = 75;
constexpr int kAttributeComputeMinor = 76;

struct CudaDriver {
    int (*init)(unsigned) = nullptr;
    int (*driver_version)(int*) = nullptr;
    int (*device_count)(int*) = nullptr;
    int (*device_get)(int*, int) = nullptr;
    int (*device_name)(char*, int, int) = nullptr;
    int (*device_attribute)(int*, int, int) = nullptr;
    int (*device_total_memory)(std::size_t*, int) = nullptr;
    int (*device_pci_bus_id)(char*, int, int) = nullptr;  ///< optional

    explicit operator bool() const {
        return init && driver_version && device_count && device_get && device_name && device_attribute &&
               device_total_memory;
    }
};

CudaDriver open_driver() {
    CudaDriver driver;
    void* library = open_library("libcuda.so.1", LibraryScope::own);
    if (library == nullptr) return driver;
    look_up(library, "cuInit", driver.init);
    look_up(library, "cuDriverGetVersion", driver.driver_version);
    look_up(library, "cuDeviceGetCount", driver.device_count);
    look_up(library, "cuDeviceGet", driver.device_get);
    look_up(library, "cuDeviceGetName", driver.device_name);
    look_up(library, "cuDeviceGetAttribute", driver.device_attribute);
    look_up(library, "cuDeviceTotalMem_v2", driver.device_total_memory);
    look_up(library, "cuDeviceGetPCIBusId", driver.device_pci_bus_id);
    return driver;
}

// NVIDIA's management library (NVML) reports the free memory of a GPU. The driver API can do so only inside a context,
// which itself takes hundreds of megabytes.
struct NvmlMemory {
    unsigned long long total, free, used;
};

struct Nvml {
    int (*init)() = nullptr;
    int (*device_by_pci_bus_id)(const char*, void**) = nullptr;
    int (*memory_info)(void*, NvmlMemory*) = nullptr;

    explicit operator bool() const { return init && device_by_pci_bus_id && memory_info; }
};

Nvml open_nvml() {
    Nvml nvml;
    void* library = open_library("libnvidia-ml.so.1", LibraryScope::own);
    if (library == nullptr) return nvml;
    look_up(library, "nvmlInit_v2", nvml.init);
    look_up(library, "nvmlDeviceGetHandleByPciBusId_v2", nvml.device_by_pci_bus_id);
    look_up(library, "nvmlDeviceGetMemoryInfo", nvml.memory_info);
    return nvml && nvml.init() == kSuccess ? nvml : Nvml();
}

/// Returns the free memory of a GPU in bytes, or nullopt if the management library is missing or does not report it.
std::optional<std::int64_t> free_memory(const CudaDriver& driver, int device) {
    static const Nvml nvml = open_nvml();
    std::array<char, 64> bus_id{};
    void* handle = nullptr;
    NvmlMemory memory{};
    if (!nvml || driver.device_pci_bus_id == nullptr) return std::nullopt;
    if (driver.device_pci_bus_id(bus_id.data(), static_cast<int>(bus_id.size()) - 1, device) != kSuccess ||
        nvml.device_by_pci_bus_id(bus_id.data(), &handle) != kSuccess || nvml.memory_info(handle, &memory) != kSuccess)
        return std::nullopt;
    return static_cast<std::int64_t>(memory.free);
}

std::optional<DeviceCapability> describe(const CudaDriver& driver, int index, const std::string& version) {
    int device = 0;
    std::array<char, 256> name{};
    std::size_t memory = 0;
    DeviceCapability found;
    found.kind = DeviceKind::cuda;
    found.index = index;
    found.driver = version;
    if (driver.device_get(&device, index) != kSuccess) return std::nullopt;
    if (driver.device_name(name.data(), static_cast<int>(name.size()) - 1, device) != kSuccess) return std::nullopt;
    if (driver.device_attribute(&found.compute_major, kAttributeComputeMajor, device) != kSuccess) return std::nullopt;
    if (driver.device_attribute(&found.compute_minor, kAttributeComputeMinor, device) != kSuccess) return std::nullopt;
    if (driver.device_total_memory(&memory, device) == kSuccess)
        found.memory_total_bytes = static_cast<std::int64_t>(memory);
    found.memory_free_bytes = free_memory(driver, device).value_or(found.memory_total_bytes);
    found.name = name.data();
    return found;
}

}  // namespace

std::vector<DeviceCapability> query_cuda() {
    static const CudaDriver driver = open_driver();
    int count = 0;
    int version = 0;
    if (!driver || driver.init(0) != kSuccess || driver.device_count(&count) != kSuccess) return {};
    driver.driver_version(&version);
    const std::string text = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    std::vector<DeviceCapability> devices;
    for (int index = 0; index < count; ++index) {
        if (auto device = describe(driver, index, text)) devices.push_back(*device);
    }
    return devices;
}

}  // namespace kinescope
