#include "core/tokenizers/word_piece_tokenizer.h"

#include <algorithm>

#include "core/api/error.h"
#include "core/api/utf8.h"
#include "core/base/config_reader.h"
#include "core/base/mapped_file.h"

namespace kinescope {
namespace {

constexpr std::size_t kMaxVocabulary = 4'000'000;
constexpr std::size_t kMaxPieceBytes = 1000;
constexpr std::ptrdiff_t kMaxWordCharacters = 100;  // longer words become the unknown token
constexpr std::string_view kInside = "##";          // prefix of pieces that continue a word

[[noreturn]] void throw_invalid(const std::filesystem::path& file, const std::string& reason) {
    throw Error(ErrorCode::tokenizer_invalid, file.string() + " is not a usable BERT vocabulary: " + reason,
                "Download the tokenizer folder of this model again.", {{"path", file.string()}});
}

Letters read_letters(const std::filesystem::path& folder) {
    const auto file = folder / "tokenizer_config.json";
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return Letters::lower_case_without_accents;
    const ConfigReader config(read_json(file), file);
    return config.flag("do_lower_case", true) ? Letters::lower_case_without_accents : Letters::as_written;
}

}  // namespace

WordPieceTokenizer::WordPieceTokenizer(const std::filesystem::path& folder) : letters_(read_letters(folder)) {
    const auto file = folder / "vocab.txt";
    read_vocabulary(file);
    pad_id_ = require_id("[PAD]", file);
    unknown_id_ = require_id("[UNK]", file);
    begin_id_ = require_id("[CLS]", file);
    end_id_ = require_id("[SEP]", file);
    special_tokens_ = SpecialTokens({{"[PAD]", pad_id_},
                                     {"[UNK]", unknown_id_},
                                     {"[CLS]", begin_id_},
                                     {"[SEP]", end_id_},
                                     {"[MASK]", require_id("[MASK]", file)}});
}

/// Reads a file with one piece per line. The id of a piece is its line number. If a piece occurs twice, the later line
/// applies.
void WordPieceTokenizer::read_vocabulary(const std::filesystem::path& file) {
    const auto mapped = MappedFile::open(file);
    std::string_view text(reinterpret_cast<const char*>(mapped->bytes().data()), mapped->bytes().size());
    for (; !text.empty(); ++num_tokens_) {
        const auto end = std::min(text.find('\n'), text.size());
        auto piece = text.substr(0, end);
        if (piece.ends_with('\r')) piece.remove_suffix(1);
        if (piece.size() > kMaxPieceBytes)
            throw_invalid(
                file, "line " + std::to_string(num_tokens_ + 1) + " has " + std::to_string(piece.size()) + " bytes");
        vocabulary_.insert_or_assign(std::string(piece), num_tokens_);
        longest_ = std::max(longest_, piece.size());
        if (vocabulary_.size() > kMaxVocabulary) throw_invalid(file, "it has more than 4,000,000 lines");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::int64_t WordPieceTokenizer::require_id(const std::string& piece, const std::filesystem::path& file) const {
    const auto found = vocabulary_.find(piece);
    if (found == vocabulary_.end()) throw_invalid(file, "it has no token " + piece);
    return found->second;
}

/// Splits a word greedily: the longest piece first, then the longest one that continues it, and so on. Returns no ids
/// if no piece matches the remainder.
std::vector<std::int64_t> WordPieceTokenizer::pieces_of(std::string_view word) const {
    std::vector<std::int64_t> ids;
    for (std::size_t begin = 0; begin < word.size();) {
        const std::string mark(begin == 0 ? std::string_view() : kInside);
        std::size_t length = std::min(word.size() - begin, longest_);
        auto found = vocabulary_.end();
        for (; length > 0; --length) {
            if (begin + length < word.size() && !begins_character(word[begin + length])) continue;
            found = vocabulary_.find(mark + std::string(word.substr(begin, length)));
            if (found != vocabulary_.end()) break;
        }
        if (length == 0) return {};
        ids.push_back(found->second);
        begin += length;
    }
    return ids;
}

void WordPieceTokenizer::append_word(std::string_view word, std::vector<std::int64_t>& ids) const {
    std::vector<std::int64_t> pieces;
    if (std::count_if(word.begin(), word.end(), begins_character) <= kMaxWordCharacters) pieces = pieces_of(word);
    if (pieces.empty()) pieces.push_back(unknown_id_);
    ids.insert(ids.end(), pieces.begin(), pieces.end());
}

std::vector<std::int64_t> WordPieceTokenizer::encode(std::string_view text, std::int64_t max_length) const {
    std::vector<std::int64_t> ids{begin_id_};
    for (const auto& part : special_tokens_.split(text)) {
        if (part.id) {
            ids.push_back(*part.id);
            continue;
        }
        for (const auto& word : split_bert_words(part.text, letters_)) append_word(word, ids);
    }
    return with_end_token(std::move(ids), end_id_, max_length);
}

}  // namespace kinescope
