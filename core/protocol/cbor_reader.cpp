#include "core/protocol/cbor_reader.h"

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/protocol/protocol_error.h"

namespace kinescope::protocol {

namespace {

enum class Major { unsigned_number, negative_number, bytes, text, array, map, tag, simple };

// The low five bits of an item's first byte.
constexpr unsigned kOneByte = 24;
constexpr unsigned kTwoBytes = 25;
constexpr unsigned kFourBytes = 26;
constexpr unsigned kEightBytes = 27;
constexpr unsigned kFalse = 20;
constexpr unsigned kTrue = 21;
constexpr unsigned kNull = 22;

struct Head {
    Major major = Major::simple;
    unsigned info = 0;
    std::uint64_t argument = 0;
};

/// Takes items off the front of the input.
class Input {
public:
    explicit Input(Bytes bytes) : bytes_(bytes) {}

    bool empty() const { return bytes_.empty(); }
    std::size_t size() const { return bytes_.size(); }

    Head take_head() {
        const unsigned first = take(1).front();
        Head head{static_cast<Major>(first >> 5), first & 31, first & 31};
        if (head.info > kEightBytes) throw ProtocolError("a length is indefinite or reserved");
        if (head.info < kOneByte) return head;
        head.argument = 0;
        for (const std::uint8_t byte : take(std::size_t{1} << (head.info - kOneByte)))
            head.argument = head.argument << 8 | byte;
        return head;
    }

    Bytes take(std::uint64_t count) {
        if (count > bytes_.size())
            throw ProtocolError("truncated: " + std::to_string(count) + " bytes expected, " +
                                std::to_string(bytes_.size()) + " left");
        const Bytes front = bytes_.first(static_cast<std::size_t>(count));
        bytes_ = bytes_.subspan(static_cast<std::size_t>(count));
        return front;
    }

    std::string take_text(std::uint64_t count) {
        const Bytes text = take(count);
        return {text.begin(), text.end()};
    }

private:
    Bytes bytes_;
};

double from_half(std::uint64_t bits) {
    constexpr unsigned kInfinite = 31;
    const unsigned exponent = bits >> 10 & kInfinite;
    const auto mantissa = static_cast<double>(bits & 1023);
    double value = std::ldexp(exponent == 0 ? mantissa : mantissa + 1024, exponent == 0 ? -24 : int(exponent) - 25);
    if (exponent == kInfinite)
        value = mantissa == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    return (bits & 0x8000) != 0 ? -value : value;
}

Json read_simple(const Head& head) {
    switch (head.info) {
        case kFalse:
            return false;
        case kTrue:
            return true;
        case kNull:
            return nullptr;
        case kTwoBytes:
            return from_half(head.argument);
        case kFourBytes:
            return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(head.argument)));
        case kEightBytes:
            return std::bit_cast<double>(head.argument);
        default:
            throw ProtocolError("unknown simple value " + std::to_string(head.argument));
    }
}

Json read_negative(std::uint64_t argument) {
    if (argument > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        throw ProtocolError("a negative number exceeds 64 bits");
    return -1 - static_cast<std::int64_t>(argument);
}

Json read_scalar(const Head& head, Input& input) {
    switch (head.major) {
        case Major::unsigned_number:
            return head.argument;
        case Major::negative_number:
            return read_negative(head.argument);
        case Major::bytes: {
            const Bytes bytes = input.take(head.argument);
            return Json::binary({bytes.begin(), bytes.end()});
        }
        case Major::text:
            return input.take_text(head.argument);
        case Major::simple:
            return read_simple(head);
        default:
            throw ProtocolError("tags are not supported");
    }
}

/// An array or a map whose members are not all read.
struct Open {
    Json* container;
    std::uint64_t left;  ///< number of members
};

class Builder {
public:
    Builder(Bytes bytes, const CborLimits& limits) : input_(bytes), limits_(limits) {}

    Json build() {
        do {
            read_item();
            while (!open_.empty() && open_.back().left == 0) open_.pop_back();
        } while (!open_.empty());
        if (!input_.empty()) throw ProtocolError(std::to_string(input_.size()) + " bytes after the document");
        return std::move(root_);
    }

private:
    void read_item() {
        if (++num_values_ > limits_.values)
            throw ProtocolError("more than " + std::to_string(limits_.values) + " values");
        Json& place = next_place();
        const Head head = input_.take_head();
        if (head.major == Major::array || head.major == Major::map)
            open(place, head);
        else
            place = read_scalar(head, input_);
    }

    Json& next_place() {
        if (open_.empty()) return root_;
        Open& parent = open_.back();
        --parent.left;
        if (parent.container->is_array()) return parent.container->emplace_back();
        const Head key = input_.take_head();
        if (key.major != Major::text) throw ProtocolError("the key of a map is not text");
        auto& members = parent.container->get_ref<Json::object_t&>();
        const auto [member, is_new] = members.try_emplace(input_.take_text(key.argument));
        if (!is_new) throw ProtocolError("the key \"" + member->first.substr(0, 80) + "\" occurs twice");
        return member->second;
    }

    void open(Json& place, const Head& head) {
        if (open_.size() == limits_.depth)
            throw ProtocolError("nested deeper than " + std::to_string(limits_.depth) + " levels");
        const bool is_map = head.major == Major::map;
        // Each member takes at least one byte, and its key another one.
        if (head.argument > input_.size() / (is_map ? 2 : 1))
            throw ProtocolError("truncated: " + std::to_string(head.argument) + " members expected, " +
                                std::to_string(input_.size()) + " bytes left");
        place = is_map ? Json::object() : Json::array();
        open_.push_back({&place, head.argument});
    }

    Input input_;
    const CborLimits& limits_;
    Json root_;
    std::vector<Open> open_;  ///< the innermost last
    std::size_t num_values_ = 0;
};

}  // namespace

Json read_cbor(Bytes bytes, const CborLimits& limits) {
    return Builder(bytes, limits).build();
}

}  // namespace kinescope::protocol
