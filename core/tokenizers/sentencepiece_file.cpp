#include "core/tokenizers/sentencepiece_file.h"

#include "core/api/error.h"
#include "core/base/mapped_file.h"
#include "core/tokenizers/sentencepiece_model_check.h"

namespace kinescope {

void throw_invalid_sentencepiece(const std::filesystem::path& model, const std::string& reason) {
    throw Error(ErrorCode::tokenizer_invalid, model.string() + " is not a usable SentencePiece model: " + reason,
                "Download the tokenizer folder of this model again.", {{"path", model.string()}});
}

std::unique_ptr<sentencepiece::SentencePieceProcessor> open_sentencepiece(const std::filesystem::path& model) {
    const auto file = MappedFile::open(model);
    return open_sentencepiece({reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()}, model);
}

std::unique_ptr<sentencepiece::SentencePieceProcessor> open_sentencepiece(std::string_view bytes,
                                                                          const std::filesystem::path& model) {
    if (const auto fault = find_sentencepiece_fault(bytes)) throw_invalid_sentencepiece(model, *fault);
    auto processor = std::make_unique<sentencepiece::SentencePieceProcessor>();
    std::string fault;
    try {
        const auto status = processor->LoadFromSerializedProto({bytes.data(), bytes.size()});
        if (!status.ok()) fault = status.ToString();
    } catch (const std::exception& error) {  // the library's trie throws if it cannot store a piece
        fault = error.what();
    }
    if (!fault.empty()) throw_invalid_sentencepiece(model, fault);
    return processor;
}

}  // namespace kinescope
