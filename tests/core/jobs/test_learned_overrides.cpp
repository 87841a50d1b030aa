#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "core/jobs/learned_overrides.h"

using namespace kinescope;

class TestLearnedOverrides : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    const OverrideKey key_{.device = "cuda:0 H100", .driver = "580.1", .libtorch = "2.11.0", .model = "wan 0123"};
    const std::vector<PrecisionOverride> overrides_ = {{"transformer", "blocks.1.ffn.net.2", Rung::scaled},
                                                       {"vae", "", Rung::float32}};

    std::filesystem::path file(const char* name) const { return folder_.filePath(name).toStdString(); }

private Q_SLOTS:
    void what_was_kept_is_recalled_for_the_same_key_only_data() {
        QTest::addColumn<int>("changed");
        QTest::newRow("device") << 0;
        QTest::newRow("driver") << 1;
        QTest::newRow("libtorch") << 2;
        QTest::newRow("model") << 3;
    }
    void what_was_kept_is_recalled_for_the_same_key_only() {
        QFETCH(int, changed);
        OverrideFile memory(file("a/overrides.json"), key_);
        memory.keep(overrides_);
        QCOMPARE(memory.recall(), overrides_);
        OverrideKey other = key_;
        std::string* const fields[] = {&other.device, &other.driver, &other.libtorch, &other.model};
        *fields[changed] += "x";
        QVERIFY(OverrideFile(file("a/overrides.json"), other).recall().empty());
    }

    void each_key_has_one_entry_and_all_can_be_forgotten() {
        OverrideKey other = key_;
        other.model = "wan 4567";
        OverrideFile(file("b.json"), key_).keep(overrides_);
        OverrideFile(file("b.json"), other).keep(overrides_);
        OverrideFile(file("b.json"), key_).keep({overrides_[0]});
        const auto all = list_learned_overrides(file("b.json"));
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(all[1].overrides.size(), std::size_t{1});
        QVERIFY(!all[1].learned.empty());
        QCOMPARE(forget_learned_overrides(file("b.json")), 2);
        QVERIFY(list_learned_overrides(file("b.json")).empty());
        QCOMPARE(forget_learned_overrides(file("b.json")), 0);
    }

    void a_file_that_cannot_be_read_is_the_same_as_none_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no JSON") << QByteArray("{");
        QTest::newRow("no list") << QByteArray("{}");
        QTest::newRow("a list of something else") << QByteArray("[1, \"a\"]");
    }
    void a_file_that_cannot_be_read_is_the_same_as_none() {
        QFETCH(QByteArray, text);
        std::ofstream(file("c.json")) << text.toStdString();
        QVERIFY(list_learned_overrides(file("c.json")).empty());
    }

    void a_model_is_known_by_its_weights() {
        const std::filesystem::path data = KINESCOPE_TEST_DATA;
        const auto files = read_model_files(data / "wan_t2v/model");
        QCOMPARE(model_fingerprint(files).size(), std::size_t{16});
        QCOMPARE(model_fingerprint(files), model_fingerprint(read_model_files(data / "wan_t2v/model")));
        auto changed = files;
        changed.components.erase("vae");
        QVERIFY(model_fingerprint(changed) != model_fingerprint(files));
    }
};

QTEST_GUILESS_MAIN(TestLearnedOverrides)
#include "test_learned_overrides.moc"
