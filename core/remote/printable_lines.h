#pragma once

#include <string>
#include <string_view>

namespace kinescope::remote {

/// Splits text of another program, which arrives in parts, into lines without characters that control a terminal.
class PrintableLines {
public:
    /// Returns the lines that are complete now, each with a line feed. A line without end is broken after 64 KiB.
    std::string add(std::string_view text);
    /// Returns what is left: an unfinished line with a line feed, or an empty text.
    std::string finish();

private:
    std::string end_line();

    std::string unfinished_;
};

}  // namespace kinescope::remote
