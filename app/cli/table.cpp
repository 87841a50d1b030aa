#include "app/cli/table.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ostream>

#include "core/api/utf8.h"

namespace kinescope::cli {

void Table::print(std::ostream& out) const {
    std::vector<std::size_t> widths(rows_.front().size(), 0);
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], count_characters(row[i]));
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += row[i] + std::string(widths[i] - count_characters(row[i]) + 2, ' ');
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    }
}

std::string format_seconds(double seconds) {
    if (!(seconds > 0)) return "-";
    std::array<char, 32> text{};
    if (seconds < 120)
        std::snprintf(text.data(), text.size(), seconds < 0.1 ? "%.4f s" : "%.2f s", seconds);
    else
        std::snprintf(text.data(), text.size(), "%d:%02d min", static_cast<int>(seconds) / 60,
                      static_cast<int>(seconds) % 60);
    return text.data();
}

std::string format_number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g", value);
    return text.data();
}

}  // namespace kinescope::cli
