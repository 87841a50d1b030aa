#include "core/nn/cpu/amx_product.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>

#include "core/base/log_line.h"
#include "core/base/round_up.h"
#include "core/device/cpu_level.h"

#if defined(__x86_64__) && defined(__linux__)
#include <immintrin.h>

#define KINESCOPE_AMX __attribute__((target("amx-tile,amx-bf16,avx512f,avx512bw,avx512vl,avx512bf16")))

namespace kinescope::amx_product {

namespace {

/// A tile register holds 16 rows of 64 bytes: 16 x 32 bfloat16 values or 16 x 16 sums.
constexpr std::int64_t kTileRows = 16, kTile = kTileRows * kRowBytes;
/// Each step of a panel has two halves of its columns, each with the tiles of all its parts, the largest part first.
constexpr std::int64_t kHalves = 2;
enum Part { kLarge, kMiddle, kSmall };

std::int64_t step_of_panel(Parts parts) {
    return kHalves * static_cast<std::int64_t>(parts) * kTile;
}

/// 32 numbers, and what is left of them after parts were removed.
struct Numbers {
    __m512 left, right;
};

KINESCOPE_AMX __m512 widened(__m256i numbers) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(numbers), 16));
}

/// Removes the next part: the numbers, rounded to bfloat16.
KINESCOPE_AMX inline __m512i take_part(Numbers& from) {
    const auto part = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(from.right, from.left));
    from.left = _mm512_sub_ps(from.left, widened(_mm512_castsi512_si256(part)));
    from.right = _mm512_sub_ps(from.right, widened(_mm512_extracti64x4_epi64(part, 1)));
    return part;
}

KINESCOPE_AMX __m512 load(const float* from, std::int64_t count) {
    const auto lanes = static_cast<unsigned>(std::clamp<std::int64_t>(count, 0, 16));
    return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1U << lanes) - 1), from);
}

/// Returns the order that puts the numbers of two rows, one after the other in `part`, side by side.
KINESCOPE_AMX __m512i pairs_of_rows() {
    return _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6, 21, 5, 20, 4,
                            19, 3, 18, 2, 17, 1, 16, 0);
}

/// The tile registers: 0 to 3 hold the sums, [top, bottom] x [left, right]; 4 and 5 one part of the rows, top and
/// bottom; 6 and 7 one part of the panel, left and right. A register is loaded again directly after its last use, so
/// that the processor can load it while it multiplies the others.
KINESCOPE_AMX inline void add_top() {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
}
KINESCOPE_AMX inline void add_bottom() {
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
}
KINESCOPE_AMX inline void add_left() {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(2, 5, 6);
}
KINESCOPE_AMX inline void add_right() {
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(3, 5, 7);
}
KINESCOPE_AMX inline void load_rows(const std::byte* tiles) {
    _tile_loadd(4, tiles, kRowBytes);
    _tile_loadd(5, tiles + kTile, kRowBytes);
}
template <Parts parts>
KINESCOPE_AMX inline void load_panel(const std::byte* tiles) {
    _tile_loadd(6, tiles, kRowBytes);
    _tile_loadd(7, tiles + static_cast<std::int64_t>(parts) * kTile, kRowBytes);
}
/// Adds the products of the loaded parts, and then loads another part of the rows or of the panel.
KINESCOPE_AMX inline void add_and_load_rows(const std::byte* tiles) {
    add_top();
    _tile_loadd(4, tiles, kRowBytes);
    add_bottom();
    _tile_loadd(5, tiles + kTile, kRowBytes);
}
template <Parts parts>
KINESCOPE_AMX inline void add_and_load_panel(const std::byte* tiles) {
    add_left();
    _tile_loadd(6, tiles, kRowBytes);
    add_right();
    _tile_loadd(7, tiles + static_cast<std::int64_t>(parts) * kTile, kRowBytes);
}

/// Adds the products of one step. The comments name the part of the rows and that of the panel.
template <Parts parts>
KINESCOPE_AMX inline void add_step(const std::byte* a, std::int64_t plane, const std::byte* b) {
    const auto row = [=](Part part) { return a + part * plane; };
    const auto panel = [=](Part part) { return b + part * kTile; };
    if constexpr (parts == Parts::one) {
        load_panel<parts>(panel(kLarge));
        load_rows(row(kSmall));
        add_and_load_rows(row(kMiddle));  // small x large
        add_and_load_rows(row(kLarge));   // middle x large
    } else {
        load_rows(row(kLarge));
        if constexpr (parts == Parts::three) {
            load_panel<parts>(panel(kSmall));
            add_and_load_panel<parts>(panel(kMiddle));  // large x small
        } else {
            load_panel<parts>(panel(kMiddle));
        }
        add_and_load_panel<parts>(panel(kLarge));   // large x middle
        add_and_load_rows(row(kSmall));             // large x large
        add_and_load_rows(row(kMiddle));            // small x large
        add_and_load_panel<parts>(panel(kMiddle));  // middle x large
    }
    add_top();  // middle x middle, or large x large
    add_bottom();
}

