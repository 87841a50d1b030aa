#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kinescope {

/// Whether BERT's tokenizer keeps capitals and accents: do_lower_case of tokenizer_config.json.
enum class Letters { as_written, small_without_accents };

/// The words that BERT's tokenizer cuts a text into, in UTF-8: control characters are dropped, each Chinese character
/// and each punctuation mark is a word of its own, whitespace parts the others. As Hugging Face's BertNormalizer and
/// BertPreTokenizer. Throws Error(bad_request) for invalid UTF-8.
std::vector<std::string> split_bert_words(std::string_view text, Letters letters);

}  // namespace kinescope
