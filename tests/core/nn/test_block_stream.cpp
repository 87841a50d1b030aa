#include <ATen/ATen.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "core/api/error.h"
#include "core/base/mapped_file.h"
#include "core/nn/block_stream.h"
#include "core/nn/linear.h"
#include "core/weights/formats/safetensors_writer.h"
#include "tests/support/golden.h"

using namespace kinescope;

namespace {

constexpr std::int64_t kBlocks = 5;
constexpr std::int64_t kDim = 32;

using Tensors = std::map<std::string, Tensor>;

Tensors random_weights() {
    at::manual_seed(3);
    Tensors tensors;
    for (std::int64_t i = 0; i < kBlocks; ++i) {
        const auto name = "blocks." + std::to_string(i) + ".";
        tensors[name + "weight"] = at::randn({kDim, kDim}).to(at::kBFloat16);
        tensors[name + "bias"] = at::randn({kDim}).to(at::kBFloat16);
    }
    return tensors;
}

std::shared_ptr<WeightStore> store_of(const QTemporaryDir& folder, const Tensors& tensors) {
    const std::filesystem::path file = folder.filePath("weights.safetensors").toStdString();
    write_safetensors(file, tensors);
    return std::make_shared<WeightStore>(open_checkpoint(file));
}

/// Counts the threads that read at the same time. Each read takes some time.
class OneAtATime final : public CheckpointReader {
public:
    void add(const std::string& name, const Tensor& tensor) { tensors_.add(name, tensor); }
    void watch() { is_watching_ = true; }
    int most_at_once() const { return most_; }

    const std::vector<TensorEntry>& entries() const override { return tensors_.entries(); }
    const std::map<std::string, std::string>& metadata() const override { return tensors_.metadata(); }
    const std::vector<std::filesystem::path>& files() const override { return tensors_.files(); }
    Tensor read(const std::string& name) const override {
        if (!is_watching_) return tensors_.read(name);
        const int inside = ++inside_;
        most_ = std::max(most_.load(), inside);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        --inside_;
        return tensors_.read(name);
    }

private:
    testing::MemoryCheckpoint tensors_;
    bool is_watching_ = false;
    mutable std::atomic<int> inside_ = 0, most_ = 0;
};

/// Counts how often each tensor is read.
class CountedReads final : public CheckpointReader {
public:
    explicit CountedReads(const Tensors& tensors) {
        for (const auto& [name, tensor] : tensors) tensors_.add(name, tensor);
    }
    int of(const std::string& name) const {
        const std::lock_guard lock(mutex_);
        const auto found = counts_.find(name);
        return found == counts_.end() ? 0 : found->second;
    }

