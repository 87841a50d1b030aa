#include "core/tokenizers/step_tokenizer.h"

#include "core/api/error.h"
#include "core/tokenizers/sentencepiece_file.h"
#include "core/tokenizers/special_tokens.h"
#include "core/tokenizers/utf8.h"

namespace kinescope {
namespace {

/// The ids of the begin and end tokens, which the model's code fixes regardless of the names in the model file.
constexpr std::int64_t kBeginId = 1, kEndId = 2;

}  // namespace

StepTokenizer::StepTokenizer(const std::filesystem::path& model) : processor_(open_sentencepiece(model)) {
    if (processor_->GetPieceSize() <= kEndId)
        throw_invalid_sentencepiece(model, "it has only " + std::to_string(processor_->GetPieceSize()) + " pieces");
}

std::int64_t StepTokenizer::pad_id() const {
    return kEndId;
}

std::vector<std::int64_t> StepTokenizer::encode(std::string_view text, std::int64_t max_length) const {
    decode_utf8(text);  // throws for invalid text, which SentencePiece would silently replace
    std::vector<int> pieces;
    const auto status = processor_->Encode({text.data(), text.size()}, &pieces);
    if (!status.ok()) throw Error(ErrorCode::tokenizer_invalid, "Cannot tokenize the prompt: " + status.ToString());
    std::vector<std::int64_t> ids{kBeginId};
    ids.insert(ids.end(), pieces.begin(), pieces.end());
    return with_end_token(std::move(ids), kEndId, max_length);
}

}  // namespace kinescope
