#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "core/api/error.h"
#include "core/base/json.h"
#include "core/weights/checkpoint_reader.h"
#include "core/weights/formats/safetensors_writer.h"
#include "core/weights/key_map.h"
#include "tests/support/golden.h"

using namespace kinescope;
using kinescope::testing::test_data;
namespace fs = std::filesystem;

namespace {

void write_text(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

/// Writes a file with one tensor `name`. Its value identifies the file.
void write_tensor(const fs::path& file, const std::string& name, float value = 0) {
    write_safetensors(file, {{name, at::full({1}, value)}});
}

ErrorCode code_of(const fs::path& path) {
    try {
        open_checkpoint(path);
    } catch (const Error& error) {
        return error.code();
    }
    return ErrorCode::internal;
}

std::string index_text(const std::map<std::string, std::string>& weight_map) {
    return Json{{"metadata", {{"total_size", 8}}}, {"weight_map", weight_map}}.dump();
}

}  // namespace

class TestCheckpoint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        root_ = folder_->path().toStdString();
    }

    void a_folder_is_searched_in_this_order_data() {
        QTest::addColumn<QStringList>("files");
        QTest::addColumn<QString>("opened");
        QTest::newRow("diffusers") << QStringList{"diffusion_pytorch_model.safetensors"}
                                   << "diffusion_pytorch_model.safetensors";
        QTest::newRow("transformers") << QStringList{"model.safetensors"} << "model.safetensors";
        QTest::newRow("variant") << QStringList{"model.fp16.safetensors"} << "model.fp16.safetensors";
        QTest::newRow("plain before variant")
            << QStringList{"diffusion_pytorch_model.fp16.safetensors", "diffusion_pytorch_model.safetensors"}
            << "diffusion_pytorch_model.safetensors";
        QTest::newRow("fp16 before bf16")
            << QStringList{"model.bf16.safetensors", "model.fp16.safetensors"} << "model.fp16.safetensors";
        QTest::newRow("pickle alone") << QStringList{"pytorch_model.bin"} << "pytorch_model.bin";
        QTest::newRow("safetensors before pickle")
            << QStringList{"model.bin", "model.fp16.safetensors"} << "model.fp16.safetensors";
        QTest::newRow("other files are ignored")
            << QStringList{"adapter.safetensors", "model-00001-of-00002.safetensors", "model.safetensors"}
            << "model.safetensors";
    }
    void a_folder_is_searched_in_this_order() {
        QFETCH(QStringList, files);
        QFETCH(QString, opened);
        for (const auto& file : files) write_tensor(root_ / file.toStdString(), "a");
        const auto reader = open_checkpoint(root_);
        QCOMPARE(reader->files().front().filename().string(), opened.toStdString());
    }

    void formats_are_detected_by_content() {
        write_tensor(root_ / "a.safetensors", "a", 5);
        fs::rename(root_ / "a.safetensors", root_ / "a.ckpt");
        QCOMPARE(open_checkpoint(root_ / "a.ckpt")->read("a").item<float>(), 5.0F);
        fs::copy_file(test_data("weights/blocks.gguf"), root_ / "b.safetensors");
        QCOMPARE(open_checkpoint(root_ / "b.safetensors")->entries().size(), std::size_t{12});
        write_text(root_ / "c.bin", index_text({{"a", "a.ckpt"}}));
        QCOMPARE(open_checkpoint(root_ / "c.bin")->read("a").item<float>(), 5.0F);
        write_text(root_ / "d.json", index_text({{"a", "d.json"}}));
        QVERIFY_THROWS_EXCEPTION(Error, open_checkpoint(root_ / "d.json"));
    }

    void shards_are_joined_by_every_spelling_of_the_index_data() {
        QTest::addColumn<QString>("index");
        QTest::addColumn<QString>("shard");
        QTest::newRow("diffusers") << "diffusion_pytorch_model.safetensors.index.json"
                                   << "diffusion_pytorch_model-0000%1-of-00002.safetensors";
        QTest::newRow("transformers") << "model.safetensors.index.json"
                                      << "model-0000%1-of-00002.safetensors";
        QTest::newRow("variant, new spelling") << "model.safetensors.index.fp16.json"
                                               << "model.fp16-0000%1-of-00002.safetensors";
        QTest::newRow("variant, old spelling") << "model.safetensors.index.fp16.json"
                                               << "model-0000%1-of-00002.fp16.safetensors";
        QTest::newRow("variant before the ending") << "model.fp16.safetensors.index.json"
                                                   << "model.fp16-0000%1-of-00002.safetensors";
    }
    void shards_are_joined_by_every_spelling_of_the_index() {
        QFETCH(QString, index);
        QFETCH(QString, shard);
        const std::string first = shard.arg(1).toStdString(), second = shard.arg(2).toStdString();
        write_tensor(root_ / first, "a", 1);
        write_tensor(root_ / second, "b", 2);
        write_text(root_ / index.toStdString(), index_text({{"a", first}, {"b", second}}));
        for (const auto& path : {root_, root_ / index.toStdString()}) {
            const auto reader = open_checkpoint(path);
            QCOMPARE(reader->entries().size(), std::size_t{2});
            QCOMPARE(reader->files().size(), std::size_t{3});
            QCOMPARE(reader->read("a").item<float>(), 1.0F);
            QCOMPARE(reader->read("b").item<float>(), 2.0F);
            QVERIFY_THROWS_EXCEPTION(Error, reader->read("c"));
            QCOMPARE(reader->source_of_damage("b"), root_ / second);
        }
    }

    void shards_without_an_index_are_joined_data() {
        QTest::addColumn<QString>("shard");
        for (const char* shard :
             {"diffusion_pytorch_model-0000%1-of-00002.safetensors", "model.fp16-0000%1-of-00002.safetensors",
              "model-0000%1-of-00002.fp16.safetensors", "pytorch_model-0000%1-of-00002.bin"})
            QTest::newRow(shard) << shard;
    }
    void shards_without_an_index_are_joined() {
        QFETCH(QString, shard);
        const auto first = root_ / shard.arg(1).toStdString(), second = root_ / shard.arg(2).toStdString();
        write_tensor(first, "a", 1);
        write_tensor(second, "b", 2);
        for (const auto& path : {root_, first, second}) {
            const auto reader = open_checkpoint(path);
            QCOMPARE(reader->files(), (std::vector<fs::path>{first, second}));
            QCOMPARE(reader->read("a").item<float>(), 1.0F);
            QCOMPARE(reader->read("b").item<float>(), 2.0F);
            const auto mapped = with_canonical_names(reader, {.naming = "a test's names", .rules = {{"b", "renamed"}}});
            QCOMPARE(mapped->source_of_damage("renamed"), second);
        }
        write_tensor(second, "a", 2);
        QCOMPARE(code_of(second), ErrorCode::checkpoint_corrupt);
        fs::remove(first);
        QCOMPARE(code_of(second), ErrorCode::file_not_found);
        QCOMPARE(code_of(root_), ErrorCode::file_not_found);
    }

    void names_that_only_look_like_shards_are_files_data() {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"a-00003-of-00002.safetensors", "a-00000-of-00002.safetensors", "one-of-2.safetensors",
              "-1-of-2.safetensors", "a-1-of-1.safetensors", "a-1-of-99999999999999999999.safetensors",
              "a-1-of-2000.safetensors", "a-1-of-2x.safetensors"})
            QTest::newRow(name) << name;
    }
    void names_that_only_look_like_shards_are_files() {
        QFETCH(QString, name);
        write_tensor(root_ / name.toStdString(), "a", 1);
        QCOMPARE(open_checkpoint(root_ / name.toStdString())->read("a").item<float>(), 1.0F);
    }

    void bad_indexes_are_refused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const std::string& text, const char* code, const char* reason) {
            QTest::newRow(name) << QString::fromStdString(text) << code << reason;
        };
        const char* corrupt = "checkpoint_corrupt";
        row("invalid JSON", "{", corrupt, "parse error");
        row("missing map", "{}", corrupt, "no weight_map");
        row("a list", "[]", corrupt, "no weight_map");
        row("empty map", index_text({}), corrupt, "empty");
        row("number for a file", R"({"weight_map":{"a":1}})", corrupt, "not a string");
        row("outside the folder", index_text({{"a", "../one.safetensors"}}), corrupt, "inside its folder");
        row("outside the folder through a subfolder", index_text({{"a", "x/../../one.safetensors"}}), corrupt,
            "inside its folder");
        row("absolute", index_text({{"a", "/etc/passwd"}}), corrupt, "inside its folder");
        row("empty name", index_text({{"a", ""}}), corrupt, "inside its folder");
        row("null character in the name", R"({"weight_map":{"a":"one.safetensors\u0000x"}})", corrupt,
            "inside its folder");
        row("missing shard", index_text({{"a", "one.safetensors"}, {"b", "three.safetensors"}}), "file_not_found",
            "three.safetensors");
        row("wrong shard", index_text({{"a", "two.safetensors"}}), corrupt, "'a' is not in two.safetensors");
        row("tensor in no shard", index_text({{"a", "one.safetensors"}, {"c", "one.safetensors"}}), corrupt,
            "'c' is not in");
        row("tensor in two shards", index_text({{"a", "one.safetensors"}, {"b", "twin.safetensors"}}), corrupt,
            "two shards");
        row("listed twice", R"({"weight_map":{"a":"one.safetensors","a":"two.safetensors"}})", corrupt, "twice");
        row("damaged shard", index_text({{"a", "cut.safetensors"}}), "checkpoint_truncated", "cut.safetensors");
    }
    void bad_indexes_are_refused() {
        QFETCH(QString, text);
        QFETCH(QString, code);
        QFETCH(QString, reason);
        write_tensor(root_ / "one.safetensors", "a");
        write_tensor(root_ / "two.safetensors", "b");
        write_safetensors(root_ / "twin.safetensors", {{"a", at::zeros({1})}, {"b", at::zeros({1})}});
        write_text(root_ / "cut.safetensors", "abc");
        write_text(root_ / "model.safetensors.index.json", text.toStdString());
        try {
            open_checkpoint(root_);
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(QString::fromStdString(std::string(to_string(error.code()))), code);
            QVERIFY2(error.message().find(reason.toStdString()) != std::string::npos, error.what());
            QVERIFY2(QString::fromStdString(error.message()).count("model.safetensors.index.json") <= 1, error.what());
        }
    }

    void other_files_are_reported_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("reason");
        QTest::newRow("missing path") << ""
                                      << "none"
                                      << "file_not_found"
                                      << "none";
        QTest::newRow("empty folder") << ""
                                      << "."
                                      << "file_not_found"
                                      << "It contains nothing";
        QTest::newRow("pickle in a folder") << "model.bin"
                                            << "."
                                            << "unsupported"
                                            << "model.bin";
        QTest::newRow("shards without index") << "model-00001-of-00002.safetensors"
                                              << "."
                                              << "file_not_found"
                                              << "00001-of";
        QTest::newRow("pickle") << "model.ckpt"
                                << "model.ckpt"
                                << "unsupported"
                                << "model.ckpt";
        QTest::newRow("damaged") << "model.safetensors"
                                 << "."
                                 << "checkpoint_truncated"
                                 << "3 of 8 bytes";
    }
    void other_files_are_reported() {
        QFETCH(QString, file);
        QFETCH(QString, path);
        QFETCH(QString, code);
        QFETCH(QString, reason);
        if (!file.isEmpty()) write_text(root_ / file.toStdString(), "abc");
        try {
            open_checkpoint(root_ / path.toStdString());
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(QString::fromStdString(std::string(to_string(error.code()))), code);
            QVERIFY2(error.message().find(reason.toStdString()) != std::string::npos, error.what());
        }
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
    fs::path root_;
};

QTEST_GUILESS_MAIN(TestCheckpoint)
#include "test_checkpoint.moc"
