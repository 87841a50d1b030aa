#include "core/tokenizers/sentencepiece_model_check.h"

#include <cstdint>
#include <cstring>
#include <functional>

namespace kinescope {
namespace {

// Field numbers of ModelProto and NormalizerSpec in sentencepiece_model.proto.
constexpr std::uint64_t kNormalizerSpec = 3, kDenormalizerSpec = 5, kPrecompiledCharsmap = 2;

constexpr int kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5;

std::optional<std::uint64_t> read_varint(std::string_view& bytes) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes.front());
        bytes.remove_prefix(1);
        value |= std::uint64_t{byte & 0x7FU} << shift;
        if (!(byte & 0x80)) return value;
    }
    return std::nullopt;
}

using FieldVisitor = std::function<std::optional<std::string>(std::uint64_t number, std::string_view content)>;

/// Calls `visit` for every length-delimited field of a message. Stops at the first fault, which is either one of the
/// message itself or one that `visit` returns. Returns the fault, or nullopt.
std::optional<std::string> visit_fields(std::string_view message, const FieldVisitor& visit) {
    while (!message.empty()) {
        const auto tag = read_varint(message);
        if (!tag) return "it ends within a field";
        const int wire_type = static_cast<int>(*tag & 7);
        std::uint64_t length = wire_type == kFixed64 ? 8 : wire_type == kFixed32 ? 4 : 0;
        if (wire_type == kVarint || wire_type == kLengthDelimited) {
            const auto value = read_varint(message);
            if (!value) return "it ends within a field";
            if (wire_type == kLengthDelimited) length = *value;
        } else if (length == 0) {
            return "it is not a protocol buffer";
        }
        if (length > message.size()) {
            return "a field needs " + std::to_string(length) + " bytes, but only " + std::to_string(message.size()) +
                   " are left";
        }
        if (wire_type == kLengthDelimited) {
            if (auto fault = visit(*tag >> 3, message.substr(0, length))) return fault;
        }
        message.remove_prefix(length);
    }
    return std::nullopt;
}

/// One unit of darts-clone's double array (https://github.com/s-yata/darts-clone).
struct Unit {
    std::uint32_t bits;

    bool is_value() const { return bits >> 31; }
    bool has_leaf() const { return bits >> 8 & 1; }
    std::uint32_t value() const { return bits & 0x7FFFFFFF; }
    std::uint32_t offset() const { return (bits >> 10) << ((bits & 1U << 9) >> 6); }
};

/// Checks the normalization rules: 4 bytes with the size of a trie, the trie, and the strings that its values point to.
/// libsentencepiece follows the trie's offsets without checking them, so every offset must stay inside the trie for any
/// next byte.
std::optional<std::string> find_charsmap_fault(std::string_view charsmap) {
    if (charsmap.empty()) return std::nullopt;
    const std::string broken = "its normalization rules are damaged";
    std::uint32_t trie_bytes = 0;
    if (charsmap.size() < sizeof trie_bytes) return broken;
    std::memcpy(&trie_bytes, charsmap.data(), sizeof trie_bytes);
    charsmap.remove_prefix(sizeof trie_bytes);
    if (trie_bytes > charsmap.size() || trie_bytes % sizeof(Unit) != 0) return broken;

    const std::string_view texts = charsmap.substr(trie_bytes);
    if (texts.empty() || texts.back() != '\0') return broken;
    const std::uint32_t count = trie_bytes / sizeof(Unit);
    const auto unit_at = [&charsmap](std::uint32_t index) {
        Unit unit{};
        std::memcpy(&unit, charsmap.data() + index * sizeof unit, sizeof unit);
        return unit;
    };
    if (count == 0) return broken;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Unit unit = unit_at(i);
        if (unit.is_value() && i > 0) continue;
        const std::uint32_t next = i ^ unit.offset();
        if ((next | 0xFF) >= count) return broken;
        if (unit.has_leaf() && unit_at(next).value() >= texts.size()) return broken;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> find_sentencepiece_fault(std::string_view model) {
    if (model.empty()) return "it is empty";
    return visit_fields(model, [](std::uint64_t number, std::string_view content) -> std::optional<std::string> {
        if (number != kNormalizerSpec && number != kDenormalizerSpec) return std::nullopt;
        return visit_fields(content, [](std::uint64_t inner, std::string_view bytes) {
            return inner == kPrecompiledCharsmap ? find_charsmap_fault(bytes) : std::nullopt;
        });
    });
}

}  // namespace kinescope
