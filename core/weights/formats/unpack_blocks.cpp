#include "core/weights/formats/unpack_blocks.h"

#include <ATen/ATen.h>

namespace kinescope {

namespace {

/// Returns the bytes [first, first + count) of each block.
Tensor field(const Tensor& blocks, std::int64_t first, std::int64_t count) {
    return blocks.narrow(1, first, count);
}

/// Returns the `count` float16 values at byte `first` of each block.
Tensor halves(const Tensor& blocks, std::int64_t first, std::int64_t count) {
    return field(blocks, first, 2 * count).contiguous().view(at::kHalf);
}

/// Returns the float16 value at byte `first` of each block as float32 [n, 1].
Tensor factor(const Tensor& blocks, std::int64_t first) {
    return halves(blocks, first, 1).to(at::kFloat);
}

Tensor low_bits(const Tensor& bytes, int count) {
    return bytes.bitwise_and((1 << count) - 1);
}

Tensor shifted(const Tensor& bytes, int count) {
    return bytes.bitwise_right_shift(count);
}

/// Returns the two 4-bit values of each byte: first the low halves of all bytes, then the high halves.
Tensor nibbles(const Tensor& bytes) {
    return at::cat({low_bits(bytes, 4), shifted(bytes, 4)}, -1);
}

/// Returns the bits of each byte, lowest first: [n, k] -> [n, 8 k] with values 0 and 1.
Tensor bits(const Tensor& bytes) {
    const auto places = at::arange(8, bytes.options());
    return low_bits(bytes.unsqueeze(-1).bitwise_right_shift(places), 1).flatten(-2);
}

Tensor unpack_q8_0(const Tensor& blocks) {
    return factor(blocks, 0) * field(blocks, 2, 32).contiguous().view(at::kChar).to(at::kFloat);
}

Tensor unpack_q4_0(const Tensor& blocks) {
    return factor(blocks, 0) * (nibbles(field(blocks, 2, 16)).to(at::kFloat) - 8);
}

Tensor unpack_q4_1(const Tensor& blocks) {
    return factor(blocks, 0) * nibbles(field(blocks, 4, 16)).to(at::kFloat) + factor(blocks, 2);
}

/// Combines the four low bits of 32 values in `low` with their fifth bits in the four bytes of `high`.
Tensor five_bits(const Tensor& low, const Tensor& high) {
    return nibbles(low).bitwise_or(bits(high).bitwise_left_shift(4)).to(at::kFloat);
}

Tensor unpack_q5_0(const Tensor& blocks) {
    return factor(blocks, 0) * (five_bits(field(blocks, 6, 16), field(blocks, 2, 4)) - 16);
}

Tensor unpack_q5_1(const Tensor& blocks) {
    return factor(blocks, 0) * five_bits(field(blocks, 8, 16), field(blocks, 4, 4)) + factor(blocks, 2);
}

/// Eight 6-bit scales and eight 6-bit minima, packed into 12 bytes.
struct SixBitPairs {
    Tensor scales;  ///< float32 [n, 8]
    Tensor minima;  ///< float32 [n, 8]
};

SixBitPairs six_bit_pairs(const Tensor& bytes) {
    const auto a = field(bytes, 0, 4), b = field(bytes, 4, 4), c = field(bytes, 8, 4);
    const auto high_of_a = shifted(a, 6).bitwise_left_shift(4), high_of_b = shifted(b, 6).bitwise_left_shift(4);
    return {.scales = at::cat({low_bits(a, 6), low_bits(c, 4).bitwise_or(high_of_a)}, 1).to(at::kFloat),
            .minima = at::cat({low_bits(b, 6), shifted(c, 4).bitwise_or(high_of_b)}, 1).to(at::kFloat)};
}

/// Multiplies `numbers` (float32 [n, 8, 32]) by their scales and subtracts their minima.
Tensor scale_and_shift(const Tensor& blocks, const Tensor& numbers) {
    const auto pairs = six_bit_pairs(field(blocks, 4, 12));
    const auto scale = (factor(blocks, 0) * pairs.scales).unsqueeze(-1);
    const auto minimum = (factor(blocks, 2) * pairs.minima).unsqueeze(-1);
    return (scale * numbers - minimum).flatten(1);
}

/// Unpacks 128 bytes to [n, 8, 32]. Of every 32 bytes, the low halves come first, then the high halves.
Tensor eight_groups(const Tensor& bytes) {
    return nibbles(bytes.unflatten(1, {4, 32})).view({-1, 8, 32});
}

Tensor unpack_q4_k(const Tensor& blocks) {
    return scale_and_shift(blocks, eight_groups(field(blocks, 16, 128)).to(at::kFloat));
}

Tensor unpack_q5_k(const Tensor& blocks) {
    // Bit g of byte i is the fifth bit of value i of group g.
    const auto fifth = bits(field(blocks, 16, 32)).view({-1, 32, 8}).transpose(1, 2);
    const auto numbers = eight_groups(field(blocks, 48, 128)).bitwise_or(fifth.bitwise_left_shift(4));
    return scale_and_shift(blocks, numbers.to(at::kFloat));
}

Tensor unpack_q6_k(const Tensor& blocks) {
    // Each block has two halves of 128 values with four rows of 32: 64 bytes with the low four bits, and 32 bytes with
    // pairs of high bits.
    const auto low = nibbles(field(blocks, 0, 128).unflatten(1, {2, 64})).view({-1, 2, 4, 32});
    const auto places = at::arange(0, 8, 2, blocks.options()).view({4, 1});
    const auto pairs = field(blocks, 128, 64).unflatten(1, {2, 1, 32}).bitwise_right_shift(places);
    const auto numbers = low.bitwise_or(low_bits(pairs, 2).bitwise_left_shift(4)).to(at::kFloat) - 32;
    const auto scales = factor(blocks, 208) * field(blocks, 192, 16).contiguous().view(at::kChar).to(at::kFloat);
    return (scales.unsqueeze(-1) * numbers.view({-1, 16, 16})).flatten(1);
}

}  // namespace

Tensor unpack_blocks(const Tensor& blocks, Packing packing) {
    switch (packing) {
        case Packing::none:
            return blocks;
        case Packing::q4_0:
            return unpack_q4_0(blocks);
        case Packing::q4_1:
            return unpack_q4_1(blocks);
        case Packing::q5_0:
            return unpack_q5_0(blocks);
        case Packing::q5_1:
            return unpack_q5_1(blocks);
        case Packing::q8_0:
            return unpack_q8_0(blocks);
        case Packing::q4_k:
            return unpack_q4_k(blocks);
        case Packing::q5_k:
            return unpack_q5_k(blocks);
        case Packing::q6_k:
            return unpack_q6_k(blocks);
    }
    return {};
}

Tensor block_scales(const Tensor& blocks, Packing packing) {
    switch (packing) {
        case Packing::none:
            return {};
        case Packing::q4_0:
        case Packing::q5_0:
        case Packing::q8_0:
            return halves(blocks, 0, 1);
        case Packing::q4_1:
        case Packing::q5_1:
        case Packing::q4_k:
        case Packing::q5_k:
            return halves(blocks, 0, 2);
        case Packing::q6_k:
            return halves(blocks, 208, 1);
    }
    return {};
}

}  // namespace kinescope
