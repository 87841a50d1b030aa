// The kernels of the simulated GPU. Each checks its operands like a real kernel and then computes on the CPU.
#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/native/Copy.h>
#include <ATen/native/DispatchStub.h>
#include <ATen/native/Resize.h>
#include <ATen/native/transformers/attention.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_as_complex_native.h>
#include <ATen/ops/view_as_real_native.h>
#include <ATen/ops/view_native.h>
#include <torch/library.h>

#include <cstring>
#include <set>

#include "tests/simulated_gpu/device_memory.h"
#include "tests/simulated_gpu/launches.h"
#include "tests/simulated_gpu/report.h"
#include "tests/simulated_gpu/settings.h"
#include "tests/simulated_gpu/streams.h"

namespace simulated_gpu {

namespace {

using at::Tensor;

/// Depth of nested kernels. If it is positive, CPU ops belong to a kernel and are not counted or checked as GPU ops.
thread_local int depth = 0;

class InKernel {
public:
    InKernel() { ++depth; }
    ~InKernel() { --depth; }
    InKernel(const InKernel&) = delete;
    InKernel& operator=(const InKernel&) = delete;
};

/// Makes a GPU the current one during its lifetime, like the wrapper of a real kernel.
class OnCard {
public:
    explicit OnCard(int device) : before_(change_device(device)) {}
    explicit OnCard(const Tensor& tensor)
        : OnCard(tensor.is_cuda() ? static_cast<int>(tensor.get_device()) : current_device()) {}
    ~OnCard() { change_device(before_); }
    OnCard(const OnCard&) = delete;
    OnCard& operator=(const OnCard&) = delete;

private:
    int before_;
};

int index_of(const std::optional<c10::Device>& device) {
    return device && device->has_index() ? device->index() : current_device();
}

double bytes_of(const Tensor& tensor) {
    return tensor.defined() ? static_cast<double>(tensor.numel()) * static_cast<double>(tensor.element_size()) : 0;
}

std::string words_of_copy(const Tensor& to, const Tensor& from, bool non_blocking) {
    std::string words = to.is_cuda() ? (from.is_cuda() ? "copy DtoD" : "copy HtoD") : "copy DtoH";
    if (to.scalar_type() != from.scalar_type())
        words += std::string(" ") + toString(from.scalar_type()) + "->" + toString(to.scalar_type());
    if (to.is_cuda() && from.is_cuda()) return words;
    const Tensor& on_host = to.is_cuda() ? from : to;
    if (is_pinned(on_host.storage().data_ptr().get())) words += " pinned";
    return words + (non_blocking ? "" : " SYNC");
}

void copy_kernel(at::TensorIterator& iterator, bool non_blocking) {
    const Tensor to = iterator.tensor(0), from = iterator.tensor(1);
    const OnCard card(to.is_cuda() ? to : from);
    const bool crosses = !(to.is_cuda() && from.is_cuda());
    const bool is_own = depth == 0;
    if (is_own) {
        launch("copy");
        const std::string words = words_of_copy(to, from, non_blocking);
        count(words, bytes_of(to) + bytes_of(from));
        if (crosses) trace(words);
        use(from, Access::read, "copy");
    }
    use(to, Access::write, "copy");
    {
        const InKernel in_kernel;
        as_host(to).copy_(as_host(from));
    }
    if (crosses && !non_blocking && is_own) host_awaits_stream(current_stream());
}

/// Selects the attention kernel like LibTorch 2.11 on compute capability 8.0 or higher without cuDNN attention.
std::int64_t choose_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                              const std::optional<Tensor>& mask, double, bool, std::optional<double>, bool) {
    constexpr std::int64_t kMath = 0, kFlash = 1, kEfficient = 2;
    const auto dtype = query.scalar_type();
    const bool is_half = dtype == at::kHalf || dtype == at::kBFloat16;
    const bool is_dense = query.stride(-1) == 1 && key.stride(-1) == 1 && value.stride(-1) == 1;
    const auto width = query.size(-1), value_width = value.size(-1);
    if (query.size(-2) == 0 || key.size(-2) == 0) return kMath;
    if (is_half && !mask && is_dense && width <= 256 && width == value_width) return kFlash;
    const std::int64_t alignment = is_half ? 8 : 4;
    const bool is_aligned = width % alignment == 0 && value_width % alignment == 0;
    if ((is_half || dtype == at::kFloat) && is_dense && is_aligned) return kEfficient;
    say("SLOW ATTENTION", std::to_string(width) + " " + toString(dtype) + (mask ? " with a mask" : ""));
    return kMath;
}

struct AttentionInput {
    const Tensor& query;
    const Tensor& key;
    const Tensor& value;
    std::optional<Tensor> mask;
    bool is_causal;
    std::optional<double> scale;
};

/// Seconds that ops take longer than their fast paths. Both run the same code here, so that their real times differ
/// only by chance.
constexpr double kSlowerThanFastPath = 0.1;

Tensor attend(const AttentionInput& in, const std::string& kernel) {
    const OnCard card(in.query);
    launch(kernel);
    count(kernel, bytes_of(in.query) + bytes_of(in.key) + bytes_of(in.value));
    for (const Tensor* operand : {&in.query, &in.key, &in.value}) use(*operand, Access::read, kernel);
    if (in.mask) use(*in.mask, Access::read, kernel);
    const Tensor out =
        at::empty({in.query.size(0), in.query.size(2), in.query.size(1), in.value.size(3)}, in.query.options())
            .transpose(1, 2);
    use(out, Access::write, kernel);
    const InKernel in_kernel;
    const auto mask = in.mask ? std::optional(as_host(*in.mask)) : std::nullopt;
    as_host(out).copy_(
        std::get<0>(at::_scaled_dot_product_attention_math(as_host(in.query), as_host(in.key), as_host(in.value), mask,
                                                           /*dropout_p=*/0.0, in.is_causal, {}, in.scale)));
    return out;
}

std::tuple<Tensor, Tensor, Tensor, Tensor, c10::SymInt, c10::SymInt, Tensor, Tensor, Tensor> flash_attention(
    const Tensor& query, const Tensor& key, const Tensor& value, double, bool is_causal, bool,
    std::optional<double> scale) {
    spend(kSlowerThanFastPath);
    return {attend({query, key, value, std::nullopt, is_causal, scale}, "flash attention"),
            Tensor(),
            Tensor(),
            Tensor(),
            0,
            0,
            Tensor(),
            Tensor(),
            Tensor()};
}

/// cuDNN refuses all operands if SIMULATED_GPU_BROKEN_CUDNN is "refused", and doubles the result if it is "wrong".
std::tuple<Tensor, Tensor, Tensor, Tensor, c10::SymInt, c10::SymInt, Tensor, Tensor, Tensor> cudnn_attention(
    const Tensor& query, const Tensor& key, const Tensor& value, const std::optional<Tensor>& bias, bool, double,
    bool is_causal, bool, std::optional<double> scale) {
    const std::string fault = setting("SIMULATED_GPU_BROKEN_CUDNN", "");
    TORCH_CHECK(fault != "refused", "cuDNN Frontend error: no valid execution plans (simulated)");
    Tensor result = attend({query, key, value, bias, is_causal, scale}, "cuDNN attention");
    if (fault == "wrong") result = result * 2;
    return {result, Tensor(), Tensor(), Tensor(), 0, 0, Tensor(), Tensor(), Tensor()};
}

/// cuBLASLt's product with a GELU. LibTorch's CPU implementation would compute the exact GELU.
Tensor product_with_gelu(const Tensor& bias, const Tensor& x, const Tensor& weight, const at::Scalar&,
                         const at::Scalar&, bool) {
    const std::string kernel = "product with GELU";
    const OnCard card(x);
    launch(kernel);
    count(kernel, bytes_of(bias) + bytes_of(x) + bytes_of(weight));
    for (const Tensor* operand : {&bias, &x, &weight}) use(*operand, Access::read, kernel);
    const Tensor out = at::empty({x.size(0), weight.size(1)}, x.options());
    use(out, Access::write, kernel);
    const InKernel in_kernel;
    const auto wide = [](const Tensor& operand) { return as_host(operand).to(at::kFloat); };
    as_host(out).copy_(at::gelu(at::addmm(wide(bias), wide(x), wide(weight)), "tanh"));
    return out;
}

std::tuple<Tensor, Tensor, Tensor, Tensor> efficient_attention(const Tensor& query, const Tensor& key,
                                                               const Tensor& value, const std::optional<Tensor>& bias,
                                                               bool, double, bool is_causal,
                                                               std::optional<double> scale) {
    return {attend({query, key, value, bias, is_causal, scale}, "memory-efficient attention"), Tensor(), Tensor(),
            Tensor()};
}

struct RegisterStubs {
    RegisterStubs() {
        at::native::copy_stub.set_cuda_dispatch_ptr(&copy_kernel);
        at::native::_fused_sdp_choice_stub.set_cuda_dispatch_ptr(&choose_attention);
    }
};
const RegisterStubs register_stubs;

constexpr c10::DispatchKeySet kCuda(at::DispatchKey::CUDA);

Tensor empty(c10::SymIntArrayRef size, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
             std::optional<c10::Device> device, std::optional<bool>, std::optional<at::MemoryFormat> format) {
    const OnCard card(index_of(device));
    at::globalContext().lazyInitDevice(c10::kCUDA);
    return at::detail::empty_generic(C10_AS_INTARRAYREF_SLOW(size), &device_allocator(), kCuda,
                                     dtype.value_or(at::kFloat), format);
}

Tensor empty_strided(c10::SymIntArrayRef size, c10::SymIntArrayRef stride, std::optional<at::ScalarType> dtype,
                     std::optional<at::Layout>, std::optional<c10::Device> device, std::optional<bool>) {
    const OnCard card(index_of(device));
    at::globalContext().lazyInitDevice(c10::kCUDA);
    return at::detail::empty_strided_generic(C10_AS_INTARRAYREF_SLOW(size), C10_AS_INTARRAYREF_SLOW(stride),
                                             &device_allocator(), kCuda, dtype.value_or(at::kFloat));
}

Tensor as_strided(const Tensor& self, c10::SymIntArrayRef size, c10::SymIntArrayRef stride,
                  std::optional<c10::SymInt> offset) {
    return at::native::as_strided_tensorimpl(self, C10_AS_INTARRAYREF_SLOW(size), C10_AS_INTARRAYREF_SLOW(stride),
                                             offset ? std::optional<std::int64_t>(offset->expect_int()) : std::nullopt);
}

Tensor view(const Tensor& self, c10::SymIntArrayRef size) {
    return at::native::view(self, C10_AS_INTARRAYREF_SLOW(size));
}

Tensor reshape_alias(const Tensor& self, c10::SymIntArrayRef size, c10::SymIntArrayRef stride) {
    return at::native::_reshape_alias(self, C10_AS_INTARRAYREF_SLOW(size), C10_AS_INTARRAYREF_SLOW(stride));
}

at::Scalar local_scalar_dense(const Tensor& self) {
    const OnCard card(self);
    launch("item");
    count("_local_scalar_dense SYNC", 0);
    trace("item");
    use(self, Access::read, "item");
    host_awaits_stream(current_stream());
    const InKernel in_kernel;
    return as_host(self).item();
}

const Tensor& resize_(const Tensor& self, c10::SymIntArrayRef wanted, std::optional<at::MemoryFormat>) {
    const auto size = C10_AS_INTARRAYREF_SLOW(wanted);
    if (self.sizes() == size) return self;
    const OnCard card(self);
    const std::size_t bytes =
        at::detail::computeStorageNbytesContiguous(size, self.element_size(), self.storage_offset());
    if (bytes > self.storage().nbytes()) {
        self.storage().set_data_ptr_noswap(device_allocator().allocate(bytes));
        self.storage().set_nbytes(bytes);
    }
    self.unsafeGetTensorImpl()->set_sizes_contiguous(size);
    return self;
}

Tensor copy_from_and_resize(const Tensor& from, const Tensor& to) {
    resize_(to, from.sym_sizes(), {});
    return to.copy_(from);
}

struct Operand {
    Tensor tensor;
    Access access;
};

std::vector<Operand> operands_of(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
    const auto& arguments = op.schema().arguments();
    const auto first = stack.size() - arguments.size();
    std::vector<Operand> operands;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto& value = stack[first + i];
        const auto* alias = arguments[i].alias_info();
        const Access access = alias != nullptr && alias->isWrite() ? Access::write : Access::read;
        if (value.isTensor()) operands.push_back({value.toTensor(), access});
        if (!value.isList()) continue;
        for (const c10::IValue& element : value.toListRef())
            if (element.isTensor()) operands.push_back({element.toTensor(), access});
    }
    return operands;
}

