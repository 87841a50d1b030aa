#include "core/tokenizers/unigram_tokenizer.h"

#include <algorithm>

#include "core/tokenizers/utf8.h"

namespace kinescope {
namespace {

constexpr std::string_view kMark = "\u2581";  // stands for a space before a word

[[noreturn]] void refuse(const std::string& reason) {
    throw JsonError(reason);
}

std::string type_of(const Json& json) {
    return json.is_object() ? json.value("type", std::string()) : std::string();
}

/// Returns true if the normalizer replaces runs of spaces by one space, and false if there is no normalizer. Throws
/// JsonError for any other normalizer.
bool collapses_spaces(const Json& normalizer) {
    if (normalizer.is_null()) return false;
    if (type_of(normalizer) == "Replace" && normalizer.at("pattern") == Json{{"Regex", " {2,}"}} &&
        normalizer.at("content") == " ") {
        return true;
    }
    refuse("its normalizer is not that of T5 or UMT5: " + normalizer.dump().substr(0, 200));
}

void check_metaspace(const Json& json) {
    const bool always = json.value("prepend_scheme", std::string("always")) == "always";
    if (type_of(json) == "Metaspace" && json.at("replacement") == kMark && always &&
        json.value("add_prefix_space", true))
        return;
    refuse("its pre_tokenizer is not that of T5 or UMT5: " + json.dump().substr(0, 200));
}

Spaces read_spaces(const Json& root) {
    const bool collapses = collapses_spaces(root.value("normalizer", Json()));
    const Json& pre_tokenizer = root.at("pre_tokenizer");
    if (type_of(pre_tokenizer) != "Sequence") {
        check_metaspace(pre_tokenizer);
        return collapses ? Spaces::collapse : Spaces::keep;
    }
    const Json& steps = pre_tokenizer.at("pretokenizers");
    if (steps.size() != 2 || type_of(steps[0]) != "WhitespaceSplit")
        refuse("its pre_tokenizer is not that of T5 or UMT5");
    check_metaspace(steps[1]);
    return Spaces::drop_all;
}

std::vector<std::pair<std::string, double>> read_pieces(const Json& model) {
    std::vector<std::pair<std::string, double>> pieces;
    for (const Json& piece : model.at("vocab")) {
        if (!piece.is_array() || piece.size() != 2) refuse("a piece of its vocabulary is not [text, score]");
        pieces.emplace_back(piece[0].get<std::string>(), piece[1].get<double>());
    }
    return pieces;
}

Unigram read_model(const Json& model) {
    if (type_of(model) != "Unigram") refuse("its model is '" + type_of(model) + "', not Unigram");
    const auto pieces = read_pieces(model);
    const Json& unknown_id = model.at("unk_id");
    if (!unknown_id.is_number_unsigned() || unknown_id.get<std::uint64_t>() >= pieces.size()) {
        refuse("its unk_id " + unknown_id.dump() + " is not a piece of its vocabulary");
    }
    return Unigram(pieces, unknown_id.get<std::int64_t>());
}

SpecialTokens read_special_tokens(const Json& root) {
    std::map<std::string, std::int64_t, std::less<>> ids;
    for (const Json& token : root.value("added_tokens", Json::array())) {
        const Json& id = token.at("id");
        if (!id.is_number_unsigned() || id.get<std::uint64_t>() > 0x7FFFFFFF)
            refuse("the id " + id.dump() + " of an added token");
        ids.emplace(token.at("content").get<std::string>(), id.get<std::int64_t>());
    }
    return SpecialTokens(std::move(ids));
}

std::int64_t require_id(const SpecialTokens& tokens, const std::string& name) {
    const auto id = tokens.id(name);
    if (!id) refuse("it has no token " + name);
    return *id;
}

std::string with_marks(std::string_view text) {
    std::string marked;
    for (const char byte : text) byte == ' ' ? marked += kMark : marked += byte;
    return marked.starts_with(kMark) ? marked : std::string(kMark) + marked;
}

/// Replaces the spaces of `text` (not empty) by U+2581 and splits the text before every such mark.
void append_marked_words(std::string_view text, std::vector<std::string>& words) {
    const std::string marked = with_marks(text);
    for (std::size_t at = 0; at < marked.size();) {
        const auto next = std::min(marked.find(kMark, at + 1), marked.size());
        words.push_back(marked.substr(at, next - at));
        at = next;
    }
}

std::string with_single_spaces(std::string_view text) {
    std::string out;
    for (const char byte : text) {
        if (byte != ' ' || !out.ends_with(' ')) out += byte;
    }
    return out;
}

std::vector<std::string> split_at_whitespace(std::string_view text) {
    std::vector<std::string> chunks;
    bool inside = false;
    for (const char32_t c : decode_utf8(text)) {
        const bool is_space = is_unicode_space(c);
        if (!is_space && !inside) chunks.emplace_back();
        if (!is_space) chunks.back() += encode_utf8({&c, 1});
        inside = !is_space;
    }
    return chunks;
}

}  // namespace

std::vector<std::string> split_words(std::string_view text, Spaces spaces) {
    std::vector<std::string> words;
    if (spaces == Spaces::drop_all) {
        for (const auto& chunk : split_at_whitespace(text)) append_marked_words(chunk, words);
    } else if (!text.empty()) {
        append_marked_words(spaces == Spaces::collapse ? with_single_spaces(text) : text, words);
    }
    return words;
}

UnigramTokenizer::UnigramTokenizer(const Json& root)
    : model_(read_model(root.at("model"))),
      spaces_(read_spaces(root)),
      special_tokens_(read_special_tokens(root)),
      pad_id_(require_id(special_tokens_, "<pad>")),
      end_id_(require_id(special_tokens_, "</s>")),
      num_tokens_(
          std::max(static_cast<std::int64_t>(root.at("model").at("vocab").size()), special_tokens_.largest_id() + 1)) {}

std::vector<std::int64_t> UnigramTokenizer::encode(std::string_view text, std::int64_t max_length) const {
    decode_utf8(text);  // throws for invalid text
    std::vector<std::int64_t> ids;
    for (const auto& part : special_tokens_.split(text)) {
        if (part.id) {
            ids.push_back(*part.id);
            continue;
        }
        for (const auto& word : split_words(part.text, spaces_)) model_.encode(word, ids);
    }
    return with_end_token(std::move(ids), end_id_, max_length);
}

}  // namespace kinescope
