#include <sys/mman.h>
#include <unistd.h>

#include <QtTest>

#include <new>

#include "core/nn/causal_conv3d.h"
#include "core/nn/conv2d.h"
#include "core/nn/cpu/amx_product.h"
#include "core/nn/cpu/winograd.h"
#include "core/nn/cpu/winograd_kernels.h"
#include "core/nn/cpu/winograd_loops.h"
#include "tests/support/golden.h"
#include "tests/support/threads.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

struct Case {
    Tensor frames;  ///< [T, H, W, in]
    WinogradFilter filter;
};

struct Shape {
    std::int64_t frames, height, width, in, out, taps = 1;
};

Case random_case(const Shape& shape) {
    at::manual_seed(11);
    return {at::randn({shape.frames, shape.height, shape.width, shape.in}),
            {.weight = at::randn({shape.out, shape.in, shape.taps, 3, 3}), .bias = at::randn({shape.out})}};
}

/// Returns the weight for images whose channels are those of all frames of a window.
Tensor stacked(const Tensor& weight) {
    return weight.transpose(1, 2).flatten(1, 2);
}

/// Returns the reference in float64, computed pixel by pixel.
Tensor direct(const Tensor& frames, const WinogradFilter& filter) {
    const auto count = frames.size(0) - filter.taps() + 1;
    std::vector<Tensor> windows;
    for (std::int64_t tap = 0; tap < filter.taps(); ++tap) windows.push_back(frames.narrow(0, tap, count));
    const auto planes = at::cat(windows, -1).to(at::kDouble).permute({0, 3, 1, 2});
    return at::conv2d(planes, stacked(filter.weight).to(at::kDouble), filter.bias.to(at::kDouble),
                      at::IntArrayRef({1, 1}), at::IntArrayRef({1, 1}))
        .permute({0, 2, 3, 1});
}

/// A copy of a tensor that ends where readable memory ends.
class GuardedCopy {
public:
    explicit GuardedCopy(const Tensor& source) {
        const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), size = source.nbytes();
        size_ = (size + page - 1) / page * page + page;
        memory_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory_ == MAP_FAILED) throw std::bad_alloc();
        auto* const end = static_cast<std::byte*>(memory_) + size_ - page;
        ::mprotect(end, page, PROT_NONE);
        tensor_ = at::from_blob(end - size, source.sizes(), source.options());
        tensor_.copy_(source);
    }
    ~GuardedCopy() { ::munmap(memory_, size_); }
    GuardedCopy(const GuardedCopy&) = delete;
    GuardedCopy& operator=(const GuardedCopy&) = delete;

    const Tensor& tensor() const { return tensor_; }

private:
    void* memory_ = nullptr;
    std::size_t size_ = 0;
    Tensor tensor_;
};

Tensor enlarged(const Tensor& frames) {
    return frames.repeat_interleave(2, 1).repeat_interleave(2, 2);
}

const std::vector<Shape> kShapes{
    {.frames = 1, .height = 1, .width = 1, .in = 16, .out = 32},
    {.frames = 2, .height = 7, .width = 1, .in = 20, .out = 33},
    {.frames = 3, .height = 1, .width = 6, .in = 3, .out = 5},
    {.frames = 2, .height = 9, .width = 12, .in = 40, .out = 48},
    {.frames = 5, .height = 16, .width = 17, .in = 32, .out = 64},
    {.frames = 5, .height = 13, .width = 10, .in = 24, .out = 40, .taps = 3},
    {.frames = 3, .height = 40, .width = 30, .in = 96, .out = 96, .taps = 3},
};

}  // namespace

