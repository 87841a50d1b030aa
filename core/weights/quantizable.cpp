#include "core/weights/quantizable.h"

#include <algorithm>
#include <cctype>

namespace kinescope {

namespace {

/// Returns true if any segment of the path is a number, as in "blocks.3.attn1".
bool has_number(std::string_view path) {
    while (!path.empty()) {
        const auto dot = path.find('.');
        const auto part = path.substr(0, dot);
        if (!part.empty() && std::ranges::all_of(part, [](unsigned char c) { return std::isdigit(c); })) return true;
        path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    }
    return false;
}

bool modulates(std::string_view path) {
    return path.find("norm") != std::string_view::npos || path.find("time_emb") != std::string_view::npos;
}

}  // namespace

bool is_quantizable(std::string_view path) {
    const bool is_block = path.starts_with("blocks.") || path.find("_block") != std::string_view::npos;
    return is_block && has_number(path) && !modulates(path);
}

}  // namespace kinescope
