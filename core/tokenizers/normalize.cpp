#include "core/tokenizers/normalize.h"

#include <unicode/normalizer2.h>
#include <unicode/uniset.h>

#include "core/api/error.h"

namespace kinescope {
namespace {

void require(UErrorCode status) {
    if (U_FAILURE(status)) throw Error(ErrorCode::internal, std::string("ICU: ") + u_errorName(status));
}

const icu::UnicodeSet& unicode_14() {
    static const icu::UnicodeSet characters = [] {
        UErrorCode status = U_ZERO_ERROR;
        icu::UnicodeSet assigned(icu::UnicodeString("[:age=14.0:]"), status);
        require(status);
        assigned.freeze();
        return assigned;
    }();
    return characters;
}

using GetForm = const icu::Normalizer2* (*)(UErrorCode&);

std::u32string normalize(const std::u32string& text, GetForm get_form) {
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* all_of_unicode = get_form(status);
    require(status);
    const icu::FilteredNormalizer2 filtered(*all_of_unicode, unicode_14());
    const icu::Normalizer2& form = filtered;
    const auto source =
        icu::UnicodeString::fromUTF32(reinterpret_cast<const UChar32*>(text.data()), static_cast<int>(text.size()));
    const icu::UnicodeString result = form.normalize(source, status);
    require(status);
    std::u32string normalized(static_cast<std::size_t>(result.countChar32()), U'\0');
    result.toUTF32(reinterpret_cast<UChar32*>(normalized.data()), static_cast<int>(normalized.size()), status);
    require(status);
    return normalized;
}

}  // namespace

std::u32string normalize_nfd(const std::u32string& text) {
    return normalize(text, icu::Normalizer2::getNFDInstance);
}

std::u32string normalize_nfc(const std::u32string& text) {
    return normalize(text, icu::Normalizer2::getNFCInstance);
}

std::u32string normalize_nfkc(const std::u32string& text) {
    return normalize(text, icu::Normalizer2::getNFKCInstance);
}

}  // namespace kinescope
