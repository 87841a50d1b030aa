#include <QtTest>

#include "core/models/chunk_loop.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

/// Repeats every chunk a given number of times.
class RepeatingProbe final : public Probe {
public:
    explicit RepeatingProbe(int times) : times_(times) {}
    void transact(const std::function<void()>& work) override {
        for (int i = 0; i < times_; ++i) work();
    }
    void observe(const Observation& seen) override { sites.emplace_back(seen.site); }
    std::vector<std::string> sites;

private:
    int times_;
};

/// The state between chunks: the sum of all chunk indices so far.
struct Sum {
    Tensor value;
};

struct Outcome {
    std::vector<double> chunks;
    std::vector<std::string> sites;
};

Outcome run(int attempts, const Precision& precision) {
    RepeatingProbe probe(attempts);
    const CancellationToken cancellation;
    const ForwardContext context{probe, cancellation, "vae"};
    ChunkLoop<Sum> loop(context, precision, [](std::int64_t index, Sum& sum, const ForwardContext& watched) {
        const auto now = at::full({1}, static_cast<double>(index));
        sum.value = sum.value.defined() ? sum.value + now : now;
        watched.observe("chunk " + std::to_string(index), sum.value);
        return sum.value;
    });
    Outcome outcome;
    for (int i = 0; i < 4; ++i) outcome.chunks.push_back(loop.next().item<double>());
    outcome.sites = probe.sites;
    return outcome;
}

}  // namespace

class TestChunkLoop : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void each_attempt_starts_from_the_state_before_the_chunk() {
        const std::vector<double> expected{0, 1, 3, 6};
        for (const Dtype compute : {at::kFloat, at::kHalf})
            for (const int attempts : {1, 2, 3}) QVERIFY(run(attempts, {.compute = compute}).chunks == expected);
    }

    void recomputing_the_state_is_not_observed() {
        const std::vector<std::string> expected{"chunk 0", "chunk 0", "chunk 1", "chunk 1",
                                                "chunk 2", "chunk 2", "chunk 3", "chunk 3"};
        QVERIFY(run(2, {}).sites == expected);
    }
};

QTEST_GUILESS_MAIN(TestChunkLoop)
#include "test_chunk_loop.moc"
