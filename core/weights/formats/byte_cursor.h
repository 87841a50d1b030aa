#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/weights/formats/refusal.h"

namespace kinescope {

static_assert(std::endian::native == std::endian::little,
              "weight files are little-endian and are used without conversion");

/// Reads consecutive little-endian values. Reading beyond the end throws Error(checkpoint_truncated).
class ByteCursor {
public:
    /// `what` describes the bytes in error messages, for example "of the header".
    ByteCursor(std::span<const std::byte> bytes, const Refusal& refusal, std::string what)
        : bytes_(bytes), refusal_(refusal), what_(std::move(what)) {}

    template <class T>
    T number() {
        T value{};
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::string_view text(std::uint64_t count) {
        const auto bytes = take(count);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    void skip(std::uint64_t count) { take(count); }
    /// Returns the offset from the start of the bytes.
    std::size_t place() const { return place_; }
    std::size_t left() const { return bytes_.size() - place_; }

private:
    std::span<const std::byte> take(std::uint64_t count) {
        if (count > left()) refusal_.truncated(left(), count, what_);
        const auto taken = bytes_.subspan(place_, count);
        place_ += count;
        return taken;
    }

    std::span<const std::byte> bytes_;
    const Refusal& refusal_;
    std::string what_;
    std::size_t place_ = 0;
};

}  // namespace kinescope