constexpr std::int64_t bytes_of(std::int64_t floats) {
    return floats * static_cast<std::int64_t>(sizeof(float));
}

KINESCOPE_AMX inline void load_sums(const float* top, std::int64_t stride) {
    const float* const bottom = top + kTileRows * stride;
    _tile_loadd(0, top, bytes_of(stride));
    _tile_loadd(1, top + kTileRows, bytes_of(stride));
    _tile_loadd(2, bottom, bytes_of(stride));
    _tile_loadd(3, bottom + kTileRows, bytes_of(stride));
}

KINESCOPE_AMX inline void clear_sums() {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
}

KINESCOPE_AMX inline void store_sums(float* top, std::int64_t stride) {
    float* const bottom = top + kTileRows * stride;
    _tile_stored(0, top, bytes_of(stride));
    _tile_stored(1, top + kTileRows, bytes_of(stride));
    _tile_stored(2, bottom, bytes_of(stride));
    _tile_stored(3, bottom + kTileRows, bytes_of(stride));
}

/// Multiplies a whole block of rows.
template <Parts parts>
[[gnu::noinline]] KINESCOPE_AMX void multiply_block(const Product& of) {
    // GCC's intrinsics do not tell the compiler which memory they read and write.
    asm volatile("" ::: "memory");
    if (of.start != nullptr)
        load_sums(of.start, of.start_stride);
    else
        clear_sums();
    const std::byte *a = of.a, *b = of.b;
    for (std::int64_t step = 0; step < steps_of(of.depth); ++step) {
        add_step<parts>(a, of.plane, b);
        a += kPartsOfRows * of.plane;
        b += step_of_panel(parts);
    }
    store_sums(of.c, of.c_stride);
    asm volatile("" ::: "memory");
}

void multiply_whole(const Product& of) {
    switch (of.parts) {
        case Parts::one:
            return multiply_block<Parts::one>(of);
        case Parts::two:
            return multiply_block<Parts::two>(of);
        case Parts::three:
            return multiply_block<Parts::three>(of);
    }
}

void copy_rows(const float* from, std::int64_t from_stride, float* to, std::int64_t to_stride, std::int64_t rows) {
    for (std::int64_t row = 0; row < rows; ++row)
        std::memcpy(to + row * to_stride, from + row * from_stride, kColumns * sizeof(float));
}

/// What _tile_loadconfig reads. Every register has 16 rows of 64 bytes.
struct alignas(kRowBytes) TileConfiguration {
    std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
    std::uint16_t row_bytes[16] = {};
    std::uint8_t rows[16] = {};

    TileConfiguration() {
        constexpr int kRegisters = 8;
        std::fill_n(row_bytes, kRegisters, static_cast<std::uint16_t>(kRowBytes));
        std::fill_n(rows, kRegisters, static_cast<std::uint8_t>(kTileRows));
    }
};

// Functions, because GCC ignores the target of constructors and destructors.
KINESCOPE_AMX void configure_tiles() {
    const TileConfiguration configuration;
    asm volatile("" ::: "memory");
    _tile_loadconfig(&configuration);
}

KINESCOPE_AMX void release_tiles() {
    _tile_release();
}

}  // namespace

KINESCOPE_AMX void split_rows(const Rows& rows, std::byte* to, std::int64_t plane) {
    for (std::int64_t row = 0; row < rows.count; ++row) {
        const float* const from = rows.first + row * rows.stride;
        std::byte* place = to + row * kRowBytes;
        for (std::int64_t begin = 0; begin < rows.depth; begin += kStep) {
            const auto count = rows.depth - begin;
            Numbers rest{load(from + begin, count), load(from + begin + 16, count - 16)};
            for (int part = 0; part < kPartsOfRows; ++part, place += plane) _mm512_store_si512(place, take_part(rest));
        }
    }
}

KINESCOPE_AMX void split_panel(const float* panel, std::int64_t depth, Parts parts, std::byte* to) {
    const __m512i pairs = pairs_of_rows();
    for (std::int64_t row = 0; row < round_up(depth, kStep); row += 2)
        for (std::int64_t half = 0; half < kHalves; ++half) {
            const float* const from = panel + row * kColumns + half * 16;
            Numbers rest{load(from, row < depth ? 16 : 0), load(from + kColumns, row + 1 < depth ? 16 : 0)};
            std::byte* place = to + row / kStep * step_of_panel(parts) +
                               half * static_cast<std::int64_t>(parts) * kTile + row % kStep / 2 * kRowBytes;
            for (int part = 0; part < static_cast<int>(parts); ++part, place += kTile)
                _mm512_store_si512(place, _mm512_permutexvar_epi16(pairs, take_part(rest)));
        }
}

