#include "app/cli/suggest.h"

#include <algorithm>
#include <numeric>

namespace kinescope::cli {
namespace {

/// Returns the Levenshtein distance, the number of edits between two words.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string most_like(const std::string& word, const std::vector<std::string>& known) {
    std::string best;
    std::size_t least = word.size() * 2 / 5 + 1;
    for (const std::string& candidate : known) {
        const std::size_t away = distance(word, candidate);
        if (away >= least) continue;
        least = away;
        best = candidate;
    }
    return best;
}

}  // namespace kinescope::cli