/// Returns the GPU of the first operand that is on a GPU.
int card_of(const std::vector<Operand>& operands) {
    for (const auto& [tensor, access] : operands)
        if (tensor.defined() && tensor.is_cuda()) return static_cast<int>(tensor.get_device());
    return current_device();
}

/// Rejects operands on other devices, except scalars and indices on the CPU, like a real kernel.
void check_devices(const std::string& name, const std::vector<Operand>& operands) {
    const bool takes_indices = name.find("index") != std::string::npos;
    for (const auto& [tensor, access] : operands) {
        const bool is_at_home = !tensor.defined() || (tensor.is_cuda() && tensor.get_device() == current_device());
        if (is_at_home || (tensor.is_cpu() && tensor.dim() == 0)) continue;
        report_fault("DEVICE MISMATCH",
                     name + ": a " + toString(tensor.scalar_type()) + " tensor on " + tensor.device().str());
        TORCH_CHECK(takes_indices, "Expected all tensors to be on the same device (simulated): ", name);
    }
}

bool waits_for_host(const std::string& name) {
    return name == "aten::nonzero" || name == "aten::equal" || name == "aten::masked_select";
}

/// Returns true for products with a bias: cuBLASLt computes them, unless a variable was set before the first product.
bool uses_faulty_cublaslt(const std::string& name) {
    static const bool is_faulty = *setting("SIMULATED_GPU_FAULTY_CUBLASLT", "") != '\0' &&
                                  std::strcmp(setting("DISABLE_ADDMM_CUDA_LT", "0"), "1") != 0;
    return is_faulty && name == "aten::addmm";
}

