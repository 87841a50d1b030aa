#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace kinescope::remote {

/// Keeps the last lines of a text that arrives in parts. Thread-safe.
class LastLines {
public:
    /// Lines are cut off at 1,000 bytes.
    void add(std::string_view text);
    /// The last 20 lines without control characters, oldest first, including an unfinished one.
    std::vector<std::string> lines() const;

private:
    void end_line();

    mutable std::mutex mutex_;
    std::deque<std::string> lines_;
    std::string unfinished_;
};

}  // namespace kinescope::remote
