#include <ATen/ATen.h>
#include <c10/core/CPUAllocator.h>

#include <QTest>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "core/device/block_reuse.h"
#include "core/device/tensor.h"

using namespace kinescope;

namespace {

constexpr std::int64_t kMiB = 1 << 20;

Tensor bytes(std::int64_t size) {
    return at::empty({size}, at::kByte);
}

/// Returns the kernel's flags of the memory mapping that contains `data`, or an empty string if they are unavailable.
/// "hg" means that large pages are preferred.
std::string flags_of_mapping(const void* data) {
    std::ifstream maps("/proc/self/smaps");
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    bool is_inside = false;
    for (std::string line; std::getline(maps, line);) {
        std::uintptr_t begin = 0, end = 0;
        char dash = 0;
        if (std::istringstream words(line); words >> std::hex >> begin >> dash >> end && dash == '-')
            is_inside = begin <= address && address < end;
        else if (is_inside && line.starts_with("VmFlags:"))
            return line + " ";
    }
    return {};
}

}  // namespace

class TestBlockReuse : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_next_tensor_of_that_size_reuses_the_block() {
        const BlockReuse reuse(BlockReuse::Surplus::half);
        auto first = bytes(4 * kMiB);
        const void* const place = first.const_data_ptr();
        first = Tensor();
        QCOMPARE(reuse.idle(), std::size_t{4 * kMiB});
        const auto second = bytes(4 * kMiB - 100);
        QCOMPARE(second.const_data_ptr(), place);
        QCOMPARE(reuse.idle(), std::size_t{0});
    }

    void large_blocks_are_not_reused_for_much_smaller_tensors() {
        const BlockReuse reuse(BlockReuse::Surplus::half);
        const auto held = bytes(12 * kMiB);
        bytes(4 * kMiB);
        const auto small = bytes(3 * kMiB);
        QCOMPARE(reuse.idle(), std::size_t{4 * kMiB});
    }

    void small_blocks_are_not_kept() {
        const BlockReuse reuse(BlockReuse::Surplus::half);
        bytes(kMiB - 1);
        QCOMPARE(reuse.idle(), std::size_t{0});
    }

    void idle_blocks_stay_below_half_of_the_peak_usage() {
        const BlockReuse reuse(BlockReuse::Surplus::half);
        for (std::int64_t size = 1; size <= 16; ++size) bytes(size * kMiB);
        const auto most = static_cast<std::size_t>(16 * kMiB);
        QVERIFY2(reuse.idle() <= most + most / 2, qPrintable(QString::number(reuse.idle())));
        QVERIFY(reuse.idle() > 0);
    }

    void without_a_surplus_idle_blocks_are_released_first() {
        const BlockReuse reuse(BlockReuse::Surplus::none);
        bytes(8 * kMiB);
        QCOMPARE(reuse.idle(), std::size_t{8 * kMiB});
        auto half = bytes(4 * kMiB);
        QCOMPARE(reuse.idle(), std::size_t{0});
        half = Tensor();
        bytes(2 * kMiB);
        QCOMPARE(reuse.idle(), std::size_t{6 * kMiB});
    }

    /// oneDNN allocates temporary memory during a convolution of this kind.
    void memory_without_a_tensor_is_reused_too() {
        const BlockReuse reuse(BlockReuse::Surplus::half);
        auto* const allocator = c10::GetCPUAllocator();
        void* const first = allocator->raw_allocate(2 * kMiB);
        allocator->raw_deallocate(first);
        void* const second = allocator->raw_allocate(2 * kMiB);
        QCOMPARE(second, first);
        allocator->raw_deallocate(second);
    }

    void reused_blocks_have_large_pages_data() {
        QTest::addColumn<BlockReuse::Surplus>("surplus");
        QTest::addColumn<bool>("are_large");
        QTest::newRow("in a step") << BlockReuse::Surplus::half << true;
        QTest::newRow("while decoding") << BlockReuse::Surplus::none << false;
    }

    void reused_blocks_have_large_pages() {
        QFETCH(BlockReuse::Surplus, surplus);
        QFETCH(bool, are_large);
        const BlockReuse reuse(surplus);
        const auto block = bytes(64 * kMiB);
        const auto flags = flags_of_mapping(block.const_data_ptr<std::uint8_t>() + 32 * kMiB);
        if (flags.empty() || !std::filesystem::exists("/sys/kernel/mm/transparent_hugepage"))
            QSKIP("large pages are unavailable or not reported");
        QCOMPARE(flags.find(" hg ") != std::string::npos, are_large);
    }

    void tensors_may_outlive_the_block_reuse() {
        auto reuse = std::make_unique<BlockReuse>(BlockReuse::Surplus::half);
        auto kept = at::ones({kMiB}, at::kFloat);
        const auto idle = bytes(2 * kMiB);
        reuse.reset();
        QCOMPARE(kept.sum().item<float>(), float(kMiB));
        kept.resize_({4 * kMiB});
        kept = Tensor();
        const BlockReuse next(BlockReuse::Surplus::half);
        QCOMPARE(next.idle(), std::size_t{0});
        bytes(2 * kMiB);
        QCOMPARE(next.idle(), std::size_t{2 * kMiB});
    }
};

QTEST_GUILESS_MAIN(TestBlockReuse)
#include "test_block_reuse.moc"
