#include "core/api/prompt_variants.h"

#include <optional>

#include "core/api/error.h"

namespace kinescope {

namespace {

constexpr int kMostLevels = 20;

/// Alternatives in braces: the text in front of them, their texts and the text behind them.
struct Alternatives {
    std::string_view before;
    std::vector<std::string_view> texts;
    std::string_view after;
};

/// Returns the alternatives that open at `open`; nullopt if the brace is text.
std::optional<Alternatives> alternatives_at(std::string_view text, std::size_t open) {
    Alternatives found{.before = text.substr(0, open), .texts = {}, .after = {}};
    int level = 0;
    std::size_t start = open + 1;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == '{' && ++level > kMostLevels) return std::nullopt;
        const bool closes = text[i] == '}' && --level == 0;
        if (closes || (text[i] == '|' && level == 1)) {
            found.texts.push_back(text.substr(start, i - start));
            start = i + 1;
        }
        if (!closes) continue;
        found.after = text.substr(i + 1);
        return found.texts.size() > 1 ? std::optional(found) : std::nullopt;
    }
    return std::nullopt;
}

/// Returns the first alternatives of a text.
std::optional<Alternatives> first_alternatives(std::string_view text) {
    for (auto open = text.find('{'); open != text.npos; open = text.find('{', open + 1))
        if (auto found = alternatives_at(text, open)) return found;
    return std::nullopt;
}

[[noreturn]] void refuse() {
    throw Error(ErrorCode::bad_request,
                "the prompt has more than " + std::to_string(kMostPromptVariants) + " combinations of alternatives",
                "Use fewer alternatives in braces.");
}

std::vector<std::string> variants(std::string_view text) {
    const auto found = first_alternatives(text);
    if (!found) return {std::string(text)};
    const std::vector<std::string> endings = variants(found->after);
    std::vector<std::string> all;
    for (const std::string_view alternative : found->texts)
        for (const std::string& middle : variants(alternative)) {
            if (all.size() + endings.size() > kMostPromptVariants) refuse();
            for (const std::string& ending : endings)
                all.push_back(std::string(found->before).append(middle).append(ending));
        }
    return all;
}

}  // namespace

std::vector<std::string> prompt_variants(std::string_view prompt) {
    return variants(prompt);
}

bool has_unpaired_alternatives(std::string_view prompt) {
    int level = 0;
    for (const char character : prompt) {
        if (character == '{') ++level;
        if (character == '}' && --level < 0) break;
    }
    return level != 0 && prompt.find('|') != prompt.npos;
}

}  // namespace kinescope
