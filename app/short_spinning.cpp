// Between two parallel loops, the threads of libgomp spin for milliseconds. If other programs need the cores, the
// spinning threads take the time of the working ones, and a run becomes up to ten times slower. libgomp reads the limit
// from the environment when it is loaded, which is before main(), so this program sets it and starts itself again. This
// happens before the constructors of the libraries run, which takes most of the time to start.
#include <sys/auxv.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <string_view>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

/// About 10 microseconds. Loops that follow each other closely need no system call.
char limit[] = "GOMP_SPINCOUNT=1000";

/// Allocation is not possible yet.
std::array<char*, 4096> variables;
std::array<char, 4096> program;

bool is_chosen_by_user(std::string_view variable) {
    return variable.starts_with("GOMP_SPINCOUNT=") || variable.starts_with("OMP_WAIT_POLICY=");
}

/// Does nothing if the user has chosen a limit, or if it was set by this function.
void start_with_limit(int, char** arguments, char** environment) {
    if (::getauxval(AT_BASE) == 0)
        return;  // started as an argument of the dynamic loader: /proc/self/exe is the loader
    std::size_t count = 0;
    for (; environment[count] != nullptr; ++count) {
        if (is_chosen_by_user(environment[count]) || count + 2 >= variables.size()) return;
        variables[count] = environment[count];
    }
    const ssize_t length = ::readlink("/proc/self/exe", program.data(), program.size() - 1);
    if (length <= 0) return;
    variables[count] = limit;
    ::execve(program.data(), arguments, variables.data());
    // If it fails, the program runs with the usual limit.
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)(int, char**, char**) = start_with_limit;

}  // namespace

#endif
