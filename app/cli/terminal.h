#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace kinescope::cli {

bool stderr_is_terminal();

/// Passes text through printable() to another stream: whole lines at once, the rest with a flush.
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

/// A stream over such a buffer; a write that the other stream refuses makes this one fail, too.
class PrintableStream final : public std::ostream {
public:
    explicit PrintableStream(std::ostream& target) : std::ostream(nullptr), buffer_(target) { rdbuf(&buffer_); }
    ~PrintableStream() override { flush(); }

private:
    PrintableBuffer buffer_;
};

/// Width of the terminal behind stderr; 80 when it is not known.
int terminal_columns();

}  // namespace kinescope::cli
