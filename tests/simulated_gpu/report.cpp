#include "tests/simulated_gpu/report.h"

#include <execinfo.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>

#include "tests/simulated_gpu/device_memory.h"
#include "tests/simulated_gpu/launches.h"
#include "tests/simulated_gpu/settings.h"

namespace simulated_gpu {

namespace {

std::FILE* open_log() {
    const char* name = setting("SIMULATED_GPU_LOG", "");
    std::FILE* file = *name == '\0' ? stderr : std::fopen(name, "a");
    if (file == nullptr) file = stderr;
    std::setvbuf(file, nullptr, _IOLBF, 0);
    return file;
}

std::FILE* log_file() {
    static std::FILE* file = open_log();
    return file;
}

struct Sum {
    long calls = 0;
    double bytes = 0;
};

void write_sums();

/// Totals of the process. Written when the process ends.
class Sums {
public:
    Sums() { std::at_quick_exit(write_sums); }
    ~Sums() { write(); }
    void write() {
        std::fprintf(log_file(), "=== ops\n");
        for (const auto& [name, sum] : sums_)
            std::fprintf(log_file(), "%8ld %12.3f MB  %s\n", sum.calls, sum.bytes / 1e6, name.c_str());
        std::fprintf(log_file(), "launches %ld\n", static_cast<long>(launches()));
        for (int device = 0; device < device_count(); ++device)
            std::fprintf(log_file(), "peak %.1f MB on cuda:%d\n", static_cast<double>(peak_bytes(device)) / 1e6,
                         device);
        std::fflush(log_file());
    }
    void add(const std::string& name, double bytes) {
        const std::lock_guard lock(mutex_);
        Sum& sum = sums_[name];
        ++sum.calls;
        sum.bytes += bytes;
        constexpr double kLaunch = 3e-6, kBytesPerSecond = 2e12;
        if (!name.starts_with("event.")) seconds_ += kLaunch + bytes / kBytesPerSecond;
    }
    void spend(double seconds) {
        const std::lock_guard lock(mutex_);
        seconds_ += seconds;
    }
    double seconds() {
        const std::lock_guard lock(mutex_);
        return seconds_;
    }

private:
    std::mutex mutex_;
    std::map<std::string, Sum> sums_;
    double seconds_ = 0;
};

Sums sums;

void write_sums() {
    sums.write();
}

/// Returns the program's stack frames as addresses for addr2line, because backtrace_symbols() finds no symbols.
std::string program_frames() {
    std::array<void*, 48> frames{};
    const int depth = backtrace(frames.data(), static_cast<int>(frames.size()));
    char** names = backtrace_symbols(frames.data(), depth);
    std::string text;
    for (int i = 0; i < depth; ++i) {
        const std::string name = names[i];
        const auto begin = name.find("(+");
        if (name.find(".so") != std::string::npos || begin == std::string::npos) continue;
        text += " " + name.substr(begin + 2, name.find(')', begin) - begin - 2);
    }
    std::free(names);
    return text;
}

}  // namespace

void say(const std::string& kind, const std::string& words) {
    std::fprintf(log_file(), "%s %s\n", kind.c_str(), words.c_str());
}

void report_fault(const std::string& kind, const std::string& words) {
    say(kind, words);
    trace(kind);
}

void trace(const std::string& what) {
    static const bool is_on = *setting("SIMULATED_GPU_TRACE", "") != '\0';
    static std::mutex mutex;
    static std::set<std::string> seen;
    if (!is_on) return;
    const std::string key = what + program_frames();
    const std::lock_guard lock(mutex);
    if (seen.insert(key).second) say("TRACE", key);
}

void count(const std::string& name, double bytes) {
    sums.add(name, bytes);
}

double card_seconds() {
    return sums.seconds();
}

void spend(double seconds) {
    sums.spend(seconds);
}

}  // namespace simulated_gpu
