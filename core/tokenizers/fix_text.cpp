#include "core/tokenizers/fix_text.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/tokenizers/html_unescape.h"
#include "core/tokenizers/normalize.h"

namespace kinescope {
namespace {

enum class Html { unescape, keep };

constexpr char32_t kEscape = 0x1B;

struct Replacement {
    char32_t from;
    std::u32string_view to;
};

// Single code points that stand for several Latin letters. ftfy does not change the ligatures of other scripts.
constexpr std::array<Replacement, 22> kLigatures{
    {{0x132, U"IJ"},      {0x133, U"ij"},  {0x149, U"\x2BCn"}, {0x1C4, U"D\x17D"}, {0x1C5, U"D\x17E"},
     {0x1C6, U"d\x17E"},  {0x1C7, U"LJ"},  {0x1C8, U"Lj"},     {0x1C9, U"lj"},     {0x1CA, U"NJ"},
     {0x1CB, U"Nj"},      {0x1CC, U"nj"},  {0x1F1, U"DZ"},     {0x1F2, U"Dz"},     {0x1F3, U"dz"},
     {0xFB00, U"ff"},     {0xFB01, U"fi"}, {0xFB02, U"fl"},    {0xFB03, U"ffi"},   {0xFB04, U"ffl"},
     {0xFB05, U"\x17Ft"}, {0xFB06, U"st"}}};

bool is_control(char32_t c) {
    return c <= 0x08 || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F || (c >= 0x206A && c <= 0x206F) ||
           c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFC);
}

/// Returns the letters of a ligature, or an empty string if `c` is not a ligature.
std::u32string_view letters_of(char32_t c) {
    const auto found = std::ranges::find(kLigatures, c, &Replacement::from);
    return found != kLigatures.end() ? found->to : std::u32string_view();
}

/// Appends one character after applying the rules for C1 controls, ligatures, widths and quotes, in this order.
void append_plain(char32_t c, std::u32string& out) {
    if (c >= 0x80 && c <= 0x9F) c = windows_1252(c);
    if (const auto letters = letters_of(c); !letters.empty()) {
        for (const char32_t letter : letters) append_plain(letter, out);
        return;
    }
    if (c == 0x3000) c = ' ';
    if (c > 0xFF00 && c < 0xFFF0) {  // half- and full-width forms
        out += normalize_nfkc({c});
    } else if (c == 0x2BC || (c >= 0x2018 && c <= 0x201B)) {
        out += U'\'';
    } else if (c >= 0x201C && c <= 0x201F) {
        out += U'"';
    } else {
        out += c;
    }
}

std::u32string with_plain_characters(const std::u32string& text) {
    std::u32string out;
    out.reserve(text.size());
    for (const char32_t c : text) append_plain(c, out);
    return out;
}

/// Replaces \r\n, \r, U+2028 and U+2029 by \n. U+0085 no longer occurs, because append_plain() has replaced it by an
/// ellipsis.
std::u32string with_plain_line_breaks(const std::u32string& text) {
    std::u32string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char32_t c = text[at];
        if (c == '\r' && at + 1 < text.size() && text[at + 1] == '\n') continue;
        out += c == '\r' || c == 0x2028 || c == 0x2029 ? U'\n' : c;
    }
    return out;
}

/// Returns the length of the terminal escape sequence at the start of `text`, such as ESC [36;44m, or 0 if there is
/// none.
std::size_t terminal_escape_length(std::u32string_view text) {
    if (!text.starts_with(U"\x1B[")) return 0;
    const auto end = text.find_first_not_of(U"0123456789;", 2);
    if (end == text.npos) return 0;
    const char32_t last = text[end];
    return (last >= 'a' && last <= 'z') || (last >= 'A' && last <= 'Z') ? end + 1 : 0;
}

std::u32string without_controls(const std::u32string& text) {
    std::u32string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::size_t escape =
            text[at] == kEscape ? terminal_escape_length(std::u32string_view(text).substr(at)) : 0;
        if (escape > 0) {
            at += escape - 1;
        } else if (!is_control(text[at])) {
            out += text[at];
        }
    }
    return out;
}

std::u32string fix_line(std::u32string line, Html html) {
    for (;;) {
        std::u32string fixed = html == Html::unescape ? unescape_unambiguous(line) : line;
        fixed = normalize_nfc(without_controls(with_plain_line_breaks(with_plain_characters(fixed))));
        if (fixed == line) return line;
        line = std::move(fixed);
    }
}

}  // namespace

std::u32string fix_text(const std::u32string& text) {
    std::u32string out;
    Html html = Html::unescape;
    for (std::size_t at = 0; at < text.size();) {
        const auto line_break = text.find(U'\n', at);
        const auto end = line_break == text.npos ? text.size() : line_break + 1;
        const std::u32string line = text.substr(at, end - at);
        // A tag indicates that the text is HTML. Keep the character references from this line to the end.
        if (line.find(U'<') != line.npos) html = Html::keep;
        out += fix_line(line, html);
        at = end;
    }
    return out;
}

}  // namespace kinescope
