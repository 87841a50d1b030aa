#include "core/remote/printable_lines.h"

#include <utility>

#include "core/base/printable.h"

namespace kinescope::remote {

std::string PrintableLines::add(std::string_view text) {
    constexpr std::size_t kLongestLine = std::size_t{1} << 16;
    std::string lines;
    for (const char character : text) {
        if (character == '\r') continue;  // ssh ends each of its lines with \r\n
        if (character != '\n') unfinished_ += character;
        if (character == '\n' || unfinished_.size() >= kLongestLine) lines += end_line();
    }
    return lines;
}

std::string PrintableLines::finish() {
    return unfinished_.empty() ? std::string() : end_line();
}

std::string PrintableLines::end_line() {
    return printable(std::exchange(unfinished_, {})) + "\n";
}

}  // namespace kinescope::remote
