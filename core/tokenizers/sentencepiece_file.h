#pragma once

#include <sentencepiece_processor.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace kinescope {

/// Reads a SentencePiece model of any type, after checking for faults that would crash the library. Throws
/// Error(tokenizer_invalid, file_not_found, file_unreadable).
std::unique_ptr<sentencepiece::SentencePieceProcessor> open_sentencepiece(const std::filesystem::path& model);

/// Opens a SentencePiece model in memory, with the same checks. `origin` is the file that contains it, for error
/// messages.
std::unique_ptr<sentencepiece::SentencePieceProcessor> open_sentencepiece(std::string_view bytes,
                                                                          const std::filesystem::path& origin);

/// Throws an Error(tokenizer_invalid) with the message "<model> is not a usable SentencePiece model: <reason>".
[[noreturn]] void throw_invalid_sentencepiece(const std::filesystem::path& model, const std::string& reason);

}  // namespace kinescope
