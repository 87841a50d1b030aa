#include "core/tokenizers/fix_text.h"
#include "core/tokenizers/html_unescape.h"
#include "core/tokenizers/tokenizer.h"
#include "core/tokenizers/utf8.h"

namespace kinescope {
namespace {

std::u32string with_single_spaces(const std::u32string& text) {
    std::u32string out;
    out.reserve(text.size());
    bool space_is_due = false;
    for (const char32_t c : text) {
        if (is_unicode_space(c)) {
            space_is_due = !out.empty();
            continue;
        }
        if (space_is_due) out += U' ';
        space_is_due = false;
        out += c;
    }
    return out;
}

}  // namespace

std::string clean_prompt(std::string_view prompt) {
    const auto fixed = fix_text(decode_utf8(prompt));
    return encode_utf8(with_single_spaces(html_unescape(html_unescape(fixed))));
}

}  // namespace kinescope
