#include <QTemporaryDir>
#include <QTest>

#include "core/models/discovery/layout_family.h"
#include "tests/core/models/wan_fixture.h"
#include "tests/support/sd_cpp_file.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

constexpr auto kPrefix = "model.diffusion_model.";

std::map<std::string, Tensor> tensors_of(const CheckpointReader& reader) {
    std::map<std::string, Tensor> tensors;
    for (const auto& entry : reader.entries()) tensors[kPrefix + entry.name] = reader.read(entry.name);
    return tensors;
}

std::shared_ptr<const CheckpointReader> canonical(const std::shared_ptr<const CheckpointReader>& stored) {
    const auto parts = recognize_parts(TensorCatalog(stored));
    if (parts.size() != 1) throw std::runtime_error(std::to_string(parts.size()) + " parts instead of one");
    return with_canonical_names(stored, parts.front().key_map);
}

}  // namespace

/// Reads files of stable-diffusion.cpp, whose tensors have at most four axes.
class TestGgmlShapes : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::shared_ptr<const CheckpointReader> converted(const std::map<std::string, Tensor>& tensors) const {
        const std::filesystem::path file = folder_.filePath("model.gguf").toStdString();
        write_sd_cpp_file(file, tensors);
        return open_checkpoint(file);
    }

private Q_SLOTS:
    void every_part_has_its_shapes_and_values_data() {
        QTest::addColumn<QString>("part");
        for (const char* part :
             {"wan_t2v/model/transformer", "wan_variants/i2v/model/transformer", "wan_variants/flf2v/model/transformer",
              "wan_variants/a14b_i2v/model/transformer", "wan_variants/ti2v_t2v/model/transformer",
              "wan_video/vace/model/transformer", "wan_t2v/model/vae", "wan_variants/common/vae_16x"})
            QTest::newRow(part) << part;
    }
    void every_part_has_its_shapes_and_values() {
        QFETCH(QString, part);
        const auto original = open_checkpoint(test_data(part.toStdString()));
        const auto stored = converted(tensors_of(*original));
        const auto expected = recognize_parts(TensorCatalog(original)).at(0);
        const auto found = recognize_parts(TensorCatalog(stored));
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].config.dump(), expected.config.dump());
        QCOMPARE(found[0].variant, expected.variant);
        const auto reader = with_canonical_names(stored, found[0].key_map);
        QCOMPARE(reader->entries().size(), original->entries().size());
        for (const auto& entry : reader->entries()) {
            const Tensor values = reader->read(entry.name);
            QCOMPARE(entry.shape, values.sizes().vec());
            QVERIFY2(values.equal(original->read(entry.name).to(at::kFloat)), entry.name.c_str());
        }
    }

    void another_shape_of_the_first_layer_is_no_known_model() {
        auto tensors = tensors_of(*open_checkpoint(wan_folder("transformer")));
        Tensor& weight = tensors.at(std::string(kPrefix) + "patch_embedding.weight");
        for (const auto& other : {weight.flatten(0, 2), weight.flatten(1), weight.flatten(0, 1).slice(0, 1)}) {
            weight = other;
            QVERIFY(recognize_parts(TensorCatalog(converted(tensors))).empty());
        }
    }

    void another_shape_of_a_table_is_refused_by_name() {
        auto tensors = tensors_of(*open_checkpoint(wan_folder("transformer")));
        Tensor& table = tensors.at(std::string(kPrefix) + "blocks.1.scale_shift_table");
        for (const auto& other : {table.flatten(), table[0].t().contiguous()}) {
            table = other;
            const auto reader = canonical(converted(tensors));
            const Error error = thrown_by([&] { build_transformer(reader); });
            QCOMPARE(error.code(), ErrorCode::wrong_shape);
            QVERIFY2(error.message().find("blocks.1.scale_shift_table has the shape [") != std::string::npos,
                     error.message().c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestGgmlShapes)
#include "test_ggml_shapes.moc"
