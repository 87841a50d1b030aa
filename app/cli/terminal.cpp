#include "app/cli/terminal.h"

#include "core/base/printable.h"

#if defined(_WIN32)
#include <io.h>
#include <windows.h>

#include <cstdio>
#else
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/environment.h"
#endif

namespace kinescope::cli {

#if defined(_WIN32)

bool can_redraw_lines() {
    return _isatty(_fileno(stderr)) != 0;
}

int terminal_columns() {
    CONSOLE_SCREEN_BUFFER_INFO info;
    if (!GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &info)) return 80;
    return info.srWindow.Right - info.srWindow.Left + 1;
}

#else

bool can_redraw_lines() {
    return isatty(STDERR_FILENO) == 1 && environment_variable("TERM") != "dumb";
}

int terminal_columns() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

#endif

PrintableBuffer::int_type PrintableBuffer::overflow(int_type character) {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
    const char text = traits_type::to_char_type(character);
    return xsputn(&text, 1) == 1 ? character : traits_type::eof();
}

std::streamsize PrintableBuffer::xsputn(const char* text, std::streamsize count) {
    pending_.append(text, static_cast<std::size_t>(count));
    const auto last_break = pending_.rfind('\n');
    return last_break == std::string::npos || send(last_break + 1) ? count : 0;
}

int PrintableBuffer::sync() {
    return send(pending_.size()) && target_.flush() ? 0 : -1;
}

bool PrintableBuffer::send(std::size_t count) {
    target_ << printable(std::string_view(pending_).substr(0, count));
    pending_.erase(0, count);
    return target_.good();
}

}  // namespace kinescope::cli
