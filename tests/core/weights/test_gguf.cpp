#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <fstream>

#include "core/api/error.h"
#include "core/weights/formats/gguf_header.h"
#include "core/weights/formats/gguf_reader.h"
#include "core/weights/stored_weight.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

template <class T>
std::string raw(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string text(const std::string& value) {
    return raw<std::uint64_t>(value.size()) + value;
}

std::string head(std::uint64_t tensors, std::uint64_t values, std::uint32_t version = 3) {
    return "GGUF" + raw(version) + raw(tensors) + raw(values);
}

/// Returns the entry of a tensor in the header.
std::string tensor(const std::string& name, std::vector<std::uint64_t> dims, std::uint32_t type, std::uint64_t offset) {
    auto line = text(name) + raw<std::uint32_t>(dims.size());
    for (const auto dim : dims) line += raw(dim);
    return line + raw(type) + raw(offset);
}

std::string aligned(std::string header, std::size_t data_bytes) {
    header.resize((header.size() + 31) / 32 * 32);
    return header + std::string(data_bytes, '\0');
}

ErrorCode refusal_of(const std::string& file, std::string& message) {
    try {
        parse_gguf_header(std::as_bytes(std::span(file)), "x.gguf");
    } catch (const Error& error) {
        message = error.message();
        return error.code();
    }
    return ErrorCode::internal;
}

const TensorEntry& entry_of(const CheckpointReader& reader, const std::string& name) {
    for (const auto& entry : reader.entries())
        if (entry.name == name) return entry;
    throw std::runtime_error(name);
}

}  // namespace

class TestGguf : public QObject {
    Q_OBJECT

    std::shared_ptr<const CheckpointReader> reader_ = open_checkpoint(test_data("weights/blocks.gguf"));
    std::shared_ptr<const CheckpointReader> expected_ =
        open_checkpoint(test_data("weights/blocks_expected.safetensors"));

private Q_SLOTS:
    void dequantized_values_equal_the_gguf_package_data() {
        QTest::addColumn<QString>("name");
        for (const auto& entry : expected_->entries())
            QTest::newRow(entry.name.c_str()) << QString::fromStdString(entry.name);
        QCOMPARE(expected_->entries().size(), std::size_t{12});
        QCOMPARE(reader_->entries().size(), std::size_t{12});
    }
    void dequantized_values_equal_the_gguf_package() {
        QFETCH(QString, name);
        const auto stored = read_stored(*reader_, entry_of(*reader_, name.toStdString()));
        const auto reference = expected_->read(name.toStdString());
        auto values = stored.dequantize(at::kFloat);
        QCOMPARE(values.sizes().vec(), stored.shape);
        if (values.size(0) > 1000) values = values.slice(0, 1020, 1030);
        QVERIFY(at::equal(values, reference));
        QVERIFY(!find_damage(stored).any());
    }

    void only_requested_rows_are_dequantized() {
        for (const auto* name : {"q4_0.weight", "q6_k.weight", "f16.weight"}) {
            const auto stored = read_stored(*reader_, entry_of(*reader_, name));
            const auto ids = at::tensor({2, 0, 2}, at::kLong).view({1, 3});
            const auto expected = stored.dequantize(at::kFloat).index_select(0, ids.flatten()).unsqueeze(0);
            QVERIFY(at::equal(stored.rows(ids, at::kFloat), expected));
        }
    }

    void metadata_and_storage_names_are_read() {
        QCOMPARE(reader_->metadata().at("general.architecture"), std::string("wan"));
        QCOMPARE(reader_->metadata().at("test.uint32"), std::string("4000000000"));
        QCOMPARE(reader_->metadata().at("test.int64"), std::string("-5"));
        QCOMPARE(reader_->metadata().at("test.bool"), std::string("true"));
        QCOMPARE(reader_->metadata().at("test.numbers"), std::string("[1, 2, 3]"));
        QVERIFY(!reader_->metadata().contains("test.words"));
        QCOMPARE(storage_name(entry_of(*reader_, "q4_k.weight")), std::string("gguf q4_k"));
        QCOMPARE(storage_name(entry_of(*reader_, "bf16.weight")), std::string("bfloat16"));
        QCOMPARE(entry_of(*reader_, "folded.weight").shape, (std::vector<std::int64_t>{2, 3, 64}));
    }

