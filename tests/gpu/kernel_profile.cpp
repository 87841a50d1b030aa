// Measures with CUPTI how long each kernel and each kind of copy of a program takes on a CUDA device. The driver loads
// this library into the program:
//
//   CUDA_INJECTION64_PATH=libkernel_profile.so KERNEL_PROFILE=table.tsv PROGRAM...
//
// Each line of the table contains the sum in microseconds, the number of launches and the name. The largest sum is
// first.
#include <cupti.h>
#include <cxxabi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

struct Total {
    double microseconds = 0;
    std::uint64_t count = 0;
};

struct Profile {
    std::mutex mutex;  // CUPTI calls complete_buffer on its own thread
    std::map<std::string, Total> totals;
    std::uint64_t begin = UINT64_MAX, end = 0;  // nanoseconds
    std::size_t dropped = 0;

    void add(const std::string& name, std::uint64_t from, std::uint64_t to) {
        Total& total = totals[name];
        total.microseconds += static_cast<double>(to - from) / 1e3;
        ++total.count;
        begin = std::min(begin, from);
        end = std::max(end, to);
    }
};

// CUPTI passes no user data to its callbacks. The object is never destroyed, because a callback may run at exit.
Profile& profile() {
    static auto* const instance = new Profile;
    return *instance;
}

std::string demangle(const char* name) {
    int status = 0;
    char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    std::string result = status == 0 ? text : name;
    std::free(text);
    return result.substr(0, 220);
}

const char* direction_of(std::uint8_t kind) {
    switch (kind) {
        case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
            return "copy from host to device";
        case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
            return "copy from device to host";
        default:
            return "copy on the device";
    }
}

void add_record(const CUpti_Activity* record) {
    switch (record->kind) {
        case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
            const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel10*>(record);
            return profile().add(demangle(kernel->name), kernel->start, kernel->end);
        }
        case CUPTI_ACTIVITY_KIND_MEMCPY: {
            const auto* copy = reinterpret_cast<const CUpti_ActivityMemcpy6*>(record);
            return profile().add(direction_of(copy->copyKind), copy->start, copy->end);
        }
        case CUPTI_ACTIVITY_KIND_MEMSET: {
            const auto* fill = reinterpret_cast<const CUpti_ActivityMemset4*>(record);
            return profile().add("fill", fill->start, fill->end);
        }
        default:
            break;
    }
}

void CUPTIAPI request_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
    *size = std::size_t{8} << 20;
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
    *most_records = 0;  // as many as fit
}

void CUPTIAPI complete_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t,
                              std::size_t valid) {
    const std::lock_guard lock(profile().mutex);
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) add_record(record);
    std::size_t dropped = 0;
    if (cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS) profile().dropped += dropped;
    std::free(buffer);
}

void write_table() {
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    const std::lock_guard lock(profile().mutex);
    if (profile().totals.empty()) return;
    std::vector<std::pair<std::string, Total>> rows(profile().totals.begin(), profile().totals.end());
    std::ranges::sort(rows, std::greater{}, [](const auto& row) { return row.second.microseconds; });
    const char* path = std::getenv("KERNEL_PROFILE");
    std::FILE* file = std::fopen(path != nullptr ? path : "kernel_profile.tsv", "w");
    if (file == nullptr) return;
    double sum = 0;
    for (const auto& [name, total] : rows) sum += total.microseconds;
    std::fprintf(file, "%.0f\t-\tall; from the first to the last: %.0f; lost records: %zu\n", sum,
                 static_cast<double>(profile().end - profile().begin) / 1e3, profile().dropped);
    for (const auto& [name, total] : rows)
        std::fprintf(file, "%.0f\t%llu\t%s\n", total.microseconds, static_cast<unsigned long long>(total.count),
                     name.c_str());
    std::fclose(file);
}

}  // namespace

/// The driver calls this function when the program initializes CUDA.
extern "C" int InitializeInjection() {
    bool is_ready = cuptiActivityRegisterCallbacks(request_buffer, complete_buffer) == CUPTI_SUCCESS;
    for (const auto kind :
         {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET})
        is_ready = is_ready && cuptiActivityEnable(kind) == CUPTI_SUCCESS;
    if (!is_ready) std::fputs("kernel_profile: CUPTI cannot record the kernels of this program\n", stderr);
    std::atexit(write_table);
    return 1;
}
