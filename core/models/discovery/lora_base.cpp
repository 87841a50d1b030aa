#include "core/models/discovery/lora_base.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "core/models/discovery/layout_family.h"

namespace kinescope {

namespace {

using Words = std::vector<std::string_view>;

/// Splits at dots and underscores, because Kohya's names use underscores for both.
Words module_words(std::string_view name) {
    Words words;
    for (std::size_t begin = 0; begin <= name.size();) {
        const auto end = std::min(name.find_first_of("._", begin), name.size());
        words.push_back(name.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

bool matches(const std::string_view& pattern, const std::string_view& word) {
    return pattern == "*" ? std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c) != 0; })
                          : pattern == word;
}

/// Returns true if the last words of `name` match the pattern.
bool ends_in(const Words& name, const Words& pattern) {
    return name.size() >= pattern.size() && std::equal(pattern.rbegin(), pattern.rend(), name.rbegin(), matches);
}

bool is_module_of(const KeyMap& keys, const Words& name) {
    return std::ranges::any_of(keys.rules, [&](const KeyRule& rule) {
        return rule.stored.find('*') != rule.stored.npos &&
               (ends_in(name, module_words(rule.stored)) || ends_in(name, module_words(rule.canonical)));
    });
}

/// The width of the model: the most frequent number of columns.
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
        const auto count = static_cast<std::size_t>(std::ranges::count_if(lora.modules, [&](const auto& entry) {
            return is_module_of(family.native_keys(), module_words(entry.first));
        }));
        if (count > most) best = family.name;
        most = std::max(most, count);
    }
    if (most * 2 < lora.modules.size() || best.empty()) return {};
    return best + ", width " + std::to_string(width_of(lora));
}

}  // namespace kinescope
