#include "core/tokenizers/special_tokens.h"

#include <algorithm>

#include "core/api/error.h"

namespace kinescope {

SpecialTokens::SpecialTokens(std::map<std::string, std::int64_t, std::less<>> ids) : ids_(std::move(ids)) {
    ids_.erase("");
    for (const auto& [name, id] : ids_) {
        longest_ = std::max(longest_, name.size());
        if (first_bytes_.find(name.front()) == std::string::npos) first_bytes_ += name.front();
    }
}

std::optional<std::int64_t> SpecialTokens::id(std::string_view name) const {
    const auto found = ids_.find(name);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::int64_t SpecialTokens::largest_id() const {
    std::int64_t largest = -1;
    for (const auto& [name, id] : ids_) largest = std::max(largest, id);
    return largest;
}

std::vector<SpecialTokens::Part> SpecialTokens::split(std::string_view text) const {
    std::vector<Part> parts;
    std::size_t plain = 0;  // start of the plain text that ends at `at`
    std::size_t at = text.find_first_of(first_bytes_);
    while (at < text.size()) {
        std::size_t length = std::min(longest_, text.size() - at);
        std::optional<std::int64_t> found;
        while (length > 0 && !(found = id(text.substr(at, length)))) --length;
        if (found) {
            if (at > plain) parts.push_back({text.substr(plain, at - plain), std::nullopt});
            parts.push_back({text.substr(at, length), found});
            plain = at + length;
        }
        at = text.find_first_of(first_bytes_, found ? plain : at + 1);
    }
    if (plain < text.size()) parts.push_back({text.substr(plain), std::nullopt});
    return parts;
}

std::vector<std::int64_t> with_end_token(std::vector<std::int64_t> ids, std::int64_t end_id, std::int64_t max_length) {
    if (max_length < 1) {
        throw Error(ErrorCode::bad_request, "A prompt needs at least 1 token, not " + std::to_string(max_length));
    }
    ids.resize(std::min(ids.size(), static_cast<std::size_t>(max_length - 1)));
    ids.push_back(end_id);
    return ids;
}

}  // namespace kinescope
