#include "core/base/memory_limits.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/api/byte_size.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

std::optional<std::int64_t> soft_limit(decltype(RLIMIT_AS) resource) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
    constexpr rlim_t kMost = std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(std::min(limit.rlim_cur, kMost));
}

}  // namespace

ProcessLimits read_process_limits() {
    return {.address_space = soft_limit(RLIMIT_AS),
            .data_segment = soft_limit(RLIMIT_DATA),
            .file_size = soft_limit(RLIMIT_FSIZE),
            .open_files = soft_limit(RLIMIT_NOFILE)};
}

bool is_near_process_limit(std::int64_t bytes) {
    std::array<char, 256> text{};
    const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const auto length = ::read(file, text.data(), text.size() - 1);
    ::close(file);
    if (length <= 0) return false;
    std::array<std::int64_t, 6> pages{};  // size, resident, shared, text, library, data and stack; see proc(5)
    const char* digit = text.data();
    for (std::int64_t& number : pages) {
        for (; *digit >= '0' && *digit <= '9'; ++digit) number = 10 * number + (*digit - '0');
        if (*digit == ' ') ++digit;
    }
    const ProcessLimits limits = read_process_limits();
    const auto is_near = [&](std::int64_t used, const std::optional<std::int64_t>& limit) {
        return limit && *limit - used * ::sysconf(_SC_PAGESIZE) < bytes;
    };
    return is_near(pages.front(), limits.address_space) || is_near(pages.back(), limits.data_segment);
}