class TestWinograd : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!gemm_kernel::is_supported()) QSKIP("this CPU has no AVX2");
    }

    void winograd_equals_the_direct_convolution() {
        for (const Shape& shape : kShapes) {
            const auto [frames, filter] = random_case(shape);
            const auto y = winograd_convolution(frames.unbind(0), filter, Enlarge::none);
            QVERIFY(relative_error(y, direct(frames, filter)) < 2e-6);
        }
    }

    void upsampling_equals_repetition() {
        for (const Shape& shape : kShapes) {
            const auto [frames, filter] = random_case(shape);
            const auto y = winograd_convolution(frames.unbind(0), filter, Enlarge::twice);
            QVERIFY(relative_error(y, direct(enlarged(frames), filter)) < 2e-6);
        }
    }

    void zero_frames_may_be_omitted() {
        const auto [frames, filter] = random_case({3, 6, 8, 32, 32, 3});
        for (const std::int64_t missing : {1, 2}) {
            auto window = frames.unbind(0);
            for (std::int64_t i = 0; i < missing; ++i) window[static_cast<std::size_t>(i)] = Tensor();
            const auto known = frames.clone();
            known.narrow(0, 0, missing).zero_();
            const auto y = winograd_convolution(window, filter, Enlarge::none);
            QVERIFY(relative_error(y, direct(known, filter)) < 2e-6);
        }
    }

    void threads_and_other_frames_do_not_change_the_bits() {
        const auto [frames, filter] = random_case({4, 21, 30, 48, 64, 1});
        const auto together = winograd_convolution(frames.unbind(0), filter, Enlarge::none);
        const auto alone = winograd_convolution({frames[2]}, filter, Enlarge::none);
        QVERIFY(together[2].equal(alone[0]));
        const auto single =
            with_threads(1, [&] { return winograd_convolution(frames.unbind(0), filter, Enlarge::none); });
        QVERIFY(together.equal(single));
    }

    void both_loop_orders_are_bit_identical() {
        auto shapes = kShapes;
        shapes.push_back({.frames = 2, .height = 5, .width = 5, .in = 300, .out = 330});  // several kernel steps
        shapes.push_back({.frames = 4, .height = 4, .width = 6, .in = 150, .out = 40, .taps = 3});
        for (const Shape& shape : shapes) {
            const auto [frames, filter] = random_case(shape);
            auto window = frames.unbind(0);
            if (filter.taps() > 1) window.front() = Tensor();
            for (const Enlarge enlarge : {Enlarge::none, Enlarge::twice}) {
                const winograd::Layout layout(window, filter, enlarge);
                QVERIFY(winograd::convolve_by_panels(layout, window, filter)
                            .equal(winograd::convolve_by_tiles(layout, window, filter)));
                if (!amx_product::is_usable()) continue;
                using winograd::LoopOrder;
                QVERIFY(winograd::amx::convolve(layout, window, filter, LoopOrder::panels)
                            .equal(winograd::amx::convolve(layout, window, filter, LoopOrder::tiles)));
            }
        }
    }

    void the_number_of_channels_selects_the_algorithm_data() {
        QTest::addColumn<int>("in");
        QTest::addColumn<int>("out");
        QTest::addColumn<bool>("pays");
        QTest::newRow("latents") << 4 << 320 << false;
        QTest::newRow("narrow") << 16 << 16 << false;
        QTest::newRow("few channels") << 32 << 16 << false;
        QTest::newRow("one panel of channels") << 32 << 32 << true;
        QTest::newRow("color output") << 96 << 3 << true;
        QTest::newRow("wide") << 1280 << 1280 << true;
    }

    void the_number_of_channels_selects_the_algorithm() {
        QFETCH(int, in);
        QFETCH(int, out);
        QTEST(winograd_pays(in, out), "pays");
    }

    /// The weights are about 1 / sqrt(fan-in), as in models. The error of float32 is about 4e-7 of the standard
    /// deviation.
    void accuracy_equals_the_direct_kernel() {
        const auto [frames, filter] = random_case({1, 32, 32, 192, 96, 1});
        const auto exact = direct(frames, filter);
        const auto planes = frames.permute({0, 3, 1, 2});
        const auto own =
            at::conv2d(planes, stacked(filter.weight), filter.bias, at::IntArrayRef({1, 1}), at::IntArrayRef({1, 1}))
                .permute({0, 2, 3, 1});
        const auto error = [&](const Tensor& y) {
            return ((y.to(at::kDouble) - exact).norm() / exact.norm()).item<double>();
        };
        const auto y = winograd_convolution(frames.unbind(0), filter, Enlarge::none);
        QVERIFY(error(y) < 2 * error(own));
        QVERIFY(error(y) < 1e-6);
    }

    void a_convolution_gives_the_same_result_by_either_algorithm() {
        at::manual_seed(12);
        for (const std::int64_t in : {20, 48}) {  // 20: too few channels for Winograd; 48: enough
            const auto weight = at::randn({64, in, 3, 3}), bias = at::randn({64});
            const Conv2d conv(weight, bias, {});
            const auto x = at::randn({1, 12, 12, in});
            const WinogradFilter filter{.weight = weight.unsqueeze(2), .bias = bias};
            QVERIFY(relative_error(conv(x), direct(x, filter)) < 2e-6);
            QVERIFY(relative_error(conv.enlarged(x, {}), direct(enlarged(x), filter)) < 2e-6);
        }
    }

    void sixteen_bit_weights_are_multiplied_in_float32() {
        at::manual_seed(13);
        const auto weight = at::randn({64, 48, 3, 3}).to(at::kBFloat16), bias = at::randn({64});
        const Conv2d conv(weight, bias, {});
        QCOMPARE(conv.weight().scalar_type(), at::kBFloat16);
        const auto x = at::randn({1, 24, 24, 48});
        const WinogradFilter filter{.weight = weight.unsqueeze(2), .bias = bias};
        QVERIFY(relative_error(conv(x), direct(x, filter)) < 2e-6);
        const Conv2d narrow(weight, bias, {.storage = at::kHalf, .compute = at::kHalf});
        QCOMPARE(narrow.weight().scalar_type(), at::kHalf);
    }

    /// The filters of a causal convolution whose first or last tap is left out, in every type. The page after the
    /// weight is not readable.
    void filters_are_read_in_place() {
        at::manual_seed(14);
        const auto whole = at::randn({70, 37, 3, 3, 3}), bias = at::randn({70}), frames = at::randn({4, 9, 11, 37});
        for (const Dtype dtype : {at::kFloat, at::kBFloat16, at::kHalf}) {
            const GuardedCopy copy(whole.to(dtype));
            for (const std::int64_t first : {0, 1}) {
                const WinogradFilter filter{.weight = copy.tensor().narrow(2, first, 2), .bias = bias};
                const auto y = winograd_convolution(frames.unbind(0), filter, Enlarge::none);
                QVERIFY(relative_error(y, direct(frames, filter)) < 2e-6);
            }
        }
        const Conv2d conv(whole.slice(2, 1), bias, {});
        QVERIFY(conv.is_for_winograd());
        QCOMPARE(conv.weight().sizes(), at::IntArrayRef({70, 74, 3, 3}));
        QVERIFY(conv.takes_windows(frames, {}) &&
                !conv.takes_windows(frames, raised(at::kFloat, PrecisionLevel::float32)));
    }

    void chunks_of_a_wide_causal_convolution_equal_the_whole() {
        const auto [frames, filter] = random_case({7, 18, 20, 32, 32, 3});
        auto checkpoint = std::make_shared<MemoryCheckpoint>();
        checkpoint->add("weight", filter.weight);
        checkpoint->add("bias", filter.bias);
        WeightStore store(checkpoint);
        const CausalConv3d conv(WeightScope(store), {.in = 32, .out = 32}, {});
        Tensor history;
        std::vector<Tensor> parts;
        for (const auto& chunk : frames.split_with_sizes({1, 1, 4, 1})) parts.push_back(conv(chunk, history, {}));
        const auto past = at::zeros({2, 18, 20, 32});
        QVERIFY(relative_error(at::cat(parts), direct(at::cat({past, frames}), filter)) < 2e-6);
        QVERIFY(history.equal(frames.narrow(0, 5, 2)));
        Tensor none;
        QVERIFY(conv(frames, none, {}).equal(at::cat(parts)));
    }
};

QTEST_GUILESS_MAIN(TestWinograd)
#include "test_winograd.moc"
