// The parts of libtorch_cuda.so that LibTorch needs besides kernels: hooks, allocators, devices, streams and events.
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <atomic>

#include "tests/simulated_gpu/device_memory.h"
#include "tests/simulated_gpu/report.h"
#include "tests/simulated_gpu/settings.h"
#include "tests/simulated_gpu/streams.h"

namespace simulated_gpu {

namespace {

c10::Device the_device() {
    return {c10::kCUDA, 0};
}

struct RegisterAllocator {
    RegisterAllocator() { c10::SetAllocator(c10::kCUDA, &device_allocator(), 0); }
};
const RegisterAllocator register_allocator;

}  // namespace

class Hooks final : public at::CUDAHooksInterface {
public:
    explicit Hooks(at::CUDAHooksArgs) {}
    void init() const override {}
    bool hasCUDA() const override { return true; }
    bool isBuilt() const override { return true; }
    bool isAvailable() const override { return true; }
    bool hasCUDART() const override { return true; }
    bool hasCuBLASLt() const override { return true; }
    bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
    c10::DeviceIndex current_device() const override { return 0; }
    c10::DeviceIndex deviceCount() const override { return 1; }
    c10::DeviceIndex getCurrentDevice() const override { return 0; }
    c10::DeviceIndex exchangeDevice(c10::DeviceIndex) const override { return 0; }
    c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex) const override { return 0; }
    void setCurrentDevice(c10::DeviceIndex) const override {}
    /// Like the real hooks, finds no device if the driver is older than LibTorch's CUDA.
    int getNumGPUs() const override { return number("SIMULATED_GPU_DRIVER", "13000") < 13000 ? 0 : 1; }
    std::string showConfig() const override { return "simulated\n"; }
    long versionCUDART() const override { return 13000; }
    c10::Device getDeviceFromPtr(void*) const override { return the_device(); }
    bool isPinnedPtr(const void* address) const override { return is_pinned(address); }
    c10::Allocator* getPinnedMemoryAllocator() const override { return &pinned_allocator(); }
};

}  // namespace simulated_gpu

namespace at {
using simulated_gpu::Hooks;
C10_REGISTER_CLASS(CUDAHooksRegistry, CUDAHooks, Hooks)
}  // namespace at

namespace simulated_gpu {

class DeviceGuard final : public c10::impl::DeviceGuardImplInterface {
public:
    c10::DeviceType type() const override { return c10::kCUDA; }
    c10::Device exchangeDevice(c10::Device) const override { return the_device(); }
    c10::Device getDevice() const override { return the_device(); }
    void setDevice(c10::Device) const override {}
    void uncheckedSetDevice(c10::Device) const noexcept override {}
    c10::DeviceIndex deviceCount() const noexcept override { return 1; }

    c10::Stream getStream(c10::Device) const override { return stream(current_stream()); }
    c10::Stream getDefaultStream(c10::Device) const override { return stream(0); }
    c10::Stream getStreamFromGlobalPool(c10::Device, bool) const override {
        constexpr std::int64_t kPool = 32;
        static std::atomic<std::int64_t> next{0};
        return stream(1 + next++ % kPool);
    }
    c10::Stream exchangeStream(c10::Stream to) const override { return stream(change_stream(to.id())); }
    void synchronizeStream(const c10::Stream& of) const override { host_awaits_stream(of.id()); }
    void synchronizeDevice(c10::DeviceIndex) const override { host_awaits_stream(current_stream()); }

    void record(void** event, const c10::Stream& on, c10::DeviceIndex, c10::EventFlag) const override {
        if (*event == nullptr) *event = new Clock;
        *static_cast<Clock*>(*event) = simulated_gpu::record(on.id());
        count("event.record", 0);
    }
    void block(void* event, const c10::Stream& on) const override {
        if (event != nullptr) await(on.id(), *static_cast<Clock*>(event));
        count("event.block", 0);
    }
    bool queryEvent(void*) const override { return true; }
    void synchronizeEvent(void* event) const override {
        if (event != nullptr) host_awaits(*static_cast<Clock*>(event));
    }
    void destroyEvent(void* event, c10::DeviceIndex) const noexcept override { delete static_cast<Clock*>(event); }

private:
    static c10::Stream stream(std::int64_t id) { return c10::Stream(c10::Stream::UNSAFE, the_device(), id); }
};

namespace {
C10_REGISTER_GUARD_IMPL(CUDA, DeviceGuard)
}

}  // namespace simulated_gpu
