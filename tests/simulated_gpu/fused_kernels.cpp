// The fused kernels of the program, compiled as C++, and their launch on the simulated GPU.
#include <c10/util/Exception.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>

#include "core/device/cuda/kernel_arguments.h"
#include "tests/simulated_gpu/device_memory.h"
#include "tests/simulated_gpu/emulation.h"
#include "tests/simulated_gpu/launches.h"
#include "tests/simulated_gpu/report.h"
#include "tests/simulated_gpu/settings.h"
#include "tests/simulated_gpu/streams.h"

namespace simulated_gpu {

namespace {

struct Kernel {
    std::string name;
    std::function<bool(const void* arguments, unsigned blocks, unsigned threads)> run;
};

std::map<std::string, Kernel>& kernels() {
    static std::map<std::string, Kernel> all;
    return all;
}

/// Replaces the addresses of device memory in a kernel's arguments by those that kernels can access, and records their
/// use. Counts the bytes that the kernel reads and writes.
class Operands {
public:
    explicit Operands(const std::string& kernel) : kernel_(kernel) {}

    template <class T>
    void read(const T*& address, std::int64_t bytes) {
        if (address != nullptr) address = static_cast<const T*>(used(address, Access::read, bytes));
    }
    template <class T>
    void write(T*& address, std::int64_t bytes) {
        if (address == nullptr) return;
        address = static_cast<T*>(used(address, Access::write, bytes));
        if (result_ == nullptr) result_ = reinterpret_cast<float*>(address);
    }
    double bytes() const { return bytes_; }
    /// Returns the first output.
    float* result() const { return result_; }

    /// Returns the size of the elements of the type that the kernel's name has at a position: 0 is the last one.
    std::int64_t size(int position) const {
        std::string name = kernel_;
        for (int i = 0; i < position; ++i) name.resize(name.rfind('_'));
        return name.ends_with("_float32") ? 4 : 2;
    }

private:
    void* used(const void* address, Access access, std::int64_t bytes) {
        bytes_ += static_cast<double>(bytes);
        return use(address, access, kernel_);
    }