    const std::vector<TensorEntry>& entries() const override { return tensors_.entries(); }
    const std::map<std::string, std::string>& metadata() const override { return tensors_.metadata(); }
    const std::vector<std::filesystem::path>& files() const override { return tensors_.files(); }
    Tensor read(const std::string& name) const override {
        const std::lock_guard lock(mutex_);
        ++counts_[name];
        return tensors_.read(name);
    }

private:
    testing::MemoryCheckpoint tensors_;
    mutable std::mutex mutex_;
    mutable std::map<std::string, int> counts_;
};

/// Writes a file and drops it from the memory, as far as its file system supports that.
std::filesystem::path file_on_disk(const QTemporaryDir& folder, std::size_t bytes) {
    const std::filesystem::path file = folder.filePath("on_disk.bin").toStdString();
    std::ofstream(file, std::ios::binary) << std::string(bytes, 'k');
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    ::fsync(descriptor);
    ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    ::close(descriptor);
    return file;
}

/// Returns the number of pages of a mapping that are in memory.
std::int64_t pages_in_memory(std::span<const std::byte> mapping) {
    std::vector<unsigned char> states(mapping.size() / static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
    ::mincore(const_cast<std::byte*>(mapping.data()), mapping.size(), states.data());
    return std::ranges::count_if(states, [](unsigned char state) { return (state & 1) != 0; });
}

using Stream = BlockStream<Linear>;

std::unique_ptr<Stream> stream_of(WeightStore& store, int resident_blocks, Dtype storage = at::kFloat) {
    const WeightScope scope(store);
    const Precision precision{.storage = storage, .resident_blocks = resident_blocks};
    return std::make_unique<Stream>(scope, precision, kBlocks, [=](std::int64_t i) {
        return Linear(scope / "blocks" / i, {.in = kDim, .out = kDim}, precision);
    });
}

Tensor run(Stream& stream, const Tensor& x) {
    auto y = x;
    for (std::size_t i = 0; i < stream.size(); ++i) y = at::tanh(stream[i](y));
    return y;
}

}  // namespace

class TestBlockStream : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private Q_SLOTS:
    void streamed_blocks_are_bit_identical_data() {
        QTest::addColumn<int>("resident");
        QTest::addColumn<bool>("as_stored");
        for (const int resident : {0, 2, 4, 5}) {
            QTest::addRow("%d stay, float32", resident) << resident << false;
            QTest::addRow("%d stay, as stored", resident) << resident << true;
        }
    }
    void streamed_blocks_are_bit_identical() {
        QFETCH(int, resident);
        QFETCH(bool, as_stored);
        const auto store = store_of(folder_, random_weights());
        const auto whole = stream_of(*store, kAllBlocks);
        const auto streamed = stream_of(*store, resident, as_stored ? at::kBFloat16 : at::kFloat);
        store->finish();
        const auto x = at::randn({3, kDim});
        const auto expected = run(*whole, x);
        for (int pass = 0; pass < 3; ++pass) QVERIFY(at::equal(run(*streamed, x), expected));
    }

    void blocks_can_be_requested_in_any_order() {
        const auto store = store_of(folder_, random_weights());
        const auto whole = stream_of(*store, kAllBlocks);
        const auto streamed = stream_of(*store, 0);
        const auto x = at::randn({3, kDim});
        for (const std::size_t index : {0, 1, 0, 4, 4, 2, 0})
            QVERIFY(at::equal((*streamed)[index](x), (*whole)[index](x)));
    }

    /// Reproduces the two streams of an SVD UNet: each loads its first block again while the other one runs.
    void two_streams_share_one_store() {
        const auto checkpoint = std::make_shared<OneAtATime>();
        for (const auto& [name, tensor] : random_weights()) checkpoint->add(name, tensor);
        const auto store = std::make_shared<WeightStore>(checkpoint);
        const auto down = stream_of(*store, 0), up = stream_of(*store, 0);
        store->finish();
        checkpoint->watch();
        const auto x = at::randn({3, kDim});
        const auto expected = run(*up, run(*down, x));
        for (int pass = 0; pass < 2; ++pass) QVERIFY(at::equal(run(*up, run(*down, x)), expected));
        QCOMPARE(checkpoint->most_at_once(), 1);
    }

    void the_next_block_is_read_before_it_is_requested() {
        const auto checkpoint = std::make_shared<CountedReads>(random_weights());
        const auto store = std::make_shared<WeightStore>(checkpoint);
        const auto streamed = stream_of(*store, 2);
        for (const auto& [index, next] : {std::pair(2, 3), std::pair(3, 4), std::pair(4, 2)}) {
            const auto weight = "blocks." + std::to_string(next) + ".weight";
            const int before = checkpoint->of(weight);
            (*streamed)[static_cast<std::size_t>(index)];
            QTRY_COMPARE(checkpoint->of(weight), before + 1);
        }
    }

    void each_pass_reads_a_streamed_block_once() {
        const auto checkpoint = std::make_shared<CountedReads>(random_weights());
        const auto store = std::make_shared<WeightStore>(checkpoint);
        constexpr int kResident = 2, kPasses = 3;
        auto streamed = stream_of(*store, kResident);
        for (int pass = 0; pass < kPasses; ++pass) run(*streamed, at::randn({3, kDim}));
        streamed.reset();  // waits for the block that is read ahead for another pass
        for (int i = 0; i < kBlocks; ++i) {
            const int ahead = i == kResident ? 1 : 0;
            QCOMPARE(checkpoint->of("blocks." + std::to_string(i) + ".weight"), i < kResident ? 1 : kPasses + ahead);
        }
    }

