#include "core/tokenizers/sentencepiece_tokenizer.h"

#include "core/api/error.h"
#include "core/tokenizers/sentencepiece_file.h"
#include "core/tokenizers/utf8.h"

namespace kinescope {

SentencePieceTokenizer::SentencePieceTokenizer(const std::filesystem::path& model, std::int64_t extra_ids)
    : processor_(open_sentencepiece(model)) {
    read_tokens(model, extra_ids);
}

SentencePieceTokenizer::SentencePieceTokenizer(std::string_view model, const std::filesystem::path& origin,
                                               std::int64_t extra_ids)
    : processor_(open_sentencepiece(model, origin)) {
    read_tokens(origin, extra_ids);
}

void SentencePieceTokenizer::read_tokens(const std::filesystem::path& model, std::int64_t extra_ids) {
    pad_id_ = processor_->pad_id();
    end_id_ = processor_->eos_id();
    unknown_id_ = processor_->unk_id();
    if (end_id_ < 0) throw_invalid_sentencepiece(model, "it has no end token </s>");
    if (pad_id_ < 0) throw_invalid_sentencepiece(model, "it has no padding token <pad>");
    special_tokens_ = read_special_tokens(extra_ids);
    num_tokens_ = processor_->GetPieceSize() + extra_ids;
}

SpecialTokens SentencePieceTokenizer::read_special_tokens(std::int64_t extra_ids) const {
    std::map<std::string, std::int64_t, std::less<>> ids;
    const int size = processor_->GetPieceSize();
    for (int id = 0; id < size; ++id) {
        if (processor_->IsControl(id) || processor_->IsUnknown(id)) ids.emplace(processor_->IdToPiece(id), id);
    }
    for (std::int64_t i = 0; i < extra_ids; ++i) {
        ids.emplace("<extra_id_" + std::to_string(i) + ">", size + extra_ids - 1 - i);
    }
    return SpecialTokens(std::move(ids));
}

void SentencePieceTokenizer::append_plain(std::string_view text, std::vector<std::int64_t>& ids) const {
    std::vector<int> pieces;
    const auto status = processor_->Encode({text.data(), text.size()}, &pieces);
    if (!status.ok()) throw Error(ErrorCode::tokenizer_invalid, "Cannot tokenize the prompt: " + status.ToString());
    bool after_bytes = false;
    for (const int id : pieces) {
        const bool is_byte = processor_->IsByte(id);
        if (!is_byte) ids.push_back(id);
        if (is_byte && !after_bytes) ids.push_back(unknown_id_);
        after_bytes = is_byte;
    }
}

std::vector<std::int64_t> SentencePieceTokenizer::encode(std::string_view text, std::int64_t max_length) const {
    decode_utf8(text);  // throws for invalid text, which SentencePiece would silently replace
    std::vector<std::int64_t> ids;
    for (const auto& part : special_tokens_.split(text)) {
        if (part.id) {
            ids.push_back(*part.id);
        } else {
            append_plain(part.text, ids);
        }
    }
    return with_end_token(std::move(ids), end_id_, max_length);
}

}  // namespace kinescope
