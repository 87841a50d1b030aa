#include "core/weights/formats/shard_set.h"

#include <charconv>
#include <string_view>

namespace kinescope {

namespace {

constexpr std::string_view kOf = "-of-";
constexpr std::size_t kMaxShards = 999;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::optional<std::size_t> number_of(std::string_view digits) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

std::string padded(std::size_t number, std::size_t width) {
    std::string digits = std::to_string(number);
    return std::string(width > digits.size() ? width - digits.size() : 0, '0').append(digits);
}

}  // namespace

std::vector<std::string> ShardSet::missing() const {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& file : files)
        if (!std::filesystem::exists(file, ignored)) names.push_back(file.filename().string());
    return names;
}

std::optional<ShardSet> shard_set_of(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    const auto of = name.rfind(kOf);
    if (of == name.npos) return std::nullopt;
    auto begin = of;
    while (begin > 0 && is_digit(name[begin - 1])) --begin;
    auto end = of + kOf.size();
    while (end < name.size() && is_digit(name[end])) ++end;
    const auto width = of - begin;
    const auto number = number_of(std::string_view(name).substr(begin, width));
    const auto count = number_of(std::string_view(name).substr(of + kOf.size(), end - of - kOf.size()));
    if (!number || !count || *number < 1 || *number > *count || *count > kMaxShards) return std::nullopt;
    if (begin < 2 || name[begin - 1] != '-' || name.find('.', end) != end) return std::nullopt;
    const std::string stem = name.substr(0, begin - 1);
    ShardSet set{.files = {}, .whole = file.parent_path() / (stem + name.substr(end)), .place = *number - 1};
    for (std::size_t i = 1; i <= *count; ++i)
        set.files.push_back(file.parent_path() / (stem + "-" + padded(i, width) + name.substr(of)));
    return set;
}

}  // namespace kinescope
