#include "core/device/cuda/fused_kernels.h"

#include <ATen/ATen.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/api/error.h"
#include "core/base/log_line.h"
#include "core/base/round_up.h"
#include "core/device/cuda/kernel_arguments.h"
#include "core/device/cuda/kernel_module.h"
#include "core/device/fast_paths.h"

namespace kinescope {

namespace {

using namespace kernels;

constexpr std::int64_t kWarp = 32, kUsualThreads = 256;

/// The kernels of one device.
struct DeviceKernels {
    std::unique_ptr<KernelModule> module;
    bool has_failed = false;                   ///< loading failed
    std::map<c10::StreamId, Tensor> finished;  ///< of StatisticsOutput, for two tensors; launches of a stream share it
};

/// Never destroyed, because the driver may end before this library.
struct Registry {
    std::mutex mutex;
    std::map<c10::DeviceIndex, DeviceKernels> devices;
};

Registry& registry() {
    static Registry& only = *new Registry;
    return only;
}

KernelModule& load(const Device& device) {
    const std::lock_guard lock(registry().mutex);
    auto& module = registry().devices[device.index()].module;
    if (!module) module = std::make_unique<KernelModule>(device);
    return *module;
}

/// Returns the kernels of a tensor's device, or nullptr if this kernel must not be used.
KernelModule* module_for(FastPath kernel, const Tensor& x) {
    if (!x.is_cuda() || x.numel() == 0 || !is_allowed(kernel, x.device())) return nullptr;
    {
        const std::lock_guard lock(registry().mutex);
        const DeviceKernels& kernels = registry().devices[x.device().index()];
        if (kernels.has_failed) return nullptr;
        if (kernels.module) return kernels.module.get();
    }
    try {
        return &load(x.device());
    } catch (const Error& error) {
        log_warning(error.what());
        const std::lock_guard lock(registry().mutex);
        registry().devices[x.device().index()].has_failed = true;
        return nullptr;
    }
}

/// Returns the type's name in the names of kernels, or nullptr if they do not take it.
const char* type_name(Dtype dtype) {
    if (dtype == at::kFloat) return "float32";
    if (dtype == at::kHalf) return "float16";
    return dtype == at::kBFloat16 ? "bfloat16" : nullptr;
}

/// Returns the name of a kernel from one dtype to another, or nullopt if there is none. Kernels convert between float32
/// and a 16-bit dtype, but not between two of these.
std::optional<std::string> kernel_name(const std::string& kernel, Dtype from, Dtype to) {
    const char *first = type_name(from), *second = type_name(to);
    const bool converts = from == to || from == at::kFloat || to == at::kFloat;
    if (first == nullptr || second == nullptr || !converts) return std::nullopt;
    return kernel + "_" + first + "_" + second;
}

/// A tensor as rows at equal distances.
struct Rows {
    std::int64_t count = 0, dim = 0, stride = 0;
};

std::optional<Rows> rows_of(const Tensor& x) {
    if (x.dim() < 2 || x.stride(-1) != 1) return std::nullopt;
    Rows rows{.count = x.numel() / x.size(-1), .dim = x.size(-1), .stride = x.stride(-2)};
    if (x.is_contiguous())
        rows.stride = rows.dim;  // the strides of dimensions of size 1 may have any value
    else if (rows.count != x.size(-2))
        return std::nullopt;
    if (rows.count > std::numeric_limits<int>::max()) return std::nullopt;
    return rows;
}

/// Returns true for many short rows, such as the heads of an attention. A block for each wastes most of its threads.
bool are_many_short(const Rows& rows) {
    constexpr std::int64_t kShort = 256, kMany = 65'536;
    return rows.dim < kShort && rows.count > kMany;
}

/// Returns true if the first rows, if there are any, have a vector exactly if the others have one.
bool agree(std::int64_t first_rows, const Tensor& others, const Tensor& first) {
    return first_rows == 0 || others.defined() == first.defined();
}

/// Returns false if the first rows of several batches would have their own modulation.
bool has_one_batch(const Tensor& x, std::int64_t first_rows) {
    return first_rows == 0 || x.size(0) == 1;
}

/// Undefined tensors are aligned. A complex number counts as two elements.
bool is_aligned(const Tensor& x, std::int64_t width) {
    if (!x.defined()) return true;
    const auto bytes = static_cast<std::uintptr_t>(width) * x.element_size() / (x.is_complex() ? 2 : 1);
    return reinterpret_cast<std::uintptr_t>(x.const_data_ptr()) % bytes == 0;
}

/// Returns the number of elements that a thread can load at a time.
int width_of(std::int64_t dim, std::int64_t stride, std::initializer_list<const Tensor*> operands) {
    const bool is_wide = dim % 4 == 0 && stride % 4 == 0 &&
                         std::ranges::all_of(operands, [](const Tensor* x) { return is_aligned(*x, 4); });
    return is_wide ? 4 : 1;
}

/// Returns a number of threads for `packs` groups of elements.
unsigned threads_for(std::int64_t packs) {
    return static_cast<unsigned>(std::clamp(round_up(packs, kWarp), kWarp, kUsualThreads));
}

/// Returns the number of threads of a block that keeps a row in registers, or nullopt if the row is too long. Gives
/// each thread about three packs, which is fastest on an H100.
std::optional<unsigned> threads_for_row(std::int64_t dim, int width) {
    const std::int64_t packs = count_parts(dim, std::int64_t{width});
    const std::int64_t least = round_up(count_parts(packs, std::int64_t{kMostPacks}), kWarp);
    if (least > kMostThreads) return std::nullopt;
    return std::max(threads_for(count_parts(packs, std::int64_t{3})), static_cast<unsigned>(least));
}

/// Float32 vectors of `dim` elements that a kernel reads. Keeps copies of those that are not contiguous.
class Vectors {
public:
    Vectors(std::int64_t dim, const Device& device) : dim_(dim), device_(device) {}