TileRegisters::TileRegisters() {
    configure_tiles();
}

TileRegisters::~TileRegisters() {
    release_tiles();
}

void multiply(const Product& product) {
    if (product.rows == kRows) return multiply_whole(product);
    // Tiles have kRows rows in any case, but the memory may have fewer.
    alignas(kRowBytes) float block[kRows * kColumns];
    Product whole = product;
    whole.c = block;
    whole.c_stride = kColumns;
    if (product.start != nullptr) {
        copy_rows(product.start, product.start_stride, block, kColumns, product.rows);
        whole.start = block;
        whole.start_stride = kColumns;
    }
    multiply_whole(whole);
    copy_rows(block, kColumns, product.c, product.c_stride, product.rows);
}

namespace {

/// A small product with rows, columns and a depth that do not fill tiles, in double and with AMX.
struct Trial {
    static constexpr std::int64_t kTrialRows = 19, kDepth = 71;
    std::array<float, kTrialRows * kDepth> a;
    std::array<float, kDepth * kColumns> b;

    explicit Trial(Parts parts) {
        constexpr std::uint32_t kBits[] = {0, 0xffff'0000, 0xffff'e000, 0xffff'ffff};  // of numbers with 0 to 3 parts
        std::minstd_rand random(1);
        const auto next = [&](std::uint32_t mask) {
            const auto number = static_cast<float>(random()) / static_cast<float>(std::minstd_rand::max()) - 0.5F;
            return std::bit_cast<float>(std::bit_cast<std::uint32_t>(number) & mask);
        };
        std::ranges::generate(a, [&] { return next(kBits[3]); });
        std::ranges::generate(b, [&] { return next(kBits[static_cast<int>(parts)]); });
    }

    double exact(std::int64_t row, std::int64_t column) const {
        double sum = 1;
        for (std::int64_t i = 0; i < kDepth; ++i)
            sum += double{a[static_cast<std::size_t>(row * kDepth + i)]} *
                   b[static_cast<std::size_t>(i * kColumns + column)];
        return sum;
    }
};

/// Returns whether 1 + a b has errors of float32's size only.
bool is_right(Parts parts) {
    constexpr double kTolerance = 4e-6;
    const Trial trial(parts);
    alignas(kRowBytes) std::array<std::byte, bytes_of_rows(Trial::kDepth, kBlockPlane)> rows, panel;
    std::array<float, Trial::kTrialRows * kColumns> c;
    c.fill(1);
    split_rows({.first = trial.a.data(), .stride = Trial::kDepth, .count = Trial::kTrialRows, .depth = Trial::kDepth},
               rows.data(), kBlockPlane);
    split_panel(trial.b.data(), Trial::kDepth, parts, panel.data());
    const TileRegisters registers;
    multiply({.a = rows.data(),
              .rows = Trial::kTrialRows,
              .b = panel.data(),
              .parts = parts,
              .depth = Trial::kDepth,
              .c = c.data(),
              .c_stride = kColumns,
              .start = c.data(),
              .start_stride = kColumns});
    for (std::int64_t i = 0; i < Trial::kTrialRows * kColumns; ++i)
        if (!(std::abs(c[static_cast<std::size_t>(i)] - trial.exact(i / kColumns, i % kColumns)) < kTolerance))
            return false;
    return true;
}

bool prove() {
    if (is_right(Parts::one) && is_right(Parts::two) && is_right(Parts::three)) return true;
    log_warning("The AMX unit of this CPU returns wrong products and stays off.");
    return false;
}

}  // namespace

bool is_usable() {
    if (cpu_level() != CpuLevel::amx) return false;
    static const bool is_proven = prove();
    return is_proven;
}

}  // namespace kinescope::amx_product

#else

namespace kinescope::amx_product {

bool is_usable() {
    return false;
}

// Never called, because is_usable() returns false.
void split_rows(const Rows&, std::byte*, std::int64_t) {
    std::abort();
}
void split_panel(const float*, std::int64_t, Parts, std::byte*) {
    std::abort();
}
TileRegisters::TileRegisters() {
    std::abort();
}
TileRegisters::~TileRegisters() = default;
void multiply(const Product&) {
    std::abort();
}

}  // namespace kinescope::amx_product

#endif