/// Computes a 16-bit convolution in float32, because 16-bit convolutions take minutes on the CPU. Real GPUs accumulate
/// in float32, too.
void convolve_in_float32(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
    const auto first = stack->end() - static_cast<std::ptrdiff_t>(op.schema().arguments().size());
    const auto dtype = first->toTensor().scalar_type();
    for (auto value = first; value != stack->end(); ++value)
        if (value->isTensor() && value->toTensor().defined()) *value = as_host(value->toTensor()).to(at::kFloat);
    op.callBoxed(stack);
    stack->back() =
        stack->back().toTensor().to(dtype).to(c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(current_device())));
}

bool is_narrow_convolution(const std::string& name, const std::vector<Operand>& operands) {
    return name == "aten::_slow_conv2d_forward" && operands.front().tensor.scalar_type() != at::kFloat;
}

/// Counts a float32 convolution that a real GPU computes in TF32, and spends time for one that it does not.
void count_float32_convolution(const std::string& name, const std::vector<Operand>& operands) {
    if (name != "aten::_slow_conv2d_forward" || operands.front().tensor.scalar_type() != at::kFloat) return;
    if (at::globalContext().allowTF32CuDNN())
        count("TF32 convolution", 0);
    else
        spend(kSlowerThanFastPath);
}

