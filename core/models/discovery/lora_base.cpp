#include "core/models/discovery/lora_base.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "core/models/discovery/layout_family.h"

namespace kinescope {

namespace {

using Words = std::vector<std::string_view>;

/// The separator in tensor names. Kohya's names contain underscores instead of dots.
enum class Naming { dotted, underscored };

Naming naming_of(std::string_view name) {
    return name.find('.') == name.npos ? Naming::underscored : Naming::dotted;
}

Words words_of(std::string_view name, Naming naming) {
    const char* separators = naming == Naming::dotted ? "." : "._";
    Words words;
    for (std::size_t begin = 0; begin <= name.size();) {
        const auto end = std::min(name.find_first_of(separators, begin), name.size());
        words.push_back(name.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

bool matches(const std::string_view& pattern, const std::string_view& word) {
    return pattern == "*" ? std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c) != 0; })
                          : pattern == word;
}

/// Returns true if the last words of `name` match the pattern and the words before them are only prefixes. If one of
/// the words before them is part of a block's name, the module belongs to another model, as "down_blocks" in
/// "down_blocks.0.transformer_blocks.0".
bool ends_in(const Words& name, const Words& pattern, Naming naming) {
    if (name.size() < pattern.size()) return false;
    const auto begin = name.end() - static_cast<std::ptrdiff_t>(pattern.size());
    const auto is_of_block = [naming](std::string_view word) {
        return word.ends_with("block") || word.ends_with("blocks") ||
               (naming == Naming::underscored && word == "transformer");
    };
    return std::equal(pattern.begin(), pattern.end(), begin, matches) && std::none_of(name.begin(), begin, is_of_block);
}

bool is_module_of(const KeyMap& keys, const std::string& name) {
    const Naming naming = naming_of(name);
    const Words words = words_of(name, naming);
    return std::ranges::any_of(keys.rules, [&](const KeyRule& rule) {
        return rule.stored.find('*') != rule.stored.npos && (ends_in(words, words_of(rule.stored, naming), naming) ||
                                                             ends_in(words, words_of(rule.canonical, naming), naming));
    });
}

/// Returns the width of the model, which is the most frequent number of columns.
std::int64_t width_of(const LoraFile& lora) {
    std::map<std::int64_t, int> widths;
    for (const auto& [name, module] : lora.modules)
        if (module.down.defined()) ++widths[module.down.size(1)];
    const auto most = std::ranges::max_element(widths, {}, [](const auto& entry) { return entry.second; });
    return most == widths.end() ? 0 : most->first;
}

}  // namespace

std::string lora_base(const LoraFile& lora) {
    std::string best;
    std::size_t most = 0;
    for (const auto& family : layout_families()) {
        const auto count = static_cast<std::size_t>(std::ranges::count_if(
            lora.modules, [&](const auto& entry) { return is_module_of(family.native_keys(), entry.first); }));
        if (count > most) best = family.name;
        most = std::max(most, count);
    }
    if (most * 2 < lora.modules.size() || best.empty()) return {};
    return best + ", width " + std::to_string(width_of(lora));
}

}  // namespace kinescope
