// Between two parallel loops, the threads of libgomp spin for milliseconds. If other programs need the cores, the
// spinning threads take the time of the working ones, and a run becomes up to ten times slower. libgomp reads the limit
// from the environment in a constructor, which runs before main(). The environment cannot grow that early, so the limit
// replaces a variable that no library reads, until all constructors have run. If there is none, this program sets the
// limit and starts itself again, which costs the time to load all libraries a second time.
#include <sys/auxv.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <string_view>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

/// The number of iterations that an idle thread spins, about 10 microseconds. That is long enough for loops that follow
/// each other closely.
char limit[] = "GOMP_SPINCOUNT=1000";

/// Buffers for set_limit(). It cannot allocate memory, because it runs before the constructors of the libraries.
std::array<char*, 4096> variables;
std::array<char, 4096> program;

/// The variable that the limit replaces.
struct Replaced {
    char** place = nullptr;
    char* value = nullptr;
};
Replaced replaced;

bool is_chosen_by_user(std::string_view variable) {
    return variable.starts_with("GOMP_SPINCOUNT=") || variable.starts_with("OMP_WAIT_POLICY=");
}

/// Returns true for variables of shells and service managers that no library reads in a constructor.
bool is_replaceable(std::string_view variable) {
    for (const std::string_view name : {"_=", "SHLVL=", "OLDPWD=", "LS_COLORS=", "LESSOPEN=", "LESSCLOSE=", "MAIL=",
                                        "COLORTERM=", "INVOCATION_ID=", "JOURNAL_STREAM=", "WINDOWID="})
        if (variable.starts_with(name)) return true;
    return false;
}

void start_again_with_limit(char** arguments, std::size_t count) {
    if (::getauxval(AT_BASE) == 0)
        return;  // the program was started through the dynamic loader, so /proc/self/exe is the loader
    const ssize_t length = ::readlink("/proc/self/exe", program.data(), program.size() - 1);
    if (length <= 0) return;
    variables[count] = limit;
    ::execve(program.data(), arguments, variables.data());
    // If execve() returns, it has failed, and the program runs without the limit.
}

/// Sets the limit, unless the user has chosen one.
void set_limit(int, char** arguments, char** environment) {
    std::size_t count = 0;
    for (; environment[count] != nullptr; ++count) {
        if (is_chosen_by_user(environment[count]) || count + 2 >= variables.size()) return;
        if (is_replaceable(environment[count])) replaced = {&environment[count], environment[count]};
        variables[count] = environment[count];
    }
    if (replaced.place == nullptr) return start_again_with_limit(arguments, count);
    *replaced.place = limit;
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)(int, char**, char**) = set_limit;

/// Restores the replaced variable. Runs after the constructors of the libraries, because the program's own come last.
[[gnu::constructor(101)]] void restore_variable() {
    if (replaced.place != nullptr) *replaced.place = replaced.value;
}

}  // namespace

#endif