void run_on_cpu(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
    const std::string& name = op.operator_name().name;
    launch(name);
    const std::vector<Operand> operands = operands_of(op, *stack);
    const OnCard card(card_of(operands));
    check_devices(name, operands);
    double bytes = 0;
    for (const auto& [tensor, access] : operands) {
        bytes += bytes_of(tensor);
        use(tensor, access, name);
    }
    count(name, bytes);
    count_float32_convolution(name, operands);
    if (name == "aten::gelu") spend(kSlowerThanFastPath);
    if (waits_for_host(name)) {
        count(name + " SYNC", 0);
        trace(name);
        host_awaits_stream(current_stream());
    }
    const InKernel in_kernel;
    if (is_narrow_convolution(name, operands)) return convolve_in_float32(op, stack);
    at::native::cpu_fallback(op, stack, /*error_on_views=*/true);
    if (uses_faulty_cublaslt(name)) as_host(stack->back().toTensor()).zero_();
}

TORCH_LIBRARY_IMPL(_, CUDA, library) {
    library.fallback(torch::CppFunction::makeFromBoxedFunction<&run_on_cpu>());
}

TORCH_LIBRARY_IMPL(aten, CUDA, library) {
    library.impl("empty.memory_format", empty);
    library.impl("empty_strided", empty_strided);
    library.impl("as_strided", as_strided);
    library.impl("view", view);
    library.impl("_reshape_alias", reshape_alias);
    library.impl("view_as_real", at::native::view_as_real);
    library.impl("view_as_complex", at::native::view_as_complex);
    library.impl("unfold", at::native::unfold);
    library.impl("_scaled_dot_product_flash_attention", flash_attention);
    library.impl("_scaled_dot_product_cudnn_attention", cudnn_attention);
    library.impl("_scaled_dot_product_efficient_attention", efficient_attention);
    library.impl("_addmm_activation", product_with_gelu);
    library.impl("_local_scalar_dense", local_scalar_dense);
    library.impl("resize_", resize_);
    library.impl("_copy_from_and_resize", copy_from_and_resize);
}

}  // namespace

}  // namespace simulated_gpu
