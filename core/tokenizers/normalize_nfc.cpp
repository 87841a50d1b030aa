#include "core/tokenizers/normalize_nfc.h"

#include <algorithm>
#include <tuple>

#include "core/tokenizers/tables/tables.h"

namespace kinescope {
namespace {

// Hangul syllables are arithmetic: Unicode Standard, section 3.12.
constexpr char32_t kSyllables = 0xAC00, kLeads = 0x1100, kVowels = 0x1161, kTrails = 0x11A7;
constexpr char32_t kNumLeads = 19, kNumVowels = 21, kNumTrails = 28;
constexpr char32_t kNumSyllables = kNumLeads * kNumVowels * kNumTrails;

constexpr char32_t kFirstAffected = 0x300;  // text below this is in form C already

int combining_class(char32_t c) {
    const auto ranges = tables::combining_ranges();
    const auto found =
        std::partition_point(ranges.begin(), ranges.end(), [c](const auto& range) { return range.last < c; });
    return found != ranges.end() && found->first <= c ? found->combining_class : 0;
}

void decompose(char32_t c, std::u32string& out) {
    if (c >= kSyllables && c < kSyllables + kNumSyllables) {
        const char32_t index = c - kSyllables;
        out += kLeads + index / (kNumVowels * kNumTrails);
        out += kVowels + index / kNumTrails % kNumVowels;
        if (index % kNumTrails) out += kTrails + index % kNumTrails;
        return;
    }
    const auto all = tables::decompositions();
    const auto found = std::partition_point(all.begin(), all.end(), [c](const auto& row) { return row.composed < c; });
    if (found == all.end() || found->composed != c) {
        out += c;
        return;
    }
    decompose(found->first, out);
    if (found->second) decompose(found->second, out);
}

/// The character that the two make together; 0: none.
char32_t compose(char32_t first, char32_t second) {
    if (first >= kLeads && first < kLeads + kNumLeads && second >= kVowels && second < kVowels + kNumVowels) {
        return kSyllables + ((first - kLeads) * kNumVowels + (second - kVowels)) * kNumTrails;
    }
    const bool is_open_syllable =
        first >= kSyllables && first < kSyllables + kNumSyllables && (first - kSyllables) % kNumTrails == 0;
    if (is_open_syllable && second > kTrails && second < kTrails + kNumTrails) return first + (second - kTrails);

    const auto all = tables::compositions();
    const auto found = std::partition_point(all.begin(), all.end(), [&](const auto& row) {
        return std::tie(row.first, row.second) < std::tie(first, second);
    });
    return found != all.end() && found->first == first && found->second == second ? found->composed : 0;
}

/// Marks between two starters are sorted by class; equal classes keep their order.
void put_in_canonical_order(std::u32string& text) {
    const auto is_starter = [](char32_t c) { return combining_class(c) == 0; };
    for (auto at = text.begin(); at != text.end();) {
        at = std::find_if_not(at, text.end(), is_starter);
        const auto end = std::find_if(at, text.end(), is_starter);
        std::stable_sort(at, end, [](char32_t a, char32_t b) { return combining_class(a) < combining_class(b); });
        at = end;
    }
}

std::u32string compose_all(const std::u32string& text) {
    std::u32string out;
    std::size_t starter = std::u32string::npos;  // where in `out` the last starter is
    int last_class = 0;                          // of what was kept after it
    for (const char32_t c : text) {
        const int own_class = combining_class(c);
        const bool adjacent = starter != std::u32string::npos && starter + 1 == out.size();
        if (starter != std::u32string::npos && (adjacent || last_class < own_class)) {
            if (const char32_t composed = compose(out[starter], c)) {
                out[starter] = composed;
                continue;
            }
        }
        if (own_class == 0) starter = out.size();
        last_class = own_class;
        out += c;
    }
    return out;
}

}  // namespace

std::u32string normalize_nfd(const std::u32string& text) {
    std::u32string decomposed;
    decomposed.reserve(text.size());
    for (const char32_t c : text) decompose(c, decomposed);
    put_in_canonical_order(decomposed);
    return decomposed;
}

std::u32string normalize_nfc(const std::u32string& text) {
    if (std::all_of(text.begin(), text.end(), [](char32_t c) { return c < kFirstAffected; })) return text;
    return compose_all(normalize_nfd(text));
}

}  // namespace kinescope
