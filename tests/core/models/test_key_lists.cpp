#include <ATen/ATen.h>

#include <QTest>
#include <fstream>
#include <map>
#include <set>

#include "core/models/cogvideox/key_map.h"
#include "core/models/ltx/key_map.h"
#include "core/models/svd/key_map.h"
#include "core/models/wan/key_map.h"
#include "core/text_encoders/clip_vision_files.h"
#include "core/text_encoders/t5_files.h"
#include "core/weights/recognized_part.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

/// Reads lines in the form "original name <TAB> diffusers name".
std::multimap<std::string, std::string> read_list(const std::string& name) {
    std::multimap<std::string, std::string> pairs;
    std::ifstream file(test_data("key_maps/" + name + ".tsv"));
    for (std::string stored, canonical; std::getline(file, stored, '\t') && std::getline(file, canonical);)
        pairs.emplace(stored, canonical);
    return pairs;
}

/// Returns the key map of an LTX VAE. The meaning of block numbers in the authors' names depends on the other names in
/// the file.
KeyMap ltx_vae_map(const std::string& list) {
    auto file = std::make_shared<MemoryCheckpoint>();
    for (const auto& [stored, canonical] : read_list(list)) file->add(stored, at::zeros({1}));
    return ltx::vae_keys(TensorCatalog(file), "vae.");
}

KeyMap map_of(const std::string& list) {
    if (list == "wan_transformer") return wan::transformer_keys();
    if (list == "wan_vae_21") return wan::vae_21_keys();
    if (list == "wan_vae_22") return wan::vae_22_keys();
    if (list == "umt5") return umt5_native_keys();
    if (list == "clip_wan") return clip_wan_keys();
    if (list == "cogvideox_transformer") return cogvideox::transformer_keys();
    if (list == "cogvideox_vae") return cogvideox::vae_keys(4);
    if (list == "ltx_transformer") return with_prefix(ltx::transformer_keys(), "model.diffusion_model.");
    if (list.starts_with("ltx_vae")) return ltx_vae_map(list);
    return list == "svd_unet" ? svd::unet_keys({.count = 4, .layers = 2}) : svd::vae_keys(4);
}

}  // namespace

/// Compares all tensor names of a file with the result of the reference's converters.
class TestKeyLists : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_name_maps_like_the_reference_data() {
        QTest::addColumn<QString>("list");
        QTest::addColumn<int>("count");
        QTest::newRow("wan transformer") << "wan_transformer" << 88;
        QTest::newRow("wan 2.1 vae") << "wan_vae_21" << 194;
        QTest::newRow("wan 2.2 vae") << "wan_vae_22" << 196;
        QTest::newRow("umt5") << "umt5" << 22;
        QTest::newRow("clip") << "clip_wan" << 40;
        QTest::newRow("cogvideox transformer") << "cogvideox_transformer" << 69;
        QTest::newRow("cogvideox vae") << "cogvideox_vae" << 436;
        QTest::newRow("svd unet") << "svd_unet" << 1428;
        QTest::newRow("svd vae") << "svd_vae" << 374;
        QTest::newRow("ltx transformer") << "ltx_transformer" << 65;
        QTest::newRow("ltx 0.9.0 vae") << "ltx_vae_090" << 190;
        QTest::newRow("ltx 0.9.1 vae") << "ltx_vae_091" << 294;
        QTest::newRow("ltx 0.9.5 vae") << "ltx_vae_095" << 226;
    }
    void every_name_maps_like_the_reference() {
        QFETCH(QString, list);
        QFETCH(int, count);
        const auto pairs = read_list(list.toStdString());
        QCOMPARE(static_cast<int>(pairs.size()), count);
        for (auto at = pairs.begin(); at != pairs.end(); at = pairs.upper_bound(at->first)) {
            std::set<std::string> expected;
            for (auto [line, end] = pairs.equal_range(at->first); line != end; ++line) expected.insert(line->second);
            std::set<std::string> actual;
            for (const auto& mapped : map_name(map_of(list.toStdString()), at->first)) actual.insert(mapped.name);
            QVERIFY2(actual == expected, at->first.c_str());
        }
    }

    void statistics_that_no_model_uses_are_dropped() {
        for (const char* name : {"channel", "mean-of-stds", "mean-of-stds_over_std-of-means"})
            QVERIFY(map_name(ltx_vae_map("ltx_vae_095"), std::string("vae.per_channel_statistics.") + name).empty());
    }

    void norm_names_are_swapped() {
        QCOMPARE(map_name(wan::transformer_keys(), "blocks.0.norm3.weight").front().name,
                 std::string("blocks.0.norm2.weight"));
        QCOMPARE(stored_name(wan::transformer_keys(), "blocks.0.norm2"), std::string("blocks.0.norm3"));
    }
};

QTEST_APPLESS_MAIN(TestKeyLists)
#include "test_key_lists.moc"
