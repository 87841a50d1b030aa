#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kinescope {

/// How BERT treats capital letters and accents (do_lower_case in tokenizer_config.json).
enum class Letters { as_written, lower_case_without_accents };

/// Splits `text` into words (UTF-8) like Hugging Face's BertNormalizer and BertPreTokenizer: removes control
/// characters, splits at whitespace, and treats each Chinese character and each punctuation mark as one word. Throws
/// Error(bad_request) for invalid UTF-8.
std::vector<std::string> split_bert_words(std::string_view text, Letters letters);

}  // namespace kinescope
