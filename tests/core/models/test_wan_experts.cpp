#include <QtTest>

#include "core/models/wan/experts.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

/// Counts its instances in `alive`. Its prediction is the constant `answer`, which identifies the expert.
class CountedModel final : public DiffusionModel {
public:
    CountedModel(int& alive, double answer) : alive_(alive), answer_(answer) { ++alive_; }
    ~CountedModel() override { --alive_; }
    Tensor predict(const DenoiseInput& input, const ForwardContext& context) override {
        const auto value = at::full_like(input.latents, answer_);
        context.observe("proj_out", value);
        return value;
    }

private:
    int& alive_;
    double answer_;
};

}  // namespace

class TestWanExperts : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;
    const Conditioning conditioning_;

    double predict(wan::Experts& experts, double timestep, Probe& probe) {
        return experts
            .predict({.latents = at::zeros({1}), .timestep = timestep, .conditioning = conditioning_},
                     {probe, token_, "transformer"})
            .item<double>();
    }

private Q_SLOTS:
    void only_the_running_expert_is_in_memory() {
        int alive = 0;
        int most_alive = 0;
        std::vector<std::string> loaded;
        wan::Experts experts(875, [&](const std::string& component) {
            loaded.push_back(component);
            most_alive = std::max(most_alive, alive + 1);
            return std::make_unique<CountedModel>(alive, component == "transformer" ? 1.0 : 2.0);
        });
        for (const double timestep : {999.0, 876.0, 875.0}) QCOMPARE(predict(experts, timestep, silent_), 1.0);
        for (const double timestep : {874.0, 500.0, 0.0}) QCOMPARE(predict(experts, timestep, silent_), 2.0);
        QCOMPARE(loaded, (std::vector<std::string>{"transformer", "transformer_2"}));
        QCOMPARE(most_alive, 1);
    }

    void each_expert_reports_under_its_own_name() {
        struct Names final : Probe {
            std::vector<std::string> components;
            void observe(const Observation& seen) override { components.emplace_back(seen.component); }
        } names;
        int alive = 0;
        wan::Experts experts(900, [&](const std::string&) { return std::make_unique<CountedModel>(alive, 0.0); });
        predict(experts, 950, names);
        predict(experts, 100, names);
        QCOMPARE(names.components, (std::vector<std::string>{"transformer", "transformer_2"}));
    }
};

QTEST_GUILESS_MAIN(TestWanExperts)
#include "test_wan_experts.moc"
