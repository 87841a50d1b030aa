// The parts of libtorch_cuda.so that LibTorch needs in addition to kernels: hooks, allocators, devices, streams,
// events.
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <atomic>

#include "tests/simulated_gpu/device_memory.h"
#include "tests/simulated_gpu/launches.h"
#include "tests/simulated_gpu/report.h"
#include "tests/simulated_gpu/settings.h"
#include "tests/simulated_gpu/streams.h"

namespace simulated_gpu {

namespace {

c10::Device device_at(int index) {
    return {c10::kCUDA, static_cast<c10::DeviceIndex>(index)};
}

/// Returns the index of a device, or of the current device if it has none.
int index_of(const c10::Device& device) {
    return device.has_index() ? device.index() : current_device();
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
    c10::DeviceIndex current_device() const override { return own_device(); }
    c10::DeviceIndex deviceCount() const override { return static_cast<c10::DeviceIndex>(device_count()); }
    c10::DeviceIndex getCurrentDevice() const override { return own_device(); }
    c10::DeviceIndex exchangeDevice(c10::DeviceIndex to) const override {
        return static_cast<c10::DeviceIndex>(change_device(to));
    }
    c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex to) const override {
        return to < 0 ? own_device() : exchangeDevice(to);
    }
    void setCurrentDevice(c10::DeviceIndex to) const override { change_device(to); }
    /// Finds no device if the driver is older than LibTorch's CUDA, like the real hooks.
    int getNumGPUs() const override { return number("SIMULATED_GPU_DRIVER", "13000") < 13000 ? 0 : device_count(); }
    std::string showConfig() const override { return "simulated\n"; }
    long versionCUDART() const override { return 13000; }
    c10::Device getDeviceFromPtr(void* address) const override { return device_at(device_of(address)); }
    bool isPinnedPtr(const void* address) const override { return is_pinned(address); }
    c10::Allocator* getPinnedMemoryAllocator() const override { return &pinned_allocator(); }

private:
    static c10::DeviceIndex own_device() { return static_cast<c10::DeviceIndex>(simulated_gpu::current_device()); }
};

}  // namespace simulated_gpu

namespace at {
using simulated_gpu::Hooks;
C10_REGISTER_CLASS(CUDAHooksRegistry, CUDAHooks, Hooks)
}  // namespace at

namespace simulated_gpu {

namespace {

/// Reports that the host waits for the GPU. A thread that only waits delays no launch.
void report_wait(const std::string& call) {
    count(call + (has_launched() ? " SYNC" : " beside the launches"), 0);
    trace(call);
}

}  // namespace

class DeviceGuard final : public c10::impl::DeviceGuardImplInterface {
public:
    c10::DeviceType type() const override { return c10::kCUDA; }
    c10::Device exchangeDevice(c10::Device to) const override { return device_at(change_device(index_of(to))); }
    c10::Device getDevice() const override { return device_at(current_device()); }
    void setDevice(c10::Device to) const override { change_device(index_of(to)); }
    void uncheckedSetDevice(c10::Device to) const noexcept override { change_device(index_of(to)); }
    c10::DeviceIndex deviceCount() const noexcept override { return static_cast<c10::DeviceIndex>(device_count()); }

    c10::Stream getStream(c10::Device of) const override { return stream(of, current_stream_of(index_of(of))); }
    c10::Stream getDefaultStream(c10::Device of) const override { return stream(of, stream_key(index_of(of), 0)); }
    c10::Stream getStreamFromGlobalPool(c10::Device of, bool) const override {
        constexpr std::int64_t kPool = 32;
        static std::atomic<std::int64_t> next{0};
        return stream(of, stream_key(index_of(of), 1 + next++ % kPool));
    }
    c10::Stream exchangeStream(c10::Stream to) const override {
        return stream(to.device(), change_stream(index_of(to.device()), key_of(to)));
    }
    void synchronizeStream(const c10::Stream& of) const override {
        require_card("synchronizeStream");
        report_wait("synchronizeStream");
        host_awaits_stream(key_of(of));
    }
    void synchronizeDevice(c10::DeviceIndex of) const override {
        require_card("synchronizeDevice");
        report_wait("synchronizeDevice");
        host_awaits_stream(current_stream_of(of));
    }

    void record(void** event, const c10::Stream& on, c10::DeviceIndex, c10::EventFlag) const override {
        require_card("record");
        if (*event == nullptr) *event = new Event;
        *static_cast<Event*>(*event) = {.clock = simulated_gpu::record(key_of(on)), .seconds = card_seconds()};
        count("event.record", 0);
    }
    void block(void* event, const c10::Stream& on) const override {
        require_card("block");
        if (event != nullptr) await(key_of(on), static_cast<Event*>(event)->clock);
        count("event.block", 0);
    }
    bool queryEvent(void* event) const override {
        return event == nullptr || has_awaited(static_cast<Event*>(event)->clock);
    }
    void synchronizeEvent(void* event) const override {
        require_card("synchronizeEvent");
        report_wait("synchronizeEvent");
        if (event != nullptr) host_awaits(static_cast<Event*>(event)->clock);
    }
    void destroyEvent(void* event, c10::DeviceIndex) const noexcept override { delete static_cast<Event*>(event); }
    double elapsedTime(void* from, void* to, c10::DeviceIndex) const override {
        constexpr double kMilliseconds = 1e3;
        return (static_cast<Event*>(to)->seconds - static_cast<Event*>(from)->seconds) * kMilliseconds;
    }
    void* getStreamNativeHandle(const c10::Stream of) const override { return reinterpret_cast<void*>(key_of(of)); }

private:
    struct Event {
        Clock clock;
        double seconds = 0;
    };

    static c10::Stream stream(const c10::Device& of, std::int64_t key) {
        return c10::Stream(c10::Stream::UNSAFE, device_at(index_of(of)), stream_id(key));
    }
    static std::int64_t key_of(const c10::Stream& stream) { return stream_key(stream.device_index(), stream.id()); }
};

namespace {
C10_REGISTER_GUARD_IMPL(CUDA, DeviceGuard)
}

}  // namespace simulated_gpu
