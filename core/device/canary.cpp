#include "core/device/canary.h"

#include <ATen/Context.h>
#include <c10/util/env.h>

#include <algorithm>
#include <array>

#include "core/api/joined.h"
#include "core/device/dtype.h"
#include "core/device/dtype_support.h"

namespace kinescope {

namespace {

using Shape = std::vector<std::int64_t>;

/// Returns the maximum error relative to the largest value. It covers the rounding of the result and of float32 sums.
double tolerance_of(Dtype dtype) {
    if (dtype == at::kBFloat16) return 8e-3;
    return dtype == at::kHalf ? 1e-3 : 5e-5;
}

double tolerance_of(CanaryOp op, Dtype dtype) {
    constexpr double kTf32 = 2e-3;  // kernels may truncate the two operands of a product to 10 bits each
    if (op == CanaryOp::tf32_conv2d) return kTf32;
    const bool is_float32 = op == CanaryOp::fused_sum || op == CanaryOp::fused_statistics || op == CanaryOp::fused_silu;
    return tolerance_of(is_float32 ? at::ScalarType(at::kFloat) : dtype);
}

/// How a probe is named: a code that never changes, the English words, and what it examines.
struct ProbeWords {
    const char* code;
    const char* words;
    CanaryKind kind;
};

ProbeWords words_of(CanaryOp op) {
    switch (op) {
        case CanaryOp::linear:
            return {"linear", "matrix product", CanaryKind::products};
        case CanaryOp::cancelling_sum:
            return {"cancelling_sum", "sum of +8 and -8", CanaryKind::sums};
        case CanaryOp::small_addends:
            return {"small_addends", "sum of 2048 and many 1/32", CanaryKind::sums};
        case CanaryOp::attention:
            return {"attention", "attention", CanaryKind::attention};
        case CanaryOp::causal_attention:
            return {"causal_attention", "causal attention", CanaryKind::attention};
        case CanaryOp::long_keys:
            return {"long_keys", "attention over long keys", CanaryKind::attention};
        case CanaryOp::large_scores:
            return {"large_scores", "attention with large scores", CanaryKind::attention};
        case CanaryOp::conv2d:
            return {"conv2d", "convolution", CanaryKind::convolution};
        case CanaryOp::rsqrt:
            return {"rsqrt", "inverse square root", CanaryKind::conversion};
        case CanaryOp::stale_bias:
            return {"stale_bias", "product over stale memory", CanaryKind::products};
        case CanaryOp::float8_cast:
            return {"float8_cast", "float8 cast", CanaryKind::conversion};
        case CanaryOp::many_scores:
            return {"many_scores", "many scores", CanaryKind::attention};
        case CanaryOp::cudnn_attention:
            return {"cudnn_attention", "cuDNN attention", CanaryKind::attention};
        case CanaryOp::tf32_conv2d:
            return {"tf32_conv2d", "TF32 convolution", CanaryKind::convolution};
        case CanaryOp::gelu_product:
            return {"gelu_product", "GELU in the matrix product", CanaryKind::products};
        case CanaryOp::fused_load:
            return {"fused_load", "fused kernels", CanaryKind::fused};
        case CanaryOp::fused_norm:
            return {"fused_norm", "fused norm", CanaryKind::fused};
        case CanaryOp::fused_rotary:
            return {"fused_rotary", "fused norm and rotary embedding", CanaryKind::fused};
        case CanaryOp::fused_sum:
            return {"fused_sum", "fused gated sum", CanaryKind::fused};
        case CanaryOp::fused_sum_norm:
            return {"fused_sum_norm", "fused gated sum and norm", CanaryKind::fused};
        case CanaryOp::fused_statistics:
            return {"fused_statistics", "fused statistics", CanaryKind::fused};
        case CanaryOp::fused_silu:
            return {"fused_silu", "fused norm and SiLU", CanaryKind::fused};
    }
    return {};
}

ProbeWords words_of(RowLayerRole role) {
    switch (role) {
        case RowLayerRole::time_embedder:
            return {"time_embedder", "time embedder", CanaryKind::layers};
        case RowLayerRole::modulation:
            return {"modulation", "modulation", CanaryKind::layers};
        case RowLayerRole::added_times:
            return {"added_times", "added times", CanaryKind::layers};
        case RowLayerRole::timesteps:
            return {"timesteps", "timesteps", CanaryKind::layers};
    }
    return {};
}

/// Collects the probes for one device.
class ProbeList {
public:
    explicit ProbeList(const DeviceCapability& device) : device_(device) {}