    const float* address(const Tensor& vector) {
        if (!vector.defined()) return nullptr;
        fits_ &= vector.scalar_type() == at::kFloat && vector.numel() == dim_ && vector.device() == device_;
        if (!fits_) return nullptr;
        kept_.push_back(vector.contiguous());
        return kept_.back().const_data_ptr<float>();
    }
    bool fit() const { return fits_; }

private:
    std::int64_t dim_;
    Device device_;
    bool fits_ = true;
    std::vector<Tensor> kept_;
};

/// Returns zeros that launches on the current stream share, one for each tensor of a launch.
Tensor finished_counters(const Device& device) {
    const c10::impl::VirtualGuardImpl guard(device.type());
    const c10::StreamId stream = guard.getStream(device).id();
    const std::lock_guard lock(registry().mutex);
    Tensor& counters = registry().devices[device.index()].finished[stream];
    if (!counters.defined()) counters = at::zeros({2}, at::TensorOptions().dtype(at::kInt).device(device));
    return counters;
}

/// The memory for the statistics of the tensors of one launch.
class StatisticsMemory {
public:
    StatisticsMemory(const Device& device, std::int64_t blocks, std::int64_t tensors)
        : blocks_(blocks),
          rows_(at::empty({tensors, kRowSize}, at::TensorOptions().dtype(at::kFloat).device(device))),
          parts_(at::empty({tensors, blocks * std::int64_t{kPartBytes}},
                           at::TensorOptions().dtype(at::kByte).device(device))),
          finished_(finished_counters(device)) {}