    void nan_scales_are_found() {
        auto blocks = reader_->read("q5_k.weight").clone();
        blocks[1].narrow(0, 2, 2).view(at::kHalf).fill_(NAN);
        QCOMPARE(find_damage({.data = blocks, .shape = {3, 512}, .packing = Packing::q5_k}).non_finite, 1);
    }

    void hostile_files_are_refused_with_the_reason_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const std::string& file, const char* code, const char* reason) {
            QTest::newRow(name) << QByteArray::fromStdString(file) << code << reason;
        };
        const char *truncated = "checkpoint_truncated", *corrupt = "checkpoint_corrupt", *unsupported = "unsupported";
        row("empty", "", truncated, "0 of 4 bytes");
        row("another magic", "GGML" + std::string(40, '\0'), corrupt, "start with GGUF");
        row("version 1", head(0, 0, 1), unsupported, "version 1");
        row("big-endian", head(0, 0, 0x03000000), unsupported, "big-endian");
        row("a billion tensors", head(1'000'000'000, 0), truncated, "of the header");
        row("text of 2^63 bytes", head(0, 1) + raw(std::uint64_t{1} << 63), truncated, "of the header");
        row("array of 2^60 values", head(0, 1) + text("a") + raw(9U) + raw(0U) + raw(std::uint64_t{1} << 60), corrupt,
            "an array of");
        row("unknown type of value", head(0, 1) + text("a") + raw(77U), corrupt, "unknown type 77");
        row("text that is not UTF-8", head(0, 1) + text("\xff\xfe"), corrupt, "UTF-8");
        row("duplicate key", head(0, 2) + text("a") + raw(7U) + "\1" + text("a") + raw(7U) + "\1", corrupt, "twice");
        row("alignment of 0", aligned(head(0, 1) + text("general.alignment") + raw(4U) + raw(0U), 0), corrupt,
            "alignment");
        row("dimensions", head(1, 0) + text("w") + raw(1000U), corrupt, "1000 dimensions");
        row("overflow", head(1, 0) + tensor("w", {1ULL << 40, 1ULL << 40}, 0, 0), corrupt, "overflows");
        row("negative", head(1, 0) + tensor("w", {~0ULL}, 0, 0), corrupt, "overflows");
        row("broken blocks", aligned(head(1, 0) + tensor("w", {100}, 12, 0), 100), corrupt,
            "multiple of the block size 256");
        row("IQ4_XS", head(1, 0) + tensor("w", {256}, 23, 0), unsupported, "IQ4_XS");
        row("duplicate name", head(2, 0) + tensor("w", {1}, 0, 0) + tensor("w", {1}, 0, 0), corrupt, "twice");
        row("truncated data", aligned(head(1, 0) + tensor("w", {32}, 8, 0), 33), truncated, "33 of 34 bytes");
        row("offset beyond the end", aligned(head(1, 0) + tensor("w", {1}, 0, ~0ULL), 64), truncated, "of tensor data");
        row("wrong original shape",
            aligned(head(1, 1) + text("comfy.gguf.orig_shape.w") + raw(9U) + raw(5U) + raw(std::uint64_t{2}) + raw(3) +
                        raw(3) + tensor("w", {8}, 0, 0),
                    32),
            corrupt, "original shape");
    }
    void hostile_files_are_refused_with_the_reason() {
        QFETCH(QByteArray, file);
        QFETCH(QString, code);
        QFETCH(QString, reason);
        std::string message;
        const auto found = refusal_of(file.toStdString(), message);
        QCOMPARE(QString::fromStdString(std::string(to_string(found))), code);
        QVERIFY2(message.find(reason.toStdString()) != std::string::npos, message.c_str());
        QVERIFY2(message.find("x.gguf") != std::string::npos, message.c_str());
    }

    void every_prefix_of_a_good_file_is_refused() {
        const std::string good = aligned(head(1, 1) + text("a") + raw(8U) + text("b") + tensor("w", {32}, 8, 0), 34);
        std::string message;
        QCOMPARE(refusal_of(good, message), ErrorCode::internal);
        for (std::size_t size = 0; size < good.size(); ++size)
            QVERIFY(refusal_of(good.substr(0, size), message) != ErrorCode::internal);
    }
};

QTEST_GUILESS_MAIN(TestGguf)
#include "test_gguf.moc"
