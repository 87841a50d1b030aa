#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>

#include "core/jobs/learned_overrides.h"

using namespace kinescope;

namespace {

ComputePolicy computing(Dtype transformer, Dtype vae) {
    ComputePolicy policy;
    policy.components["transformer"].precision.compute = transformer;
    policy.components["vae"].precision.compute = vae;
    return policy;
}

ComputePolicy int8_transformer() {
    ComputePolicy policy = computing(at::kFloat, at::kHalf);
    policy.components["transformer"].precision.storage = at::kChar;
    return policy;
}

}  // namespace

class TestLearnedOverrides : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    const OverrideKey key_{.device = "cuda:0 H100", .driver = "580.1", .libtorch = "2.11.0", .model = "wan 0123"};
    const std::vector<PrecisionOverride> overrides_ = {{"transformer", "blocks.1.ffn.net.2", PrecisionLevel::scaled},
                                                       {"vae", "", PrecisionLevel::float32}};
    const ComputePolicy policy_ = computing(at::kHalf, at::kHalf);

    std::filesystem::path file(const char* name) const { return folder_.filePath(name).toStdString(); }

private Q_SLOTS:
    void overrides_are_recalled_for_the_same_key_only_data() {
        QTest::addColumn<int>("changed");
        QTest::newRow("device") << 0;
        QTest::newRow("driver") << 1;
        QTest::newRow("libtorch") << 2;
        QTest::newRow("model") << 3;
    }
    void overrides_are_recalled_for_the_same_key_only() {
        QFETCH(int, changed);
        OverrideFile memory(file("a/overrides.json"), key_);
        memory.keep(overrides_, policy_);
        QCOMPARE(memory.recall(policy_), overrides_);
        OverrideKey other = key_;
        std::string* const fields[] = {&other.device, &other.driver, &other.libtorch, &other.model};
        *fields[changed] += "x";
        QVERIFY(OverrideFile(file("a/overrides.json"), other).recall(policy_).empty());
    }

    void a_key_names_the_networks_of_the_model() {
        PreparedRun job;
        job.card.family = "wan";
        job.policy = policy_;
        QCOMPARE(override_key(job, {.fingerprint = "whole", .networks = "0123"}).model, key_.model);
    }

    void an_override_applies_to_the_precision_it_was_learned_in_data() {
        QTest::addColumn<ComputePolicy>("policy");
        QTest::addColumn<int>("number");
        QTest::newRow("the same") << policy_ << 2;
        QTest::newRow("float32") << computing(at::kFloat, at::kFloat) << 0;
        QTest::newRow("bfloat16") << computing(at::kBFloat16, at::kBFloat16) << 0;
        QTest::newRow("another VAE precision") << computing(at::kHalf, at::kFloat) << 1;
        QTest::newRow("int8 weights") << int8_transformer() << 1;
    }
    void an_override_applies_to_the_precision_it_was_learned_in() {
        QFETCH(ComputePolicy, policy);
        QFETCH(int, number);
        OverrideFile memory(file("precision.json"), key_);
        memory.keep(overrides_, policy_);
        QCOMPARE(memory.recall(policy).size(), static_cast<std::size_t>(number));
    }

    void overrides_of_one_precision_do_not_change_another() {
        OverrideFile memory(file("two.json"), key_);
        memory.keep(overrides_, policy_);
        auto raised = memory.recall(int8_transformer());
        raised.push_back({"transformer", "blocks.2", PrecisionLevel::float32});
        memory.keep(raised, int8_transformer());
        QCOMPARE(memory.recall(int8_transformer()), raised);
        auto first = memory.recall(policy_);
        std::ranges::sort(first, {}, &PrecisionOverride::component);
        QCOMPARE(first, overrides_);
    }

    void overrides_of_an_unknown_precision_are_not_applied() {
        OverrideFile memory(file("old.json"), key_);
        memory.keep(overrides_, policy_);
        std::ifstream in(file("old.json"));
        QByteArray text = QByteArray::fromStdString({std::istreambuf_iterator<char>(in), {}});
        text.replace("\"planned\"", "\"unknown\"");
        std::ofstream(file("old.json")) << text.toStdString();
        QVERIFY(memory.recall(policy_).empty());
    }

    void each_key_has_one_entry_and_all_can_be_forgotten() {
        OverrideKey other = key_;
        other.model = "wan 4567";
        OverrideFile(file("b.json"), key_).keep(overrides_, policy_);
        OverrideFile(file("b.json"), other).keep(overrides_, policy_);
        OverrideFile(file("b.json"), key_).keep({overrides_[0]}, policy_);
        const auto all = list_learned_overrides(file("b.json"));
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(all[1].overrides.size(), std::size_t{1});
        QVERIFY(!all[1].learned.empty());
        QCOMPARE(forget_learned_overrides(file("b.json")), 2);
        QVERIFY(list_learned_overrides(file("b.json")).empty());
        QCOMPARE(forget_learned_overrides(file("b.json")), 0);
    }

    void an_unreadable_file_counts_as_missing_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("invalid JSON") << QByteArray("{");
        QTest::newRow("not a list") << QByteArray("{}");
        QTest::newRow("a list of something else") << QByteArray("[1, \"a\"]");
    }
    void an_unreadable_file_counts_as_missing() {
        QFETCH(QByteArray, text);
        std::ofstream(file("c.json")) << text.toStdString();
        QVERIFY(list_learned_overrides(file("c.json")).empty());
    }
};

QTEST_GUILESS_MAIN(TestLearnedOverrides)
#include "test_learned_overrides.moc"
