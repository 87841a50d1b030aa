#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "core/api/error.h"
#include "core/weights/formats/pickle_reader.h"
#include "core/weights/formats/pickle_tensors.h"
#include "core/weights/formats/weight_file.h"
#include "tests/support/file_bytes.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> names_of(const CheckpointReader& reader) {
    std::vector<std::string> names;
    for (const auto& entry : reader.entries()) names.push_back(entry.name);
    return names;
}

/// Reads a bare pickle. Returns the error message, or an empty string.
std::string refusal_of_pickle(const std::string& pickle) {
    const fs::path path = "x.pt";
    const Refusal refusal{.path = path, .kind = "torch.save file"};
    try {
        const Unpickler unpickler(std::as_bytes(std::span(pickle)), refusal);
        list_pickle_tensors(unpickler, refusal);
    } catch (const Error& error) {
        return error.message();
    }
    return "";
}

}  // namespace

class TestPickle : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::string refusal_of_file(const std::string& content) const {
        const auto file = fs::path(folder_.path().toStdString()) / "x.pt";
        std::ofstream(file, std::ios::binary) << content;
        try {
            open_checkpoint(file);
        } catch (const Error& error) {
            return std::string(to_string(error.code())) + ": " + error.message();
        }
        return "";
    }

private Q_SLOTS:
    void tensors_of_every_dtype_and_stride_round_trip() {
        const auto reader = open_checkpoint(test_data("weights/tensors.pt"));
        const auto expected = open_checkpoint(test_data("weights/tensors_expected.safetensors"));
        QCOMPARE(reader->entries().size(), expected->entries().size());
        for (const auto& entry : reader->entries()) {
            const auto tensor = reader->read(entry.name);
            const auto reference = expected->read(entry.name);
            QCOMPARE(tensor.scalar_type(), reference.scalar_type());
            QCOMPARE(tensor.sizes().vec(), entry.shape);
            QCOMPARE(entry.bytes, static_cast<std::int64_t>(reference.nbytes()));
            const auto comparable = [](const Tensor& t) { return t.to(at::kDouble).contiguous(); };
            QVERIFY2(at::equal(comparable(tensor), comparable(reference)), entry.name.c_str());
        }
    }

    void tensors_are_views_of_the_file() {
        const auto reader = open_checkpoint(test_data("weights/tensors.pt"));
        const Tensor first = reader->read("float32");  // kept, because the next one could get its memory
        const Tensor second = reader->read("float32");
        const Tensor transposed = reader->read("transposed");
        QCOMPARE(second.const_data_ptr(), first.const_data_ptr());
        QCOMPARE(transposed.const_data_ptr(), first.const_data_ptr());
        QCOMPARE(transposed.strides().vec(), (std::vector<std::int64_t>{1, 6}));
    }

    void wrappers_are_skipped_and_names_joined() {
        const std::vector<std::string> layers = {"0.weight", "0.bias", "1.weight", "1.bias"};
        const auto plain = open_checkpoint(test_data("weights/state_dict.pt"));
        QCOMPARE(names_of(*plain), layers);
        const auto wrapped = open_checkpoint(test_data("weights/wrapped.pt"));
        QCOMPARE(names_of(*wrapped), layers);
        QVERIFY(at::equal(wrapped->read("1.bias"), plain->read("1.bias")));
        const auto nested = open_checkpoint(test_data("weights/nested.pt"));
        QCOMPARE(names_of(*nested), (std::vector<std::string>{"net.0.weight", "net.0.bias", "net.1.weight",
                                                              "net.1.bias", "extra.list.0", "extra.list.1"}));
    }

    void foreign_content_is_refused_by_name() {
        const auto foreign = refusal_of_file(contents_of(test_data("weights/foreign.pt")));
        QVERIFY2(foreign.find("unsupported") == 0 && foreign.find("complex") != std::string::npos, foreign.c_str());
        const auto legacy = refusal_of_file(contents_of(test_data("weights/legacy.pt")));
        QVERIFY2(legacy.find("before PyTorch 1.6") != std::string::npos, legacy.c_str());
    }

    void invalid_pickles_are_refused_data() {
        QTest::addColumn<QByteArray>("pickle");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const std::string& pickle, const char* reason) {
            QTest::newRow(name) << QByteArray::fromStdString(pickle) << reason;
        };
        row("a system call",
            "\x80\x02"
            "cos\nsystem\nX\x02\0\0\0ls\x85R.",
            "os.system");
        row("builtins.eval",
            "\x80\x02"
            "c__builtin__\neval\n.",
            "__builtin__.eval");
        row("eval by stack",
            std::string("\x80\x04\x8c\x08"
                        "builtins\x8c\x04"
                        "eval\x93."),
            "builtins.eval");
        row("INST", "(ios\nsystem\n.", "INST (0x69)");
        row("NEWOBJ",
            "c"
            "collections\nOrderedDict\n)\x81.",
            "NEWOBJ (0x81)");
        row("unknown opcode", "\xff", "unknown (0xff)");
        row("POP", "N0.", "POP (0x30)");
        row("calling a storage", "ctorch\nFloatStorage\n)R.", "torch.FloatStorage");
        row("empty", "", "0 of 1 bytes");
        row("missing end", "N", "of its pickle");
        row("empty stack", ".", "more values than it pushed");
        row("missing mark", "t.", "no mark");
        row("below the mark", "N(a.", "more values");
        row("unknown memo index", "h\x05.", "never wrote");
        row("append to None", "NNa.", "not a list");
        row("odd items", "}(NNNu.", "not a dict");
        row("build from None", "NNb.", "unexpected type");
        row("text too long",
            std::string("X\xff\xff\xff\x7f"
                        "abc",
                        8),
            "of its pickle");
        row("a number of 255 bytes", "\x8a\xff" + std::string(255, '\1') + ".", "255 bytes");
        row("very long name", "c" + std::string(5000, 'a'), "256 characters");
        row("list that contains itself", "]q" + std::string(1, '\0') + "h" + std::string(1, '\0') + "a.",
            "nested too deeply");
        row("tensor without arguments", "ctorch._utils\n_rebuild_tensor_v2\n)R.", "too few arguments");
        row("reference without a storage", ")Q.", "not a storage");
        std::string many(2'000'000, 'N');
        many.push_back('.');  // g++ 12 warns about operator+
        row("two million values", many, "a million values");
        row(
            "billions of billions",
            [] {
                // Each list contains the previous one ten times.
                std::string text = "]q" + std::string(1, '\0');
                for (char i = 0; i < 14; ++i) {
                    text += "](";
                    for (int k = 0; k < 10; ++k) text += std::string("h") + i;
                    text += std::string("eq") + static_cast<char>(i + 1);
                }
                return text + ".";
            }(),
            "too often");
    }
    void invalid_pickles_are_refused() {
        QFETCH(QByteArray, pickle);
        QFETCH(QString, reason);
        const auto message = refusal_of_pickle(pickle.toStdString());
        QVERIFY2(message.find(reason.toStdString()) != std::string::npos, message.c_str());
    }

    void every_prefix_of_an_archive_is_refused() {
        const auto good = contents_of(test_data("weights/state_dict.pt"));
        for (std::size_t size = 0; size < good.size(); size += 7)
            QVERIFY(!refusal_of_file(good.substr(0, size)).empty());
        QVERIFY(refusal_of_file(good).empty());
    }

    /// Changes every byte of an archive in turn. The reader must throw Error, or return only tensors inside the file.
    void damage_never_crashes() {
        const auto good = contents_of(test_data("weights/tensors.pt"));
        const auto file = fs::path(folder_.path().toStdString()) / "x.pt";
        int refused = 0;
        for (std::size_t at = 0; at < good.size(); at += 3) {
            auto bad = good;
            bad[at] = static_cast<char>(bad[at] ^ 0x41);
            std::ofstream(file, std::ios::binary) << bad;
            try {
                const auto reader = open_checkpoint(file);
                for (const auto& entry : reader->entries()) reader->read(entry.name).to(at::kDouble).sum();
            } catch (const Error&) {
                ++refused;
            }
        }
        QVERIFY(refused > 100);
    }
};

QTEST_GUILESS_MAIN(TestPickle)
#include "test_pickle.moc"
