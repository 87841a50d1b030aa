#include "core/computers/file_names.h"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "core/api/error.h"
#include "core/base/printable.h"

namespace kinescope::computers {

namespace {

constexpr std::size_t kTokenDigits = 32;
constexpr std::size_t kHashDigits = 64;

bool is_hexadecimal(std::string_view text, std::size_t digits) {
    const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    return text.size() == digits && std::ranges::all_of(text, is_digit);
}

bool is_letter_or_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Letters, digits, '.', '-' and '_'; the first is a letter or a digit, so that "." and ".." are not among them.
bool is_simple(std::string_view part) {
    constexpr std::size_t kMostBytes = 100;
    const auto is_allowed = [](char c) { return is_letter_or_digit(c) || c == '.' || c == '-' || c == '_'; };
    return !part.empty() && part.size() <= kMostBytes && is_letter_or_digit(part.front()) &&
           std::ranges::all_of(part, is_allowed);
}

bool is_hash_with_ending(std::string_view part) {
    constexpr std::size_t kMostEnding = 8;
    if (part.size() < kHashDigits || !is_sha256(part.substr(0, kHashDigits))) return false;
    const std::string_view ending = part.substr(kHashDigits);
    if (ending.empty()) return true;
    return ending.size() > 1 && ending.size() <= kMostEnding + 1 && ending.front() == '.' &&
           std::ranges::all_of(ending.substr(1), is_letter_or_digit);
}

std::vector<std::string_view> parts_of(std::string_view name) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t slash = name.find('/');
        parts.push_back(name.substr(0, slash));
        if (slash == std::string_view::npos) return parts;
        name.remove_prefix(slash + 1);
    }
}

bool is_input(const std::vector<std::string_view>& parts) {
    if (parts.front() != "inputs") return false;
    if (parts.size() == 2) return is_hash_with_ending(parts[1]);
    return parts.size() == 3 && is_sha256(parts[1]) && is_simple(parts[2]);
}

bool is_result(const std::vector<std::string_view>& parts) {
    if (parts.front() != "results" || parts.size() < 3 || parts.size() > 4 || !is_token(parts[1])) return false;
    return std::all_of(parts.begin() + 2, parts.end(), is_simple);
}

}  // namespace

bool is_sha256(std::string_view text) {
    return is_hexadecimal(text, kHashDigits);
}

bool is_token(std::string_view text) {
    return is_hexadecimal(text, kTokenDigits);
}

std::string make_token() {
    std::random_device source;
    std::uniform_int_distribution<int> digit(0, 15);
    std::string token;
    while (token.size() < kTokenDigits) token.push_back("0123456789abcdef"[digit(source)]);
    return token;
}

FileKind check_name(std::string_view name) {
    const auto parts = parts_of(name);
    if (is_input(parts)) return FileKind::input;
    if (is_result(parts)) return FileKind::result;
    throw Error(ErrorCode::bad_request,
                "\"" + printable(std::string(name.substr(0, 120))) + "\" is not a name of a file", {},
                {{"name", std::string(name.substr(0, 120))}});
}

std::string token_in(const std::filesystem::path& output) {
    std::filesystem::path before;
    for (const std::filesystem::path& part : output) {
        if (before == "results" && is_token(part.string())) return part.string();
        before = part;
    }
    return {};
}

}  // namespace kinescope::computers
