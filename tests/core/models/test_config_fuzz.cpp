#include <QTest>
#include <limits>

#include "core/api/error.h"
#include "core/models/model_family.h"
#include "tests/support/family_cases.h"
#include "tests/support/golden.h"

using namespace kinescope;
using kinescope::testing::kFamilyCases;
using kinescope::testing::test_data;

namespace {

/// Returns values that no valid config contains.
std::vector<Json> hostile_values() {
    return {nullptr,
            true,
            0,
            -1,
            3,
            1.5,
            -1e300,
            1e300,
            std::int64_t{1} << 62,
            std::numeric_limits<std::int64_t>::min(),
            "",
            "sideways",
            Json::array(),
            Json::object(),
            {-1, 0},
            {nullptr, "x"},
            {std::int64_t{1} << 40, 2, 3, 4},
            {{1, 2}, {3}},
            Json(100, 1)};
}

/// Returns copies of the config with one change each: every hostile value for every key, a missing key, and other types
/// of documents.
std::vector<Json> variants_of(const Json& config) {
    std::vector<Json> variants{Json::array({1}), Json("text"), Json(7), Json()};
    for (const auto& item : config.items()) {
        Json without = config;
        without.erase(item.key());
        variants.push_back(std::move(without));
        for (const Json& value : hostile_values()) {
            Json changed = config;
            changed[item.key()] = value;
            variants.push_back(std::move(changed));
        }
    }
    return variants;
}

/// Does everything that the program does with a model before it loads weights.
void open_model(const ModelFiles& files) {
    const ModelFamily& family = find_family(files);
    const ModelCard card = family.card(files);
    VideoRequest request;
    request.prompt = "a red ball";
    const auto resolved = resolve_request(request, card, 1);
    family.latents_shape(files, resolved);
}

}  // namespace

/// Tests that configs from untrusted files give a card or an Error and never crash the program.
class TestConfigFuzz : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_changed_config_gives_a_card_or_an_error_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : kFamilyCases) QTest::newRow(name) << name;
        for (const char* name : {"ltx/i2v", "ltx/condition"}) QTest::newRow(name) << name;
    }
    void a_changed_config_gives_a_card_or_an_error() {
        QFETCH(QString, name);
        const ModelFiles original = read_model_files(test_data(name.toStdString()) / "model");
        int accepted = 0, refused = 0;
        for (const auto& [part, component] : original.components) {
            if (!component.config.is_object()) continue;
            for (const Json& config : variants_of(component.config)) {
                ModelFiles files = original;
                files.components.at(part).config = config;
                try {
                    open_model(files);
                    ++accepted;
                } catch (const Error&) {
                    ++refused;
                } catch (const std::exception& other) {
                    QFAIL((part + ": " + other.what() + "\n" + config.dump()).c_str());
                }
            }
        }
        QVERIFY(accepted > 0);
        QVERIFY(refused > 0);
    }
};

QTEST_APPLESS_MAIN(TestConfigFuzz)
#include "test_config_fuzz.moc"