std::optional<std::string> read_system_file(const fs::path& file) {
    std::ifstream stream(file);
    if (!stream) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

namespace {

std::optional<std::int64_t> parse_whole(std::string_view text) {
    const auto end = text.find_last_not_of(" \t\n");
    text = text.substr(0, end == text.npos ? 0 : end + 1);
    std::int64_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || rest != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

/// Parses a limit file of a control group. Returns nullopt for no limit: "max" in v2, or a number of pages near 2^63 in
/// v1.
std::optional<std::int64_t> parse_group_limit(const std::optional<std::string>& text) {
    constexpr std::int64_t kUnlimited = std::int64_t{1} << 60;
    const auto limit = text ? parse_whole(*text) : std::nullopt;
    return limit && *limit < kUnlimited ? limit : std::nullopt;
}

/// Returns the value after `wanted` in lines of the form "key value", or nullopt if there is no such line.
std::optional<std::int64_t> value_of(const std::optional<std::string>& text, std::string_view wanted) {
    if (!text) return std::nullopt;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string key;
        std::int64_t value = 0;
        if (words >> key >> value && key == wanted) return value;
    }
    return std::nullopt;
}

/// A limit on memory and how much of it is in use.
struct Bound {
    std::string code;
    std::string name;  ///< of the control group
    std::int64_t limit = 0;
    std::int64_t used = 0;

    std::int64_t left() const { return std::max<std::int64_t>(limit - used, 1); }
};

/// The files of the memory controller. It has its own hierarchy in cgroup v1; in v2, all controllers share one.
struct GroupFiles {
    fs::path mount;
    std::vector<const char*> limits;
    const char* used;
    std::vector<const char*> reclaimable;  ///< keys of memory.stat: file pages that the kernel drops on demand
};

const GroupFiles kVersion1 = {"/sys/fs/cgroup/memory",
                              {"memory.limit_in_bytes"},
                              "memory.usage_in_bytes",
                              {"total_inactive_file", "total_active_file"}};
const GroupFiles kVersion2 = {
    "/sys/fs/cgroup", {"memory.max", "memory.high"}, "memory.current", {"inactive_file", "active_file"}};

std::optional<Bound> read_group(const ReadText& read, const GroupFiles& files, const fs::path& group) {
    const fs::path folder = files.mount / group.relative_path();
    std::optional<std::int64_t> limit;
    for (const char* name : files.limits) {
        const auto one = parse_group_limit(read(folder / name));
        if (one && (!limit || *one < *limit)) limit = one;
    }
    if (!limit) return std::nullopt;
    const auto text = read(folder / files.used);
    const auto stat = read(folder / "memory.stat");
    std::int64_t used = text ? parse_whole(*text).value_or(0) : 0;
    for (const char* key : files.reclaimable) used -= value_of(stat, key).value_or(0);
    return Bound{"cgroup_limit", group.string(), *limit, std::max<std::int64_t>(used, 0)};
}

/// Adds the bounds of the group and its ancestors. Inside a container, the path may be that of the host: levels that do
/// not exist have no files, and the root of the mount is the container's own group.
void add_groups(const ReadText& read, const GroupFiles& files, const fs::path& group, std::vector<Bound>& bounds) {
    fs::path level = "/";
    for (const fs::path& part : group.lexically_normal().relative_path())
        if (part != "..") level /= part;
    for (;; level = level.parent_path()) {
        if (auto bound = read_group(read, files, level)) bounds.push_back(std::move(*bound));
        if (level == level.root_path()) return;
    }
}

bool has_memory_controller(const std::string& controllers) {
    std::istringstream words(controllers);
    for (std::string word; std::getline(words, word, ',');)
        if (word == "memory") return true;
    return false;
}

/// Parses lines of the form "hierarchy:controllers:path", see cgroups(7); v2 has hierarchy 0 and no controllers.
std::vector<Bound> group_bounds(const ReadText& read) {
    std::vector<Bound> bounds;
    std::istringstream lines(read("/proc/self/cgroup").value_or(""));
    for (std::string line; std::getline(lines, line);) {
        const auto first = line.find(':');
        const auto second = first == line.npos ? line.npos : line.find(':', first + 1);
        if (second == line.npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const fs::path group = line.substr(second + 1);
        if (line.starts_with("0:") && controllers.empty()) add_groups(read, kVersion2, group, bounds);
        if (has_memory_controller(controllers)) add_groups(read, kVersion1, group, bounds);
    }
    return bounds;
}

void add_process_bounds(const ReadText& read, const ProcessLimits& limits, std::vector<Bound>& bounds) {
    constexpr std::int64_t kKib = 1024;
    const auto status = read("/proc/self/status");
    if (limits.address_space)
        bounds.push_back(
            {"address_space_limit", {}, *limits.address_space, value_of(status, "VmSize:").value_or(0) * kKib});
    if (limits.data_segment)
        bounds.push_back(
            {"data_segment_limit", {}, *limits.data_segment, value_of(status, "VmData:").value_or(0) * kKib});
}

std::string text_of(const Bound& bound) {
    const std::string numbers =
        format_byte_size(bound.limit) + ", of which " + format_byte_size(bound.used) + " are in use";
    if (bound.code == "cgroup_limit") return "the control group " + bound.name + " is limited to " + numbers;
    if (bound.code == "address_space_limit") return "the address space is limited (ulimit -v) to " + numbers;
    return "the data segment is limited (ulimit -d) to " + numbers;
}

LocalizableMessage sentence_of(const Bound& bound) {
    LocalizableMessage sentence{
        .code = bound.code,
        .values = {{"limit", std::to_string(bound.limit)}, {"used", std::to_string(bound.used)}},
        .text = text_of(bound)};
    if (!bound.name.empty()) sentence.values["group"] = bound.name;
    return sentence;
}

}  // namespace

AvailableMemory available_memory(const ReadText& read, const ProcessLimits& limits) {
    constexpr std::int64_t kKib = 1024;
    const auto meminfo = read("/proc/meminfo");
    AvailableMemory memory{.total_bytes = value_of(meminfo, "MemTotal:").value_or(0) * kKib,
                           .free_bytes = value_of(meminfo, "MemAvailable:").value_or(0) * kKib,
                           .limit = {}};
    auto bounds = group_bounds(read);
    add_process_bounds(read, limits, bounds);
    for (const Bound& bound : bounds) {
        if (memory.total_bytes == 0 || bound.limit < memory.total_bytes) memory.total_bytes = bound.limit;
        if (memory.free_bytes != 0 && bound.left() >= memory.free_bytes) continue;
        memory.free_bytes = bound.left();
        memory.limit = sentence_of(bound);
    }
    return memory;
}

void ignore_file_size_signal() {
    std::signal(SIGXFSZ, SIG_IGN);
}

Error file_too_large(const fs::path& file) {
    std::map<std::string, std::string> arguments{{"path", file.string()}};
    const auto limit = read_process_limits().file_size;
    if (!limit) {
        arguments["file_system_limit"] = "true";
        return {ErrorCode::disk_full, file.string() + " is too large for its file system",
                "Choose a folder on another file system, or make a shorter or smaller video.", std::move(arguments)};
    }
    arguments["limit_bytes"] = std::to_string(*limit);
    return {ErrorCode::disk_full,
            file.string() + " is too large: files of this process are limited to " + format_byte_size(*limit) +
                " (ulimit -f)",
            "Raise the limit (ulimit -f), or make a shorter or smaller video.", std::move(arguments)};
}

}  // namespace kinescope