    void add(CanaryOp op, Dtype dtype, Shape shape) { add(op, words_of(op), {}, dtype, std::move(shape)); }
    void add_linear(const ProbeWords& words, Dtype dtype, Shape shape) {
        add(CanaryOp::linear, words, {}, dtype, with_fewer_columns(std::move(shape)));
    }
    void add_layer(const RowLayer& layer, Dtype dtype, std::int64_t rows) {
        add(CanaryOp::linear, words_of(layer.role), layer.model, dtype,
            with_fewer_columns({rows, layer.in, layer.out}));
    }
    bool is_cpu() const { return device_.kind == DeviceKind::cpu; }
    std::vector<CanaryProbe> take() && { return std::move(probes_); }

private:
    Shape with_fewer_columns(Shape shape) const {
        if (is_cpu()) shape.back() = std::min<std::int64_t>(shape.back(), 2048);
        return shape;
    }

    void add(CanaryOp op, const ProbeWords& words, const std::string& model, Dtype dtype, Shape shape) {
        LocalizableMessage said{.code = words.code, .values = {}, .text = words.words};
        if (!model.empty()) {
            said.text.insert(0, model + ' ');
            said.values["model"] = model;
        }
        if (!shape.empty()) {
            said.values["dtype"] = dtype_name(dtype);
            said.values["shape"] = shape_text(shape);
            said.text += ", " + said.values["dtype"] + " " + said.values["shape"];
        }
        const std::string name = said.text;
        probes_.push_back({name, std::move(said), op, words.kind, dtype, std::move(shape), tolerance_of(op, dtype)});
    }

