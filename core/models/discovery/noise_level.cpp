#include "core/models/discovery/noise_level.h"

#include <algorithm>
#include <cctype>
#include <system_error>

#include "core/models/discovery/layout_family.h"

namespace kinescope {

namespace fs = std::filesystem;

namespace {

/// A word of the name of a file.
struct Word {
    std::string text;             ///< in lower case
    bool is_capitals = true;      ///< the name contains the whole word in capitals
    bool is_capitalized = false;  ///< the name contains the word with a capital as its first letter
};

std::vector<Word> words_of(const std::string& name) {
    std::vector<Word> words(1);
    for (const unsigned char c : name) {
        if (std::isalnum(c) == 0) {
            words.emplace_back();
            continue;
        }
        words.back().is_capitalized |= words.back().text.empty() && std::isupper(c) != 0;
        words.back().text += static_cast<char>(std::tolower(c));
        words.back().is_capitals &= std::islower(c) == 0;
    }
    return words;
}

/// The spelling that makes "high" or "low" alone a noise level.
enum class Spelling { none, capitals, capitalized };

bool is_level(const Word& word, Spelling spelling) {
    return (word.is_capitals && spelling != Spelling::none) ||
           (word.is_capitalized && spelling == Spelling::capitalized);
}

/// Returns the noise level for "high_noise", "highnoise" or "HIGH" (and likewise "low"). A plain "low" is ambiguous, as
/// in "low_vram".
NoiseLevel level_in(const std::string& name, Spelling spelling) {
    const auto words = words_of(name);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& text = words[i].text;
        const bool is_meant = is_level(words[i], spelling) || (i + 1 < words.size() && words[i + 1].text == "noise");
        if (text == "highnoise" || (text == "high" && is_meant)) return NoiseLevel::high;
        if (text == "lownoise" || (text == "low" && is_meant)) return NoiseLevel::low;
    }
    return NoiseLevel::unknown;
}

constexpr const char* kFirstExpert = "transformer";
constexpr const char* kSecondExpert = "transformer_2";

/// Returns the noise level of a file in a folder of diffusers.
NoiseLevel level_by_component(const fs::path& file) {
    const fs::path folder = file.parent_path();
    if (folder.filename() == kSecondExpert) return NoiseLevel::low;
    std::error_code ignored;
    const bool is_first =
        folder.filename() == kFirstExpert && fs::is_directory(folder.parent_path() / kSecondExpert, ignored);
    return is_first ? NoiseLevel::high : NoiseLevel::unknown;
}

NoiseLevel level_of(const fs::path& file, Spelling spelling) {
    auto level = level_in(file.filename().string(), spelling);
    if (level == NoiseLevel::unknown) level = level_in(file.parent_path().filename().string(), Spelling::capitals);
    return level == NoiseLevel::unknown ? level_by_component(file) : level;
}

/// Returns the words of a name in lower case and without digits, which tell the epochs of the files of a pair apart.
std::vector<std::string> texts_of(const std::string& name) {
    std::vector<std::string> texts;
    for (Word& word : words_of(name)) {
        std::erase_if(word.text, [](unsigned char c) { return std::isdigit(c) != 0; });
        texts.push_back(std::move(word.text));
    }
    return texts;
}

/// Returns the noise level of the first name if the two differ only in "high" and "low".
NoiseLevel level_in_pair(const std::vector<std::string>& texts, const std::vector<std::string>& others) {
    if (texts.size() != others.size()) return NoiseLevel::unknown;
    NoiseLevel level = NoiseLevel::unknown;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (texts[i] == others[i]) continue;
        const bool is_high = texts[i] == "high" && others[i] == "low";
        const bool is_low = texts[i] == "low" && others[i] == "high";
        if (level != NoiseLevel::unknown || (!is_high && !is_low)) return NoiseLevel::unknown;
        level = is_high ? NoiseLevel::high : NoiseLevel::low;
    }
    return level;
}

NoiseLevel level_beside(const std::string& name, const std::vector<std::string>& names) {
    for (const std::string& other : names) {
        const NoiseLevel level = level_in_pair(texts_of(name), texts_of(other));
        if (level != NoiseLevel::unknown) return level;
    }
    return NoiseLevel::unknown;
}

bool has_small_letters(const std::string& name) {
    return std::ranges::any_of(name, [](unsigned char c) { return std::islower(c) != 0; });
}

NoiseLevel level_of_lora(const std::string& name, const std::vector<std::string>& names) {
    NoiseLevel level = level_in(name, Spelling::none);
    if (level == NoiseLevel::unknown) level = level_beside(name, names);
    if (level == NoiseLevel::unknown && has_small_letters(name)) level = level_in(name, Spelling::capitals);
    return level;
}

}  // namespace

NoiseLevel noise_level_of(const fs::path& file) {
    return level_of(file, Spelling::capitals);
}

NoiseLevel noise_level_of(const FoundPart& denoiser) {
    return level_of(denoiser.file, is_expert(denoiser.part) ? Spelling::capitalized : Spelling::capitals);
}

fs::path other_expert_folder(const fs::path& file) {
    const fs::path folder = file.parent_path();
    if (folder.filename() == kFirstExpert) return folder.parent_path() / kSecondExpert;
    return folder.filename() == kSecondExpert ? folder.parent_path() / kFirstExpert : fs::path();
}

std::vector<NoiseLevel> noise_levels_of_loras(const std::vector<std::string>& names) {
    std::vector<NoiseLevel> levels;
    for (const std::string& name : names) levels.push_back(level_of_lora(name, names));
    return levels;
}

}  // namespace kinescope
