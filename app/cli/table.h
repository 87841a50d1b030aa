#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace kinescope::cli {

/// Prints rows of text in aligned columns, separated by two spaces. The first row is the heading.
class Table {
public:
    explicit Table(std::vector<std::string> heading) : rows_{std::move(heading)} {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    void print(std::ostream& out) const;

private:
    std::vector<std::vector<std::string>> rows_;
};

/// Returns e.g. "12.3 s" or "4:05 min", or "-" for 0, which means unknown.
std::string format_seconds(double seconds);
/// Returns the value with four significant digits.
std::string format_number(double value);

}  // namespace kinescope::cli
