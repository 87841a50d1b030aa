#include "core/weights/formats/gguf_values.h"

#include <type_traits>

#include "core/api/utf8.h"

namespace kinescope {
namespace {

constexpr std::uint64_t kMaxArrayKept = 16;
constexpr int kMaxNesting = 4;

enum class ValueType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, flag, text, array, u64, i64, f64 };

class ValueReader {
public:
    ValueReader(ByteCursor& cursor, const Refusal& refusal, GgufValues& values)
        : cursor_(cursor), refusal_(refusal), values_(values) {}

    void read_pair() {
        const auto key = read_gguf_text(cursor_, refusal_);
        if (values_.texts.contains(key)) refusal_.corrupt("its key '" + key + "' occurs twice");
        const auto type = static_cast<ValueType>(cursor_.number<std::uint32_t>());
        integers_.clear();
        const auto text = type == ValueType::array ? read_array(0) : read_value(type);
        if (!text.empty()) values_.texts.emplace(key, text);
        if (!integers_.empty()) values_.integers.emplace(key, integers_);
    }

private:
    std::string read_value(ValueType type) {
        switch (type) {
            case ValueType::u8:
                return read_number<std::uint8_t>();
            case ValueType::i8:
                return read_number<std::int8_t>();
            case ValueType::u16:
                return read_number<std::uint16_t>();
            case ValueType::i16:
                return read_number<std::int16_t>();
            case ValueType::u32:
                return read_number<std::uint32_t>();
            case ValueType::i32:
                return read_number<std::int32_t>();
            case ValueType::f32:
                return read_number<float>();
            case ValueType::flag:
                return cursor_.number<std::uint8_t>() ? "true" : "false";
            case ValueType::text:
                return read_gguf_text(cursor_, refusal_);
            case ValueType::u64:
                return read_number<std::uint64_t>();
            case ValueType::i64:
                return read_number<std::int64_t>();
            case ValueType::f64:
                return read_number<double>();
            case ValueType::array:
                break;
        }
        refusal_.corrupt("a value has the unknown type " + std::to_string(static_cast<std::uint32_t>(type)));
    }

    template <class T>
    std::string read_number() {
        const auto number = cursor_.number<T>();
        if constexpr (std::is_integral_v<T>) integers_.push_back(static_cast<std::int64_t>(number));
        return std::to_string(number);
    }

    /// Reads an array. Returns an empty string for arrays that are not kept.
    std::string read_array(int depth) {
        if (depth == kMaxNesting) refusal_.corrupt("arrays nested deeper than " + std::to_string(kMaxNesting));
        const auto type = static_cast<ValueType>(cursor_.number<std::uint32_t>());
        const auto count = cursor_.number<std::uint64_t>();
        // Every item takes at least one byte, so the file size limits the count.
        if (count > cursor_.left()) refusal_.corrupt("it has an array of " + std::to_string(count) + " items");
        const bool keeps = count <= kMaxArrayKept && type != ValueType::text && type != ValueType::array;
        std::string text;
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto item = type == ValueType::array ? read_array(depth + 1) : read_value(type);
            if (keeps) text += (i ? ", " : "") + item;
            if (!keeps) integers_.clear();
        }
        return keeps ? "[" + text + "]" : "";
    }

    ByteCursor& cursor_;
    const Refusal& refusal_;
    GgufValues& values_;
    std::vector<std::int64_t> integers_;
};

}  // namespace

std::string read_gguf_text(ByteCursor& cursor, const Refusal& refusal) {
    const auto text = cursor.text(cursor.number<std::uint64_t>());
    if (find_invalid_utf8(text)) refusal.corrupt("it contains a string that is not valid UTF-8");
    return std::string(text);
}

GgufValues read_gguf_values(ByteCursor& cursor, std::uint64_t count, const Refusal& refusal) {
    GgufValues values;
    ValueReader reader(cursor, refusal, values);
    for (std::uint64_t i = 0; i < count; ++i) reader.read_pair();
    return values;
}

}  // namespace kinescope