    void missing_tensors_are_found_before_the_run() {
        auto tensors = random_weights();
        tensors.erase("blocks.4.bias");
        const auto store = store_of(folder_, tensors);
        const auto streamed = stream_of(*store, 0);
        try {
            store->finish();
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::missing_keys);
            QVERIFY(error.message().find("blocks.4.bias") != std::string::npos);
        }
    }

    void a_non_finite_weight_is_named_when_its_block_loads() {
        auto tensors = random_weights();
        tensors["blocks.3.bias"][1] = std::numeric_limits<float>::infinity();
        const auto store = store_of(folder_, tensors);
        const auto streamed = stream_of(*store, 0);
        store->finish();
        try {
            run(*streamed, at::randn({3, kDim}));
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::not_finite);
            QCOMPARE(error.arguments().at("tensor"), std::string("blocks.3.bias"));
        }
    }

    void streaming_needs_a_shared_store() {
        const std::filesystem::path file = folder_.filePath("weights.safetensors").toStdString();
        write_safetensors(file, random_weights());
        WeightStore store(open_checkpoint(file));
        QVERIFY_EXCEPTION_THROWN(stream_of(store, 0), Error);
    }

    /// Systems shorten a single request to read: to 8 MiB, or to 128 KiB.
    void a_large_tensor_is_prefetched_as_a_whole() {
        constexpr std::size_t kBytes = std::size_t{32} << 20;
        const auto mapped = MappedFile::open(file_on_disk(folder_, kBytes));
        prefetch_pages(mapped->bytes());
        QTRY_COMPARE(pages_in_memory(mapped->bytes()), static_cast<std::int64_t>(kBytes) / ::sysconf(_SC_PAGESIZE));
    }

    void released_pages_are_read_again() {
        const std::filesystem::path file = folder_.filePath("pages.bin").toStdString();
        const std::string text(1 << 20, 'k');
        std::ofstream(file, std::ios::binary) << text;
        const auto mapped = MappedFile::open(file);
        release_pages(mapped->bytes());
        prefetch_pages(mapped->bytes().subspan(4096, 8192));
        QCOMPARE(static_cast<char>(mapped->bytes().back()), 'k');
        std::vector<std::byte> own(1 << 20, std::byte{7});
        release_pages(own);
        QVERIFY(std::ranges::all_of(own, [](std::byte byte) { return byte == std::byte{7}; }));
    }

    /// The last owner may give a file up while its pages are read. Nothing may be advised about what lies there next.
    void a_file_may_be_closed_while_it_is_prefetched() {
        const std::filesystem::path file = folder_.filePath("closed.bin").toStdString();
        constexpr std::size_t kBytes = 1 << 20;
        std::ofstream(file, std::ios::binary) << std::string(kBytes, 'k');
        for (int i = 0; i < 100; ++i) {
            auto mapped = MappedFile::open(file);
            const auto memory = mapped->bytes();
            std::atomic<int> begun = 0;
            const auto advise = [&begun, memory](void (*advise_pages)(std::span<const std::byte>)) {
                ++begun;
                for (int times = 0; times < 10; ++times) advise_pages(memory);
            };
            std::thread prefetching(advise, prefetch_pages), releasing(advise, release_pages);
            while (begun < 2) std::this_thread::yield();
            mapped.reset();
            std::vector<std::byte> own(kBytes, std::byte{7});  // may get the same addresses
            prefetching.join();
            releasing.join();
            QVERIFY(std::ranges::all_of(own, [](std::byte byte) { return byte == std::byte{7}; }));
        }
    }
};

QTEST_GUILESS_MAIN(TestBlockStream)
#include "test_block_stream.moc"
