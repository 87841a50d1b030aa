#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kinescope {

/// The Unigram language model: splits a word into the pieces with the highest sum of scores. Source: Kudo 2018,
/// https://arxiv.org/abs/1804.10959. Treats unknown characters like Hugging Face's tokenizers.
class Unigram {
public:
    /// `pieces` contains text (UTF-8) and log probability of each piece, ordered by id. If a text occurs twice, the
    /// later id applies. `unknown_id` is one of these ids.
    Unigram(const std::vector<std::pair<std::string, double>>& pieces, std::int64_t unknown_id);

    /// Appends the ids of `word` (valid UTF-8). A run of characters without a matching piece becomes one unknown id.
    void encode(std::string_view word, std::vector<std::int64_t>& ids) const;

private:
    struct Piece {
        std::int64_t id;
        double score;
    };
    /// The best way to reach a byte of the word. `begin` is the start of the last piece.
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
    std::size_t longest_ = 0;  ///< length of the longest piece in bytes
};

}  // namespace kinescope
