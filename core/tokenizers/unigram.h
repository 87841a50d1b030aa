#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kinescope {

/// The Unigram language model: of all ways to cut a word into pieces, the one with the highest sum of scores.
/// Source: Kudo 2018, https://arxiv.org/abs/1804.10959; unknown characters as in Hugging Face's tokenizers.
class Unigram {
public:
    /// `pieces`: text in UTF-8 and log probability, in the order of their ids; where a text comes twice, the later id
    /// counts. `unknown_id` lies in it.
    Unigram(const std::vector<std::pair<std::string, double>>& pieces, std::int64_t unknown_id);

    /// Appends the ids of `word` (valid UTF-8); a run of characters that no piece covers is one unknown id.
    void encode(std::string_view word, std::vector<std::int64_t>& ids) const;

private:
    struct Piece {
        std::int64_t id;
        double score;
    };
    /// The best way to reach a byte of the word: its last piece begins at `begin`.
    struct Arrival {
        double score;
        std::size_t begin;
        std::int64_t id;
    };
    std::vector<Arrival> find_best_arrivals(std::string_view word) const;

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::unordered_map<std::string, Piece, Hash, std::equal_to<>> pieces_;
    std::int64_t unknown_id_;
    double unknown_score_ = 0;
    std::size_t longest_ = 0;  ///< in bytes
};

}  // namespace kinescope