    const std::string& kernel_;
    double bytes_ = 0;
    float* result_ = nullptr;
};

void prepare(kinescope::kernels::StatisticsOutput& out, Operands& operands, unsigned blocks) {
    using namespace kinescope::kernels;
    operands.write(out.row, kRowSize * sizeof(float));
    operands.write(out.parts, std::int64_t{blocks} * kPartBytes);
    operands.write(out.finished, sizeof(unsigned));
}

void read_vectors(kinescope::kernels::NormArguments& a, Operands& operands) {
    for (const float** vector : {&a.weight, &a.bias, &a.scale, &a.shift, &a.first_scale, &a.first_shift})
        operands.read(*vector, a.dim * 4);
}

void prepare(kinescope::kernels::NormArguments& a, Operands& operands, unsigned) {
    operands.read(a.x, a.rows * a.dim * operands.size(1));
    read_vectors(a, operands);
    operands.write(a.y, a.rows * a.dim * operands.size(0));
}

void prepare(kinescope::kernels::RotaryArguments& a, Operands& operands, unsigned) {
    operands.read(a.x, a.rows * a.dim * operands.size(1));
    operands.read(a.weight, a.dim * 4);
    operands.read(a.table, a.rows * a.head_dim * 4);
    operands.write(a.y, a.rows * a.dim * operands.size(0));
}

void prepare_sum(kinescope::kernels::SumArguments& a, Operands& operands, unsigned blocks, std::int64_t update_size) {
    operands.read(a.x, a.rows * a.dim * 4);
    operands.read(a.update, a.rows * a.dim * update_size);
    operands.read(a.gate, a.dim * 4);
    operands.read(a.first_gate, a.dim * 4);
    operands.write(a.y, a.rows * a.dim * 4);
    prepare(a.of_update, operands, blocks);
    prepare(a.of_y, operands, blocks);
}

void prepare(kinescope::kernels::SumArguments& a, Operands& operands, unsigned blocks) {
    prepare_sum(a, operands, blocks, operands.size(0));
}

void prepare(kinescope::kernels::SumNormArguments& a, Operands& operands, unsigned blocks) {
    prepare_sum(a.sum, operands, blocks, operands.size(1));
    read_vectors(a.norm, operands);
    operands.write(a.norm.y, a.norm.rows * a.norm.dim * operands.size(0));
}

void prepare(kinescope::kernels::SiluArguments& a, Operands& operands, unsigned) {
    operands.read(a.x, a.rows * a.dim * operands.size(0));
    operands.read(a.gain, a.dim * 4);
    operands.write(a.y, a.rows * a.dim * 4);
}

void prepare(kinescope::kernels::StatisticsArguments& a, Operands& operands, unsigned blocks) {
    operands.read(a.x, a.count * operands.size(0));
    prepare(a.of_x, operands, blocks);
}

/// Returns true if a setting contains the beginning of the kernel's name. Commas separate several ones.
bool is_selected(const char* by, const std::string& kernel) {
    std::istringstream names(setting(by, ""));
    for (std::string name; std::getline(names, name, ',');)
        if (kernel.starts_with(name)) return true;
    return false;
}

template <class Arguments>
bool run(const std::string& name, void (*kernel)(const Arguments), const void* given, unsigned blocks,
         unsigned threads) {
    Arguments arguments;
    std::memcpy(&arguments, given, sizeof arguments);
    Operands operands(name);
    prepare(arguments, operands, blocks);
    count(name, operands.bytes());
    if (is_selected("SIMULATED_GPU_SLOW_KERNEL", name)) spend(1);
    if (!run_grid(blocks, threads, [&] { kernel(arguments); })) return false;
    if (is_selected("SIMULATED_GPU_WRONG_KERNEL", name)) *operands.result() = 12345;
    static std::set<std::string> launched;
    if (!launched.insert(name).second && is_selected("SIMULATED_GPU_NAN_KERNEL", name)) *operands.result() = NAN;
    return true;
}

struct Registration {
    template <class Arguments>
    Registration(const char* name, void (*kernel)(const Arguments)) {
        kernels()[name] = {
            name, [name = std::string(name), kernel](const void* arguments, unsigned blocks, unsigned threads) {
                return run<Arguments>(name, kernel, arguments, blocks, threads);
            }};
    }
};

}  // namespace

}  // namespace simulated_gpu

#define KINESCOPE_KERNEL(name, Arguments, ...)              \
    static void name(const kinescope::kernels::Arguments a) \
        __VA_ARGS__ static const simulated_gpu::Registration registration_of_##name{#name, &name};

#include "core/device/cuda/fused_kernels.cu"

extern "C" {

void* simulated_gpu_find_kernel(const char* name) {
    const auto found = simulated_gpu::kernels().find(name);
    return found == simulated_gpu::kernels().end() ? nullptr : &found->second;
}

int simulated_gpu_current_device() {
    return simulated_gpu::current_device();
}

/// Runs a kernel. Returns a CUDA error code.
int simulated_gpu_launch_kernel(void* function, unsigned blocks, unsigned threads, void* stream,
                                const void* arguments) {
    using namespace simulated_gpu;
    constexpr int kLaunchTimeout = 702;
    const auto& kernel = *static_cast<const Kernel*>(function);
    const std::lock_guard lock(state_mutex());
    try {
        launch(kernel.name);
    } catch (const c10::AcceleratorError& error) {
        return error.get_error_code();
    }
    const auto before = change_stream(current_device(), reinterpret_cast<std::int64_t>(stream));
    const bool has_ended = kernel.run(arguments, blocks, threads);
    change_stream(current_device(), before);
    if (!has_ended) say("DEADLOCK", kernel.name);
    return has_ended ? 0 : kLaunchTimeout;
}
}
