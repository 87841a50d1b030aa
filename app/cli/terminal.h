#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace kinescope::cli {

/// Returns true if standard error is a terminal that can write over a line. One with TERM=dumb, as in Emacs, cannot.
bool can_redraw_lines();

/// Filters text with printable(). Writes each line as soon as it is complete, and the rest when flushed.
class PrintableBuffer final : public std::streambuf {
public:
    explicit PrintableBuffer(std::ostream& target) : target_(target) {}

private:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;
    int sync() override;
    bool send(std::size_t count);

    std::ostream& target_;
    std::string pending_;
};

/// A stream that filters its text with a PrintableBuffer. It fails if the target stream fails.
class PrintableStream final : public std::ostream {
public:
    explicit PrintableStream(std::ostream& target) : std::ostream(nullptr), buffer_(target) { rdbuf(&buffer_); }
    ~PrintableStream() override { flush(); }

private:
    PrintableBuffer buffer_;
};

/// Returns the width of the terminal at stderr in characters, or 80 if it is unknown.
int terminal_columns();

}  // namespace kinescope::cli