    StatisticsOutput output(std::int64_t tensor) const {
        return {.row = rows_.mutable_data_ptr<float>() + tensor * kRowSize,
                .parts = parts_.mutable_data_ptr<std::uint8_t>() + tensor * blocks_ * kPartBytes,
                .finished = reinterpret_cast<unsigned*>(finished_.mutable_data_ptr<int>() + tensor)};
    }
    Tensor row(std::int64_t tensor) const { return rows_[tensor]; }

private:
    std::int64_t blocks_;
    Tensor rows_, parts_, finished_;
};

}  // namespace

void load_fused_kernels(const Device& device) {
    load(device);
}

namespace {

/// Returns the arguments of a norm without tensors to read and write. Copies of vectors live as long as `vectors`.
NormArguments norm_arguments(const FusedNormInput& input, const Rows& rows, Vectors& vectors) {
    return {.x = nullptr,
            .y = nullptr,
            .weight = vectors.address(input.weight),
            .bias = vectors.address(input.bias),
            .scale = vectors.address(input.scale),
            .shift = vectors.address(input.shift),
            .first_scale = vectors.address(input.first_scale),
            .first_shift = vectors.address(input.first_shift),
            .rows = rows.count,
            .dim = rows.dim,
            .stride = rows.stride,
            .first_rows = input.first_rows,
            .eps = static_cast<float>(input.eps),
            .is_rms = input.kind == NormKind::rms ? 1 : 0,
            .width = 1};
}

/// Returns true if the first rows, if there are any, have a scale and a shift exactly if the others have them.
bool is_consistent(const FusedNormInput& input) {
    return agree(input.first_rows, input.scale, input.first_scale) &&
           agree(input.first_rows, input.shift, input.first_shift);
}

}  // namespace

Tensor fused_norm(const FusedNormInput& input, Dtype result) {
    const Tensor& x = input.x;
    KernelModule* module = module_for(FastPath::fused_norm, x);
    if (module == nullptr) return {};
    const auto kernel = kernel_name("norm", x.scalar_type(), result);
    const auto rows = rows_of(x);
    if (!kernel || !rows || are_many_short(*rows) || !has_one_batch(x, input.first_rows)) return {};
    Vectors vectors(rows->dim, x.device());
    NormArguments arguments = norm_arguments(input, *rows, vectors);
    arguments.width = width_of(rows->dim, rows->stride, {&x});
    const auto threads = threads_for_row(rows->dim, arguments.width);
    if (!is_consistent(input) || !vectors.fit() || !threads) return {};
    Tensor y = at::empty(x.sizes(), x.options().dtype(result));
    arguments.x = x.const_data_ptr();
    arguments.y = y.mutable_data_ptr();
    module->launch(*kernel, {static_cast<unsigned>(rows->count), *threads}, &arguments);
    return y;
}

Tensor fused_normed_rotary(const FusedRotaryInput& input, Dtype result) {
    const Tensor& x = input.x;
    KernelModule* module = module_for(FastPath::fused_rotary, x);
    if (module == nullptr) return {};
    const auto kernel = kernel_name("normed_rotary", x.scalar_type(), result);
    const auto rows = rows_of(x);
    if (!kernel || !rows || rows->stride % 2 != 0 || !is_aligned(x, 2)) return {};
    const Tensor& table = input.table;
    const std::int64_t head_dim = 2 * table.size(-1);
    const bool fits = table.scalar_type() == at::kComplexFloat && table.is_contiguous() &&
                      table.device() == x.device() && table.numel() * 2 == rows->count * head_dim &&
                      rows->dim % head_dim == 0 && x.size(0) == 1 && input.weight.defined();
    Vectors vectors(rows->dim, x.device());
    RotaryArguments arguments{
        .x = x.const_data_ptr(),
        .y = nullptr,
        .weight = vectors.address(input.weight),
        .table = nullptr,
        .rows = rows->count,
        .dim = rows->dim,
        .stride = rows->stride,
        .head_dim = head_dim,
        .eps = static_cast<float>(input.eps),
        .width = head_dim % 4 == 0 ? std::max(width_of(rows->dim, rows->stride, {&x, &table}), 2) : 2};
    const auto threads = threads_for_row(rows->dim, arguments.width);
    if (!fits || !vectors.fit() || !threads) return {};
    Tensor y = at::empty({1, rows->count, rows->dim / head_dim, head_dim}, x.options().dtype(result));
    arguments.table = static_cast<const float*>(table.const_data_ptr());
    arguments.y = y.mutable_data_ptr();
    module->launch(*kernel, {static_cast<unsigned>(rows->count), *threads}, &arguments);
    return y;
}

Tensor fused_unit_length_silu(const Tensor& x, const Tensor& gain, double shortest, Tensor result) {
    constexpr std::int64_t kMostSiluBlocks = 4096;
    KernelModule* module = module_for(FastPath::fused_silu, x);
    const char* type = type_name(x.scalar_type());
    const std::int64_t dim = x.size(-1);
    const bool takes_result = !result.defined() || (result.is_contiguous() && result.scalar_type() == at::kFloat &&
                                                    result.device() == x.device() && result.numel() == x.numel());
    if (module == nullptr || type == nullptr || !x.is_contiguous() || !takes_result) return {};
    Vectors vectors(dim, x.device());
    SiluArguments arguments{.x = x.const_data_ptr(),
                            .y = nullptr,
                            .gain = vectors.address(gain),
                            .rows = x.numel() / dim,
                            .dim = dim,
                            .shortest = static_cast<float>(shortest),
                            .lanes = 8,
                            .width = width_of(dim, dim, {&x, &result})};
    const std::int64_t packs = count_parts(dim, std::int64_t{arguments.width});
    while (arguments.lanes < kWarp && packs > std::int64_t{3} * arguments.lanes) arguments.lanes *= 2;
    if (!vectors.fit() || packs > std::int64_t{kMostSiluPacks} * arguments.lanes) return {};
    if (!result.defined()) result = at::empty(x.sizes(), x.options().dtype(at::kFloat));
    arguments.y = result.mutable_data_ptr<float>();
    const std::int64_t blocks = std::min(count_parts(arguments.rows, kUsualThreads / arguments.lanes), kMostSiluBlocks);
    module->launch(std::string("unit_length_silu_") + type,
                   {static_cast<unsigned>(blocks), static_cast<unsigned>(kUsualThreads)}, &arguments);
    return result;
}

namespace {

bool takes_sum(const FusedSumInput& in, const std::optional<Rows>& rows) {
    const Tensor &x = in.x, &update = in.update;
    return rows && type_name(update.scalar_type()) != nullptr && has_one_batch(x, in.first_rows) &&
           x.scalar_type() == at::kFloat && x.is_contiguous() && update.is_contiguous() &&
           update.sizes() == x.sizes() && update.device() == x.device() && agree(in.first_rows, in.gate, in.first_gate);
}

/// The arguments of a sum, its results, and the memory that its kernel uses.
struct SumLaunch {
    SumArguments arguments;
    FusedSum result;
    std::optional<StatisticsMemory> memory = {};

