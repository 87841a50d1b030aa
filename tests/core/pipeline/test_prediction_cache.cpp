#include <ATen/ATen.h>

#include <QtTest>

#include "core/models/guidance.h"
#include "core/pipeline/prediction_cache.h"

using namespace kinescope;

namespace {

/// Runs a model that predicts three times the latents, which change by `stride` in each step.
struct Walk {
    double stride;
    int expert_from_step = 1000;
    std::vector<Branch> branches = {Branch::cond};

    /// Returns the steps in which the model is evaluated.
    std::vector<int> computed(PredictionCache& cache, int num_steps) const {
        std::vector<int> steps;
        for (int step = 0; step < num_steps; ++step) {
            const Tensor latents = at::full({2, 3}, 1 + stride * step);
            const CachedStep cached{
                .latents = latents, .expert = step >= expert_from_step ? 1 : 0, .branches = branches};
            if (cache.reuse(cached)) continue;
            steps.push_back(step);
            cache.keep(cached, std::vector<Tensor>(branches.size(), latents * 3));
        }
        return steps;
    }
};

using Steps = std::vector<int>;
using Branches = std::vector<Branch>;

}  // namespace

class TestPredictionCache : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void without_a_threshold_every_step_is_computed() {
        PredictionCache cache(0);
        QCOMPARE(Walk{0.001}.computed(cache, 4), (Steps{0, 1, 2, 3}));
    }

    void small_changes_are_reused_after_two_steps() {
        PredictionCache cache(0.5);
        QCOMPARE(Walk{0.001}.computed(cache, 6), (Steps{0, 1}));
    }

    void estimated_errors_accumulate_until_the_model_is_evaluated() {
        // Each step changes the latents and the prediction by at most 2 %, so the third reuse would exceed 5 %. After
        // that, the measured rate is higher, because it is relative to a reused prediction that is out of date.
        PredictionCache cache(0.05);
        const Steps computed = Walk{0.02}.computed(cache, 8);
        QCOMPARE(computed, (Steps{0, 1, 4, 6}));
    }

    void another_expert_is_evaluated_before_reuse() {
        PredictionCache cache(0.5);
        QCOMPARE((Walk{.stride = 0.001, .expert_from_step = 4}.computed(cache, 8)), (Steps{0, 1, 4, 5}));
    }

    void only_branches_that_were_computed_are_reused_data() {
        QTest::addColumn<Branches>("kept");
        QTest::addColumn<Branches>("wanted");
        QTest::addColumn<bool>("is_reused");
        using enum Branch;
        QTest::newRow("the same") << Branches{cond, uncond} << Branches{cond, uncond} << true;
        QTest::newRow("guidance stops") << Branches{cond, uncond} << Branches{cond} << true;
        QTest::newRow("guidance starts") << Branches{cond} << Branches{cond, uncond} << false;
        QTest::newRow("guidance stops, blocks are skipped")
            << Branches{cond, uncond, skip} << Branches{cond, skip} << true;
        QTest::newRow("skipping starts where guidance stops")
            << Branches{cond, uncond} << Branches{cond, skip} << false;
        QTest::newRow("guidance starts where skipping stops")
            << Branches{cond, skip} << Branches{cond, uncond} << false;
    }
    void only_branches_that_were_computed_are_reused() {
        QFETCH(const Branches, kept);
        QFETCH(const Branches, wanted);
        QFETCH(const bool, is_reused);
        PredictionCache cache(0.5);
        Walk{.stride = 0.001, .branches = kept}.computed(cache, 3);
        QCOMPARE(cache.reuse({.latents = at::full({2, 3}, 1.004), .branches = wanted}).has_value(), is_reused);
    }

    void offsets_belong_to_their_branches() {
        PredictionCache cache(0.5);
        const Branches all{Branch::cond, Branch::uncond, Branch::skip};
        for (const double value : {1.0, 1.001}) {
            const Tensor latents = at::full({2, 3}, value);
            cache.keep({.latents = latents, .branches = all}, {latents * 3, latents * 4, latents * 5});
        }
        const auto reused = cache.reuse({.latents = at::full({2, 3}, 1.002), .branches = {Branch::cond, Branch::skip}});
        QVERIFY(reused && reused->size() == 2);
        QVERIFY(reused->at(0).allclose(at::full({2, 3}, 3 * 1.001 + 0.001)));
        QVERIFY(reused->at(1).allclose(at::full({2, 3}, 5 * 1.001 + 0.001)));
    }

    void a_step_with_other_attention_guidance_is_not_reused() {
        PredictionCache cache(0.5);
        Walk{0.001}.computed(cache, 3);
        const Tensor latents = at::full({2, 3}, 1.004);
        QVERIFY(!cache.reuse({.latents = latents, .has_nag = true}));
        QVERIFY(cache.reuse({.latents = latents, .has_nag = false}));
    }

    void branches_of_an_earlier_version_are_found_by_their_number() {
        PredictionCache cache(0.5);
        Walk{.stride = 0.001, .branches = {Branch::cond, Branch::uncond}}.computed(cache, 3);
        PredictionCacheState state = cache.snapshot();
        state.branches.clear();
        cache.restore(state);
        const Tensor latents = at::full({2, 3}, 1.004);
        QVERIFY(!cache.reuse({.latents = latents, .branches = {Branch::cond, Branch::uncond, Branch::skip}}));
        QVERIFY(cache.reuse({.latents = latents, .branches = {Branch::cond, Branch::uncond}}));
    }

    void reused_predictions_follow_the_latents() {
        PredictionCache cache(0.5);
        Walk{0.001}.computed(cache, 2);
        const auto reused = cache.reuse({.latents = at::full({2, 3}, 1.002)});
        QVERIFY(reused && reused->front().allclose(at::full({2, 3}, 3 * 1.001 + 0.001)));
    }

    void a_restored_cache_gives_the_same_predictions() {
        PredictionCache cache(0.05);
        Walk{0.02}.computed(cache, 3);
        PredictionCache other(0.05);
        other.restore(cache.snapshot());
        const Tensor next = at::full({2, 3}, 1.06);
        QVERIFY(
            at::equal(cache.reuse({.latents = next}).value().front(), other.reuse({.latents = next}).value().front()));
    }

    void non_finite_predictions_are_never_reused() {
        PredictionCache cache(0.5);
        Walk{0.001}.computed(cache, 2);
        QVERIFY(!cache.reuse({.latents = at::full({2, 3}, std::numeric_limits<double>::quiet_NaN())}));
    }

    void guidance_has_one_branch_outside_of_its_interval() {
        const Guidance all{.branches = {Branch::cond, Branch::uncond}, .scales = {at::ones({})}};
        const Guidance middle = within(all, 0.25, 0.75, 8);
        Steps sizes;
        for (int step = 0; step < 8; ++step) sizes.push_back(static_cast<int>(middle.branches_at(step).size()));
        QCOMPARE(sizes, (Steps{1, 1, 2, 2, 2, 2, 1, 1}));
        QCOMPARE(within(all, 0, 1, 8).branches_at(7).size(), std::size_t{2});
        QCOMPARE(middle.branches_at(0).front(), Branch::cond);
    }
};

QTEST_GUILESS_MAIN(TestPredictionCache)
#include "test_prediction_cache.moc"
