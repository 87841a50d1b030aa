
#include <QTemporaryDir>
#include <QTest>
#include <map>

#include "core/base/atomic_file.h"
#include "core/base/memory_limits.h"
#include "tests/support/small_disk.h"

using namespace kinescope;

namespace {

using Files = std::map<std::string, std::string>;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kGiB = std::int64_t{1} << 30;

const std::string kMeminfo = "MemTotal:       16777216 kB\nMemFree:         1048576 kB\nMemAvailable:    8388608 kB\n";
const std::string kStatus = "Name:\tkinescope\nVmPeak:\t 4194304 kB\nVmSize:\t 2097152 kB\nVmData:\t 1048576 kB\n";
const std::string kV1Unlimited = "9223372036854771712\n";

/// Returns the available memory with the given control group files on a machine where 8 of 16 GiB are free.
AvailableMemory available(Files files, const ProcessLimits& limits = {}) {
    files.emplace("/proc/meminfo", kMeminfo);
    files.emplace("/proc/self/status", kStatus);
    return available_memory(
        [&](const std::filesystem::path& file) -> std::optional<std::string> {
            const auto found = files.find(file.string());
            return found == files.end() ? std::nullopt : std::optional(found->second);
        },
        limits);
}

struct GroupRow {
    const char* name;
    Files files;
    std::int64_t total;
    std::int64_t free;
    std::string group;  ///< the limiting group; empty: no group limits the memory
};

const std::string kV2 = "/sys/fs/cgroup";
const std::string kV1 = "/sys/fs/cgroup/memory";

std::vector<GroupRow> group_rows() {
    return {
        {"no control groups", {}, 16 * kGiB, 8 * kGiB, ""},
        {"v2, unlimited",
         {{"/proc/self/cgroup", "0::/user.slice/run\n"},
          {kV2 + "/user.slice/run/memory.max", "max\n"},
          {kV2 + "/user.slice/run/memory.current", "1048576\n"}},
         16 * kGiB,
         8 * kGiB,
         ""},
        {"v2, the group's own limit",
         {{"/proc/self/cgroup", "0::/user.slice/run\n"},
          {kV2 + "/user.slice/run/memory.max", "4294967296\n"},
          {kV2 + "/user.slice/run/memory.current", "1073741824\n"}},
         4 * kGiB,
         3 * kGiB,
         "/user.slice/run"},
        {"v2, cached files can be dropped",
         {{"/proc/self/cgroup", "0::/run\n"},
          {kV2 + "/run/memory.max", "4294967296\n"},
          {kV2 + "/run/memory.current", "3221225472\n"},
          {kV2 + "/run/memory.stat",
           "anon 1073741824\nfile 2147483648\ninactive_file 1073741824\nactive_file 536870912\n"}},
         4 * kGiB,
         2 * kGiB + 512 * kMiB,
         "/run"},
        {"v2, a grandparent has the lowest limit",
         {{"/proc/self/cgroup", "0::/a/b/c\n"},
          {kV2 + "/a/b/c/memory.max", "8589934592\n"},
          {kV2 + "/a/b/c/memory.current", "0\n"},
          {kV2 + "/a/b/memory.max", "max\n"},
          {kV2 + "/a/memory.max", "2147483648\n"},
          {kV2 + "/a/memory.current", "1610612736\n"}},
         2 * kGiB,
         512 * kMiB,
         "/a"},
        {"v2, memory.high is below memory.max",
         {{"/proc/self/cgroup", "0::/run\n"},
          {kV2 + "/run/memory.max", "4294967296\n"},
          {kV2 + "/run/memory.high", "2147483648\n"},
          {kV2 + "/run/memory.current", "0\n"}},
         2 * kGiB,
         2 * kGiB,
         "/run"},
        {"v2, a limit above what the computer has",
         {{"/proc/self/cgroup", "0::/run\n"},
          {kV2 + "/run/memory.max", "1099511627776\n"},
          {kV2 + "/run/memory.current", "0\n"}},
         16 * kGiB,
         8 * kGiB,
         ""},
        {"v2, the group is the root of the container",
         {{"/proc/self/cgroup", "0::/\n"}, {kV2 + "/memory.max", "1073741824\n"}, {kV2 + "/memory.current", "0\n"}},
         1 * kGiB,
         1 * kGiB,
         "/"},
        {"v2, a path outside of the namespace stays below the mount",
         {{"/proc/self/cgroup", "0::/../../run\n"},
          {kV2 + "/run/memory.max", "1073741824\n"},
          {kV2 + "/run/memory.current", "0\n"}},
         1 * kGiB,
         1 * kGiB,
         "/run"},
        {"v2, more used than allowed",
         {{"/proc/self/cgroup", "0::/run\n"},
          {kV2 + "/run/memory.max", "1073741824\n"},
          {kV2 + "/run/memory.current", "1073745920\n"}},
         1 * kGiB,
         1,
         "/run"},
        {"v1",
         {{"/proc/self/cgroup", "12:cpu,cpuacct:/x\n5:memory:/docker/abc\n0::/system.slice\n"},
          {kV1 + "/docker/abc/memory.limit_in_bytes", "3221225472\n"},
          {kV1 + "/docker/abc/memory.usage_in_bytes", "2147483648\n"},
          {kV1 + "/docker/abc/memory.stat", "cache 5\ntotal_inactive_file 1073741824\ntotal_active_file 0\n"}},
         3 * kGiB,
         2 * kGiB,
         "/docker/abc"},
        {"v1, limited by its parent",
         {{"/proc/self/cgroup", "5:hugetlb,memory:/docker/abc\n"},
          {kV1 + "/docker/abc/memory.limit_in_bytes", kV1Unlimited},
          {kV1 + "/docker/memory.limit_in_bytes", "2147483648\n"},
          {kV1 + "/docker/memory.usage_in_bytes", "0\n"}},
         2 * kGiB,
         2 * kGiB,
         "/docker"},
        {"v1, the path in a container is that of the host",
         {{"/proc/self/cgroup", "5:memory:/docker/abc\n"},
          {kV1 + "/memory.limit_in_bytes", "2147483648\n"},
          {kV1 + "/memory.usage_in_bytes", "1073741824\n"}},
         2 * kGiB,
         1 * kGiB,
         "/"},
        {"invalid content is ignored",
         {{"/proc/self/cgroup", "what\n0::/run\n7:memory\n"},
          {kV2 + "/run/memory.max", "-5\n"},
          {kV2 + "/run/memory.current", "many\n"}},
         16 * kGiB,
         8 * kGiB,
         ""},
    };
}

struct LimitRow {
    const char* name;
    ProcessLimits limits;
    std::int64_t free;
    std::string code;
};

/// Process limits if 2 GiB of address space and 1 GiB of data are in use.
std::vector<LimitRow> limit_rows() {
    return {
        {"no limit", {}, 8 * kGiB, ""},
        {"address space", {.address_space = 3 * kGiB}, 1 * kGiB, "address_space_limit"},
        {"data segment", {.data_segment = 3 * kGiB}, 2 * kGiB, "data_segment_limit"},
        {"both", {.address_space = 6 * kGiB, .data_segment = 2 * kGiB}, 1 * kGiB, "data_segment_limit"},
        {"limits above the free memory", {.address_space = 100 * kGiB, .data_segment = 100 * kGiB}, 8 * kGiB, ""},
        {"limits of files are ignored", {.file_size = 1, .open_files = 3}, 8 * kGiB, ""},
    };
}

}  // namespace

