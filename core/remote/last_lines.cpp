#include "core/remote/last_lines.h"

#include "core/base/printable.h"

namespace kinescope::remote {

namespace {

constexpr std::size_t kMostLines = 20;
constexpr std::size_t kLongestLine = 1000;

}  // namespace

void LastLines::add(std::string_view text) {
    const std::lock_guard lock(mutex_);
    for (const char character : text) {
        if (character == '\n')
            end_line();
        else if (character == '\r')
            continue;  // ssh ends each of its lines with \r\n
        else if (unfinished_.size() < kLongestLine)
            unfinished_ += character;
    }
}

void LastLines::end_line() {
    if (!unfinished_.empty()) lines_.push_back(printable(unfinished_));
    unfinished_.clear();
    if (lines_.size() > kMostLines) lines_.pop_front();
}

std::vector<std::string> LastLines::lines() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> lines(lines_.begin(), lines_.end());
    if (!unfinished_.empty()) lines.push_back(printable(unfinished_));
    return lines;
}

}  // namespace kinescope::remote
