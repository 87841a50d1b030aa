#pragma once

#include <map>
#include <string>

namespace kinescope {

/// A sentence in English, with the code and values needed to translate it.
struct LocalizableMessage {
    std::string code = {};  ///< identifies the sentence, e.g. "near_limit"; empty: not translatable
    std::map<std::string, std::string> values = {};  ///< values in the sentence, by name
    std::string text = {};

    bool empty() const { return text.empty(); }
    bool operator==(const LocalizableMessage&) const = default;
};

}  // namespace kinescope