class TestMemoryLimits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_tightest_control_group_counts_data() {
        QTest::addColumn<std::size_t>("row");
        const auto rows = group_rows();
        for (std::size_t i = 0; i < rows.size(); ++i) QTest::newRow(rows[i].name) << i;
    }

    void the_tightest_control_group_counts() {
        QFETCH(std::size_t, row);
        const GroupRow expected = group_rows()[row];
        const AvailableMemory memory = available(expected.files);
        QCOMPARE(memory.free_bytes, expected.free);
        QCOMPARE(memory.total_bytes, expected.total);
        QCOMPARE(memory.limit.empty(), expected.group.empty());
        if (expected.group.empty()) return;
        QCOMPARE(memory.limit.code, std::string("cgroup_limit"));
        QCOMPARE(memory.limit.values.at("group"), expected.group);
        QVERIFY(memory.limit.text.find("control group " + expected.group) != std::string::npos);
    }

    void process_limits_count_data() {
        QTest::addColumn<std::size_t>("row");
        const auto rows = limit_rows();
        for (std::size_t i = 0; i < rows.size(); ++i) QTest::newRow(rows[i].name) << i;
    }

    void process_limits_count() {
        QFETCH(std::size_t, row);
        const LimitRow expected = limit_rows()[row];
        const AvailableMemory memory = available({}, expected.limits);
        QCOMPARE(memory.free_bytes, expected.free);
        QCOMPARE(memory.limit.code, expected.code);
    }

    void without_proc_nothing_is_known() {
        const auto nothing = [](const std::filesystem::path&) { return std::optional<std::string>(); };
        QCOMPARE(available_memory(nothing, {}).free_bytes, std::int64_t{0});
        QCOMPARE(available_memory(nothing, {.address_space = kGiB}).free_bytes, kGiB);
    }

    void this_machine_has_memory() {
        const AvailableMemory memory = available_memory(read_system_file, read_process_limits());
        QVERIFY(memory.free_bytes > 0 && memory.free_bytes <= memory.total_bytes);
    }

    void a_file_beyond_the_limit_is_an_error_that_names_both() {
        const QTemporaryDir folder;
        const std::string file = folder.filePath("large").toStdString();
        ignore_file_size_signal();
        const kinescope::testing::SmallDisk disk(4096);
        try {
            write_file_atomically(file, std::string(8192, 'x'));
            QFAIL("the write must fail");
        } catch (const Error& error) {
            QVERIFY(error.code() == ErrorCode::disk_full);
            QVERIFY(error.message().find(file) != std::string::npos);
            QVERIFY(error.message().find("4.0 KiB (ulimit -f)") != std::string::npos);
            QCOMPARE(error.arguments().at("limit_bytes"), std::string("4096"));
        }
    }
};

QTEST_GUILESS_MAIN(TestMemoryLimits)
#include "test_memory_limits.moc"