    SumLaunch(const FusedSumInput& in, const Rows& rows, Vectors& vectors)
        : arguments{.x = in.x.const_data_ptr<float>(),
                    .update = in.update.const_data_ptr(),
                    .y = nullptr,
                    .gate = vectors.address(in.gate),
                    .first_gate = vectors.address(in.first_gate),
                    .rows = rows.count,
                    .dim = rows.dim,
                    .first_rows = in.first_rows,
                    .of_update = {},
                    .of_y = {},
                    .width = width_of(rows.dim, rows.stride, {&in.x, &in.update})} {}

    /// Allocates the results for a launch with `blocks` blocks.
    void allocate(const FusedSumInput& in, std::int64_t blocks) {
        result.sum = at::empty_like(in.x);
        arguments.y = result.sum.mutable_data_ptr<float>();
        if (in.statistics == SumStatistics::none) return;
        memory.emplace(in.x.device(), blocks, 2);
        arguments.of_update = memory->output(0);
        arguments.of_y = memory->output(1);
        result.update_row = memory->row(0);
        result.sum_row = memory->row(1);
    }
};

}  // namespace

FusedSum fused_gated_sum(const FusedSumInput& input) {
    KernelModule* module = module_for(FastPath::fused_sum, input.x);
    if (module == nullptr) return {};
    const auto rows = rows_of(input.x);
    if (!takes_sum(input, rows)) return {};
    Vectors vectors(rows->dim, input.x.device());
    SumLaunch launch(input, *rows, vectors);
    if (!vectors.fit()) return {};
    const std::int64_t blocks = std::min<std::int64_t>(rows->count, kMostBlocks);
    launch.allocate(input, blocks);
    module->launch(std::string("gated_sum_") + type_name(input.update.scalar_type()),
                   {static_cast<unsigned>(blocks), threads_for(rows->dim / launch.arguments.width)}, &launch.arguments);
    return launch.result;
}

FusedSumNorm fused_sum_norm(const FusedSumInput& input, const FusedNormInput& norm, Dtype result) {
    constexpr std::int64_t kMostRowBlocks = 4096;  // like kMostBlocks, but for blocks with fewer threads
    KernelModule* module = module_for(FastPath::fused_sum_norm, input.x);
    if (module == nullptr) return {};
    const auto rows = rows_of(input.x);
    if (!takes_sum(input, rows) || !is_consistent(norm) || !has_one_batch(input.x, norm.first_rows)) return {};
    const Dtype update = input.update.scalar_type();
    const auto kernel =
        update == result || result == at::kFloat ? kernel_name("sum_norm", update, result) : std::nullopt;
    Vectors vectors(rows->dim, input.x.device());
    SumLaunch sum(input, *rows, vectors);
    SumNormArguments arguments{.sum = {}, .norm = norm_arguments(norm, *rows, vectors)};
    const auto threads = threads_for_row(rows->dim, sum.arguments.width);
    if (!kernel || sum.arguments.width != 4 || !vectors.fit() || !threads) return {};
    const std::int64_t blocks = std::min(rows->count, kMostRowBlocks);
    sum.allocate(input, blocks);
    Tensor normed = at::empty(input.x.sizes(), input.x.options().dtype(result));
    arguments.norm.y = normed.mutable_data_ptr();
    arguments.sum = sum.arguments;
    module->launch(*kernel, {static_cast<unsigned>(blocks), *threads}, &arguments);
    return {.sum = sum.result, .normed = normed};
}

Tensor fused_statistics(const Tensor& value) {
    KernelModule* module = module_for(FastPath::fused_statistics, value);
    const char* type = type_name(value.scalar_type());
    if (module == nullptr || type == nullptr || !value.is_non_overlapping_and_dense()) return {};
    const int width = is_aligned(value, 4) ? 4 : 1;
    const unsigned threads = threads_for(value.numel() / width);
    const std::int64_t blocks =
        std::min<std::int64_t>(count_parts(value.numel(), std::int64_t{threads} * width * 4), kMostBlocks);
    const StatisticsMemory memory(value.device(), blocks, 1);
    StatisticsArguments arguments{
        .x = value.const_data_ptr(), .count = value.numel(), .of_x = memory.output(0), .width = width};
    module->launch(std::string("statistics_") + type, {static_cast<unsigned>(blocks), threads}, &arguments);
    return memory.row(0);
}

}  // namespace kinescope