    const DeviceCapability& device_;
    std::vector<CanaryProbe> probes_;
};

void add_products(ProbeList& list, Dtype dtype, const RowLayers& row_layers) {
    for (const auto& layer : row_layers)
        for (const std::int64_t rows : {1, 2}) list.add_layer(layer, dtype, rows);
    if (dtype == at::kFloat) return;
    // Known bug: integer division by zero inside cuBLASLt on H20 (pytorch #133548, #152017).
    list.add_linear({"two_rows", "two rows", CanaryKind::products}, dtype, {2, 1024, 18432});
    list.add_linear({"long_rows", "long rows", CanaryKind::products}, dtype, {64, 14688, 1536});
    list.add(CanaryOp::cancelling_sum, dtype, {16, 32768, 64});
    list.add(CanaryOp::small_addends, dtype, {16, 16392, 64});
}

void add_attention(ProbeList& list, Dtype dtype) {
    list.add(CanaryOp::attention, dtype, {4, 250, 333, 64});
    list.add(CanaryOp::causal_attention, dtype, {4, 128, 128, 64});
    list.add(CanaryOp::long_keys, dtype, {1, 64, list.is_cpu() ? 70'000 : 81'920, 64});
    list.add(CanaryOp::large_scores, dtype, {1, 64, 256, 64});
}

bool is_short_of_memory(const DeviceCapability& device) {
    return device.memory_total_bytes < std::int64_t{6} << 30;
}

/// Returns the shape of the last convolutions of Wan's decoder at 480p, reduced if memory is short. CausalConv3d
/// concatenates the channels of three frames.
Shape conv_shape(const DeviceCapability& device) {
    if (device.kind == DeviceKind::cpu) return {48, 16, 64, 64};
    return is_short_of_memory(device) ? Shape{288, 96, 128, 208} : Shape{288, 96, 480, 832};
}

}  // namespace

std::string shape_text(const std::vector<std::int64_t>& shape) {
    return joined(shape, "x", [](std::int64_t side) { return std::to_string(side); });
}

namespace {

/// Adds the shapes of Wan's self-attention for a video of 832x480 px with 41 frames, its cross-attention, CogVideoX's
/// attention, and odd lengths.
void add_cudnn_attention(ProbeList& list, Dtype dtype, const DeviceCapability& device) {
    const auto add = [&](Shape shape) { list.add(CanaryOp::cudnn_attention, dtype, std::move(shape)); };
    const std::int64_t rows = is_short_of_memory(device) ? 321 : 17'160;
    add({12, rows, rows, 128});
    add({12, rows, 512, 128});
    add({8, rows, rows, 64});
    add({3, 333, 77, 40});
}

/// Adds the feed-forward layer of Wan 1.3B for a long video, reduced if memory is short, and a small one.
void add_gelu_product(ProbeList& list, Dtype dtype, const DeviceCapability& device) {
    const auto add = [&](Shape shape) { list.add(CanaryOp::gelu_product, dtype, std::move(shape)); };
    add(is_short_of_memory(device) ? Shape{64, 96, 160} : Shape{32'760, 1536, 8960});
    add({77, 40, 56});
}

/// Adds the shapes of a long video, an odd width, and rows that are a part of longer rows. The number of rows is
/// smaller if memory is short.
void add_fused_kernels(ProbeList& list, Dtype dtype, const DeviceCapability& device) {
    const std::int64_t rows = is_short_of_memory(device) ? 64 : 32'760;
    list.add(CanaryOp::fused_norm, dtype, {rows, 1536, 1536});
    list.add(CanaryOp::fused_norm, dtype, {rows / 8, 5120, 3 * 5120});
    list.add(CanaryOp::fused_norm, dtype, {77, 1001, 1003});
    list.add(CanaryOp::fused_rotary, dtype, {rows, 12, 128});
    list.add(CanaryOp::fused_rotary, dtype, {77, 3, 50});
    list.add(CanaryOp::fused_sum, dtype, {rows, 1536});
    list.add(CanaryOp::fused_sum, dtype, {77, 1001});
    list.add(CanaryOp::fused_sum_norm, dtype, {rows, 1536});
    list.add(CanaryOp::fused_sum_norm, dtype, {rows / 8, 5120});
    list.add(CanaryOp::fused_sum_norm, dtype, {77, 1004});
    list.add(CanaryOp::fused_statistics, dtype, {rows, 1536});
    list.add(CanaryOp::fused_statistics, dtype, {77, 1001});
    list.add(CanaryOp::fused_silu, dtype, {12 * rows, 96});
    list.add(CanaryOp::fused_silu, dtype, {rows, 1024});
    list.add(CanaryOp::fused_silu, dtype, {77, 33});
}

/// Adds the probes of a CUDA device's fast paths. Compute capability 8.0 introduced TF32 and cuDNN's attention.
void add_fast_paths(ProbeList& list, const DeviceCapability& device) {
    const auto computes = [&](Dtype dtype) { return compute_support(device, dtype) != DtypeSupport::none; };
    if (device.compute_major >= 8) {
        for (const Dtype dtype : {at::kBFloat16, at::kHalf})
            if (computes(dtype)) add_cudnn_attention(list, dtype, device);
        const bool is_short = is_short_of_memory(device);
        list.add(CanaryOp::tf32_conv2d, at::kFloat, is_short ? Shape{96, 32, 64, 96} : Shape{288, 96, 480, 832});
        list.add(CanaryOp::tf32_conv2d, at::kFloat, is_short ? Shape{96, 3, 33, 47} : Shape{1152, 384, 64, 112});
    }
    for (const Dtype dtype : {at::kBFloat16, at::kHalf})
        if (computes(dtype)) add_gelu_product(list, dtype, device);
    list.add(CanaryOp::fused_load, at::kFloat, {});
    for (const Dtype dtype : {at::kFloat, at::kBFloat16, at::kHalf})
        if (computes(dtype)) add_fused_kernels(list, dtype, device);
}

}  // namespace

std::optional<FastPath> CanaryProbe::fast_path() const {
    switch (op) {
        case CanaryOp::cudnn_attention:
            return FastPath::cudnn_attention;
        case CanaryOp::tf32_conv2d:
            return FastPath::tf32_convolution;
        case CanaryOp::gelu_product:
            return FastPath::gelu_product;
        case CanaryOp::fused_norm:
            return FastPath::fused_norm;
        case CanaryOp::fused_rotary:
            return FastPath::fused_rotary;
        case CanaryOp::fused_sum:
            return FastPath::fused_sum;
        case CanaryOp::fused_sum_norm:
            return FastPath::fused_sum_norm;
        case CanaryOp::fused_statistics:
            return FastPath::fused_statistics;
        case CanaryOp::fused_silu:
            return FastPath::fused_silu;
        default:
            return std::nullopt;
    }
}

bool CanaryProbe::is_fused() const {
    const auto path = fast_path();
    return op == CanaryOp::fused_load || (path && is_fused_kernel(*path));
}

std::vector<CanaryProbe> canary_probes(const DeviceCapability& device, const RowLayers& row_layers) {
    ProbeList list(device);
    for (const Dtype dtype : {at::kFloat, at::kBFloat16, at::kHalf}) {
        if (compute_support(device, dtype) == DtypeSupport::none) continue;
        add_products(list, dtype, row_layers);
        add_attention(list, dtype);
        list.add(CanaryOp::conv2d, dtype, conv_shape(device));
        list.add(CanaryOp::rsqrt, dtype, {4096});
        list.add(CanaryOp::stale_bias, dtype, {64, 64, 64});
    }
    if (can_store(device, at::kFloat8_e4m3fn)) list.add(CanaryOp::float8_cast, at::kFloat8_e4m3fn, {1024});
    if (device.kind == DeviceKind::mps) list.add(CanaryOp::many_scores, at::kHalf, {2, 33'000});
    // Last, because an optional operation that ends the process must not keep other probes from running.
    if (device.kind == DeviceKind::cuda) add_fast_paths(list, device);
    return std::move(list).take();
}

BackendSwitches& BackendSwitches::operator|=(const BackendSwitches& other) {
    plain_cublas |= other.plain_cublas;
    no_cudnn |= other.no_cudnn;
    no_onednn |= other.no_onednn;
    return *this;
}

void apply_backend_switches(const BackendSwitches& switches) {
    auto& context = at::globalContext();
    if (switches.plain_cublas) {
        context.setBlasPreferredBackend(at::BlasBackend::Cublas);
        // addmm with a bias uses cuBLASLt regardless of the preferred backend.
        c10::utils::set_env("DISABLE_ADDMM_CUDA_LT", "1");
    }
    if (switches.no_cudnn) context.setUserEnabledCuDNN(false);
    if (switches.no_onednn) context.setUserEnabledMkldnn(false);
}

std::string to_string(const BackendSwitches& switches) {
    const std::array words{switches.plain_cublas ? "cuBLAS instead of cuBLASLt" : "",
                           switches.no_cudnn ? "cuDNN off" : "", switches.no_onednn ? "oneDNN off" : ""};
    return joined(words, ", ");
}

std::vector<CanaryFallback> fallbacks_of(const BackendSwitches& switches) {
    std::vector<CanaryFallback> fallbacks;
    if (switches.plain_cublas) fallbacks.push_back(CanaryFallback::plain_cublas);
    if (switches.no_cudnn) fallbacks.push_back(CanaryFallback::no_cudnn);
    if (switches.no_onednn) fallbacks.push_back(CanaryFallback::no_onednn);
    return fallbacks;
}

std::vector<BackendSwitches> alternatives(const CanaryProbe& probe, const DeviceCapability& device) {
    if (device.kind == DeviceKind::cpu) return {{.no_onednn = true}};
    if (device.kind != DeviceKind::cuda || probe.is_optional()) return {};
    const bool is_product = probe.op == CanaryOp::linear || probe.op == CanaryOp::cancelling_sum ||
                            probe.op == CanaryOp::small_addends || probe.op == CanaryOp::stale_bias;
    if (is_product) return {{.plain_cublas = true}};
    return {{.no_cudnn = true}};
}

}  // namespace kinescope
