#include "core/tokenizers/unigram.h"

#include <algorithm>
#include <limits>

#include "core/api/utf8.h"

namespace kinescope {
namespace {

constexpr double kUnknownPenalty = 10;
constexpr double kNotReached = -std::numeric_limits<double>::infinity();

}  // namespace

Unigram::Unigram(const std::vector<std::pair<std::string, double>>& pieces, std::int64_t unknown_id)
    : unknown_id_(unknown_id) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t id = 0; id < pieces.size(); ++id) {
        const auto& [text, score] = pieces[id];
        pieces_.insert_or_assign(text, Piece{static_cast<std::int64_t>(id), score});
        longest_ = std::max(longest_, text.size());
        least = std::min(least, score);
    }
    unknown_score_ = least - kUnknownPenalty;
}

std::vector<Unigram::Arrival> Unigram::find_best_arrivals(std::string_view word) const {
    std::vector<Arrival> arrivals(word.size() + 1, Arrival{kNotReached, 0, unknown_id_});
    arrivals[0].score = 0;
    const auto arrive = [&arrivals](std::size_t end, const Arrival& arrival) {
        if (arrival.score > arrivals[end].score) arrivals[end] = arrival;
    };
    for (std::size_t begin = 0; begin < word.size(); begin = next_character(word, begin)) {
        const double score = arrivals[begin].score;
        const auto character_end = next_character(word, begin);
        const auto last = std::min(word.size(), begin + longest_);
        bool character_is_known = false;
        for (auto end = character_end; end <= last; end = next_character(word, end)) {
            const auto piece = pieces_.find(word.substr(begin, end - begin));
            if (piece != pieces_.end()) {
                arrive(end, {score + piece->second.score, begin, piece->second.id});
                character_is_known = character_is_known || end == character_end;
            }
            if (end == word.size()) break;
        }
        if (!character_is_known) arrive(character_end, {score + unknown_score_, begin, unknown_id_});
    }
    return arrivals;
}

void Unigram::encode(std::string_view word, std::vector<std::int64_t>& ids) const {
    const auto arrivals = find_best_arrivals(word);
    std::vector<std::int64_t> backwards;
    for (std::size_t end = word.size(); end > 0; end = arrivals[end].begin) {
        const auto id = arrivals[end].id;
        const bool goes_on = id == unknown_id_ && !backwards.empty() && backwards.back() == unknown_id_;
        if (!goes_on) backwards.push_back(id);
    }
    ids.insert(ids.end(), backwards.rbegin(), backwards.rend());
}

}  // namespace kinescope
