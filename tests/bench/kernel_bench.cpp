// Compares own kernels with LibTorch's on one thread:
//
//     KINESCOPE_CPU=avx2 build/tests/kernel_bench [ROUNDS]
//
// Prints a table of CPU times, which other programs disturb less than wall-clock times. Each time is the least of
// ROUNDS (default 7) alternated runs. The errors are the largest ones against float64, relative to the largest exact
// value.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <string>

#include "core/api/error.h"
#include "core/device/cpu_level.h"
#include "core/nn/cpu/flash_attention.h"
#include "core/nn/cpu/int8_linear.h"
#include "core/nn/cpu/int8_product.h"
#include "core/nn/cpu/linear_product.h"
#include "core/weights/int8_weight.h"

using namespace kinescope;

namespace {

using Compute = std::function<Tensor()>;

struct Comparison {
    std::string name;
    Compute own, library;
    Tensor exact;  ///< float64; undefined if the results are not compared
};

double cpu_seconds_of(const Compute& compute) {
    const std::clock_t before = std::clock();
    compute();
    return static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
}

double error_of(const Compute& compute, const Tensor& exact) {
    return ((compute().to(at::kDouble) - exact).abs().max() / exact.abs().max()).item<double>();
}

void compare(const Comparison& of, int rounds) {
    double own = std::numeric_limits<double>::infinity(), library = own;
    for (int round = 0; round < rounds; ++round) {
        own = std::min(own, cpu_seconds_of(of.own));
        library = std::min(library, cpu_seconds_of(of.library));
    }
    std::printf("| %-42s | %8.2f | %8.2f | %5.2f | %7.1e | %7.1e |\n", of.name.c_str(), own * 1e3, library * 1e3,
                own / library, error_of(of.own, of.exact), error_of(of.library, of.exact));
    std::fflush(stdout);
}

std::string size_of(std::int64_t rows, std::int64_t in, std::int64_t out) {
    return std::to_string(rows) + " x " + std::to_string(in) + " to " + std::to_string(out);
}

Comparison linear_case(std::int64_t rows, std::int64_t in, std::int64_t out, Dtype dtype) {
    const Tensor x = at::randn({rows, in}), weight = at::randn({out, in}).to(dtype), bias = at::randn({out});
    return {"linear " + size_of(rows, in, out) + ", " + c10::toString(dtype),
            [=] { return linear_product(x, weight, bias); }, [=] { return at::linear(x, weight.to(at::kFloat), bias); },
            at::linear(x.to(at::kDouble), weight.to(at::kDouble), bias.to(at::kDouble))};
}

/// int8 beside LibTorch's float32 product of the same layer.
Comparison int8_case(std::int64_t rows, std::int64_t in, std::int64_t out) {
    const Tensor x = at::randn({rows, in}), weight = at::randn({out, in});
    const StoredWeight stored = quantize_int8(weight);
    return {"int8 " + size_of(rows, in, out) + ", to float32", [=] { return int8_linear(x, stored, {}); },
            [=] { return at::linear(x, weight); }, at::linear(x.to(at::kDouble), weight.to(at::kDouble))};
}

/// The sums of products alone. Integers, therefore every error is a fault.
Comparison int8_product_case(std::int64_t rows, std::int64_t in, std::int64_t out) {
    const auto whole = [](at::IntArrayRef shape) { return at::randint(-127, 128, shape, at::kShort); };
    const Tensor x = whole({rows, in}), weight = whole({out, in}).to(at::kChar), bytes = x.to(at::kChar);
    return {"int8 products " + size_of(rows, in, out), [=] { return int8_product(x, weight); },
            [=] { return at::_int_mm(bytes, weight.t()); }, at::linear(x.to(at::kDouble), weight.to(at::kDouble))};
}

Comparison attention_case(std::int64_t heads, std::int64_t tokens, std::int64_t dim) {
    const auto part = [&] { return at::randn({1, tokens, heads, dim}).transpose(1, 2); };
    const Tensor query = part(), key = part(), value = part();
    const double scale = 1 / std::sqrt(static_cast<double>(dim));
    const Tensor scores = at::matmul(query.to(at::kDouble), key.to(at::kDouble).transpose(-1, -2)) * scale;
    return {"attention, " + std::to_string(heads) + " heads, " + size_of(tokens, dim, tokens),
            [=] { return flash_attention(query, key, value, scale); },
            [=] { return at::scaled_dot_product_attention(query, key, value, {}, 0, false, scale); },
            at::matmul(at::softmax(scores, -1), value.to(at::kDouble))};
}

int run(int rounds) {
    limit_cpu_level();
    at::set_num_threads(1);
    at::manual_seed(1);
    std::printf("Own kernels: %s. LibTorch: %s.\n\n", std::string(to_string(cpu_level())).c_str(),
                at::get_cpu_capability().c_str());
    std::printf("| %-42s | own, ms | lib., ms | ratio | error | error of lib. |\n|---|---|---|---|---|---|\n", "Work");
    for (const Dtype dtype : {at::kFloat, at::kBFloat16, at::kHalf}) {
        for (const std::int64_t rows : {1, 8, 32, 320, 1280}) compare(linear_case(rows, 1536, 1536, dtype), rounds);
        compare(linear_case(320, 1536, 8960, dtype), rounds);
        compare(linear_case(320, 8960, 1536, dtype), rounds);
        compare(linear_case(320, 5120, 5120, dtype), rounds);  // rows that share cache sets
    }
    for (const std::int64_t rows : {8, 320, 1280}) compare(int8_case(rows, 1536, 1536), rounds);
    compare(int8_case(320, 8960, 1536), rounds);
    compare(int8_product_case(320, 1536, 1536), rounds);
    compare(attention_case(4, 1280, 128), rounds);
    compare(attention_case(8, 1280, 128), rounds);  // queries that share cache sets
    compare(attention_case(4, 1280, 64), rounds);
    return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
    constexpr int kRounds = 7;
    try {
        return run(argc > 1 ? std::max(std::atoi(argv[1]), 1) : kRounds);
    } catch (const Error& error) {
        std::fprintf(stderr, "%s. %s\n", error.what(), error.hint().c_str());
        return EXIT_FAILURE;
    }
}
