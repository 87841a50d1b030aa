#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace kinescope::cli {

/// Rows of text in aligned columns, two spaces between them; the first row is the heading.
class Table {
public:
    explicit Table(std::vector<std::string> heading) : rows_{std::move(heading)} {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    void print(std::ostream& out) const;

private:
    std::vector<std::vector<std::string>> rows_;
};

/// "12.3 s", "4:05 min"; "-" for 0, which means unknown.
std::string format_seconds(double seconds);
/// Four significant digits.
std::string format_number(double value);
/// "a, b, c"
std::string join(const std::vector<std::string>& words);

}  // namespace kinescope::cli
