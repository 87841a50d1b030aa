#pragma once

#include <map>
#include <string>

namespace kinescope {

/// What the engine has to say in one sentence: in English, and what it is made of, for a window in another language.
struct Sentence {
    std::string code = {};  ///< which sentence, e.g. "near_limit"; empty: only the text is known
    std::map<std::string, std::string> values = {};  ///< what it names, by name
    std::string text = {};

    bool empty() const { return text.empty(); }
    bool operator==(const Sentence&) const = default;
};

}  // namespace kinescope
