#include "core/api/byte_size.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>

namespace kinescope {
namespace {

std::string unit_of(std::string_view text) {
    std::string unit;
    for (const char c : text)
        if (c != ' ') unit += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return unit;
}

/// Returns the number of bytes in a unit, or 0 if the text is not a unit.
double unit_bytes(const std::string& unit) {
    if (unit.empty() || unit == "b") return 1;
    const auto power = std::string_view("kmgt").find(unit[0]);
    if (power == std::string_view::npos) return 0;
    const std::string_view tail = std::string_view(unit).substr(1);
    if (!tail.empty() && tail != "ib" && tail != "b") return 0;
    double bytes = 1;
    for (std::size_t i = 0; i <= power; ++i) bytes *= tail == "b" ? 1000 : 1024;
    return bytes;
}

}  // namespace

std::optional<std::int64_t> parse_byte_size(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return std::nullopt;
    const double bytes = number * unit_bytes(unit_of(text.substr(static_cast<std::size_t>(end - text.data()))));
    if (!(bytes >= 1 && bytes < 9e18)) return std::nullopt;
    return static_cast<std::int64_t>(bytes);
}

std::string format_byte_size(std::int64_t bytes) {
    constexpr std::array units = {"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) return std::to_string(bytes) + " B";
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    for (; value >= 1023.95 && unit + 1 < units.size(); ++unit) value /= 1024;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f %s", value, units[unit]);
    return text.data();
}

}  // namespace kinescope
