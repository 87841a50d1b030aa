#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <fstream>
#include <functional>
#include <span>

#include "core/api/error.h"
#include "core/base/json.h"
#include "core/weights/formats/safetensors_header.h"
#include "core/weights/formats/safetensors_reader.h"
#include "core/weights/formats/safetensors_writer.h"

using namespace kinescope;

namespace {

/// Returns the content of a file with this header and `data_bytes` bytes of data.
std::string file_with(const std::string& header, std::size_t data_bytes) {
    const std::uint64_t length = header.size();
    std::string file(sizeof length, '\0');
    std::memcpy(file.data(), &length, sizeof length);
    return file + header + std::string(data_bytes, '\0');
}

/// Returns a header with one tensor that has the given fields.
std::string one_tensor(const std::string& dtype, const std::string& shape, const std::string& offsets) {
    std::string header =
        R"({"a":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    return header;
}

std::string padded(std::string header) {
    header.resize((header.size() + 7) / 8 * 8, ' ');
    return header;
}

ErrorCode refusal_of(const std::string& file, std::string& message) {
    try {
        parse_safetensors_header(std::as_bytes(std::span(file)), "x.safetensors");
    } catch (const Error& error) {
        message = error.message();
        return error.code();
    }
    return ErrorCode::internal;
}

}  // namespace

class TestSafetensors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_dtype_round_trips_bit_for_bit() {
        QTemporaryDir folder;
        const auto file = std::filesystem::path(folder.filePath("all.safetensors").toStdString());
        const Tensor values = at::arange(-6, 6).reshape({3, 4});
        std::map<std::string, Tensor> tensors;
        for (const auto dtype : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16, at::kFloat8_e4m3fn,
                                 at::kFloat8_e5m2, at::kLong, at::kInt, at::kShort, at::kChar, at::kByte, at::kBool}) {
            tensors[c10::toString(dtype)] = values.abs().to(dtype);
        }
        tensors["transposed"] = values.to(at::kFloat).t();
        tensors["scalar"] = at::scalar_tensor(2.5, at::kFloat);
        tensors["empty"] = at::empty({0, 7}, at::kHalf);
        write_safetensors(file, tensors, {{"format", "pt"}});

        const SafetensorsReader reader(file);
        QCOMPARE(reader.entries().size(), tensors.size());
        QCOMPARE(reader.metadata().at("format"), std::string("pt"));
        for (const auto& [name, tensor] : tensors) {
            const Tensor back = reader.read(name);
            QCOMPARE(back.scalar_type(), tensor.scalar_type());
            QCOMPARE(back.sizes(), tensor.sizes());
            const Tensor expected = tensor.contiguous();
            QVERIFY(expected.numel() == 0 ||
                    std::memcmp(back.const_data_ptr(), expected.const_data_ptr(), expected.nbytes()) == 0);
        }
    }

    void a_tensor_keeps_its_file_mapped_and_is_not_a_copy() {
        QTemporaryDir folder;
        const auto file = std::filesystem::path(folder.filePath("a.safetensors").toStdString());
        write_safetensors(file, {{"a", at::full({1000}, 3.0F)}});
        Tensor first;
        {
            const SafetensorsReader reader(file);
            first = reader.read("a");
            QCOMPARE(first.const_data_ptr(), reader.read("a").const_data_ptr());
        }
        std::filesystem::remove(file);
        QCOMPARE(first.sum().item<float>(), 3000.0F);
    }

    void unknown_names_are_reported() {
        QTemporaryDir folder;
        const auto file = std::filesystem::path(folder.filePath("a.safetensors").toStdString());
        write_safetensors(file, {{"a", at::zeros({1})}});
        const SafetensorsReader reader(file);
        try {
            reader.read("blocks.0.weight");
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::missing_keys);
            QVERIFY(error.message().find("blocks.0.weight") != std::string::npos);
        }
    }

    void valid_headers_are_accepted_data() {
        QTest::addColumn<QByteArray>("file");
        const auto row = [](const char* name, const std::string& file) {
            QTest::newRow(name) << QByteArray::fromStdString(file);
        };
        row("no tensors", file_with(padded("{}"), 0));
        row("one tensor", file_with(one_tensor("F32", "[2]", "[0,8]"), 8));
        row("empty shape of 0", file_with(one_tensor("F32", "[0,9]", "[0,0]"), 0));
        row("scalar", file_with(one_tensor("F32", "[]", "[0,4]"), 4));
        row("metadata", file_with(padded(R"({"__metadata__":{"a":"b"}})"), 0));
        row("order of names differs from order of data",
            file_with(padded(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},)"
                             R"("b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})"),
                      2));
    }
    void valid_headers_are_accepted() {
        QFETCH(QByteArray, file);
        std::string message;
        QCOMPARE(refusal_of(file.toStdString(), message), ErrorCode::internal);
        QVERIFY2(message.empty(), message.c_str());
    }

    void hostile_files_are_refused_with_the_reason_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const std::string& file, const char* code, const char* reason) {
            QTest::newRow(name) << QByteArray::fromStdString(file) << code << reason;
        };
        const char* truncated = "checkpoint_truncated";
        const char* corrupt = "checkpoint_corrupt";
        row("empty file", "", truncated, "0 of 8 bytes");
        row("seven bytes", std::string(7, '\0'), truncated, "7 of 8 bytes");
        row("header longer than the file", file_with(one_tensor("F32", "[2]", "[0,8]"), 8).substr(0, 40), truncated,
            "32 of 56 bytes of the header");
        row("header over 100 MB", std::string("\xff\xff\xff\xff\0\0\0\0{}", 10), corrupt, "4294967295 bytes");
        row("header of 2^64 - 1", std::string(8, '\xff') + "{}", corrupt, "18446744073709551615");
        row("LFS pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", corrupt, "git lfs pull");
        row("web page", "<!DOCTYPE html><html><body>403 Forbidden</body></html>", corrupt, "web page (HTML)");
        row("web page after a line break", "\r\n  <html lang=\"en\"></html>", corrupt, "web page (HTML)");
        row("empty header", file_with("", 0), corrupt, "bad header");
        row("invalid JSON", file_with("nonsense", 0), corrupt, "bad header");
        row("JSON cut off", file_with("{\"a\":   ", 0), corrupt, "bad header");
        row("invalid UTF-8", file_with("{\"\xff\xfe\":1}", 0), corrupt, "bad header");
        row("a list", file_with("[]      ", 0), corrupt, "not a JSON object");
        row("deep nesting", file_with(std::string(100'000, '['), 0), corrupt, "not a JSON object");
        row("deep nesting of objects",
            file_with(
                [] {
                    std::string text;
                    for (int i = 0; i < 10'000; ++i) text += "{\"a\":";
                    return text;
                }(),
                0),
            corrupt, "nested deeper");
        row("duplicate name",
            file_with(
                R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                2),
            corrupt, "\"a\" occurs twice");
        row("metadata not text", file_with(R"({"__metadata__":{"a":1}})", 0), corrupt, "__metadata__");
        row("entry is a number", file_with(padded(R"({"a":1})"), 0), corrupt, "not an object");
        row("no dtype", file_with(padded(R"({"a":{"shape":[1],"data_offsets":[0,1]}})"), 1), corrupt, "no dtype");
        row("no shape", file_with(padded(R"({"a":{"dtype":"U8","data_offsets":[0,1]}})"), 1), corrupt, "no shape");
        row("no offsets", file_with(padded(R"({"a":{"dtype":"U8","shape":[1]}})"), 1), corrupt, "no data_offsets");
        row("unknown dtype", file_with(one_tensor("F4", "[2]", "[0,1]"), 1), "unsupported", "'F4'");
        row("dtype is a number", file_with(padded(R"({"a":{"dtype":1,"shape":[1],"data_offsets":[0,1]}})"), 1), corrupt,
            "dtype is not a string");
        row("three offsets", file_with(one_tensor("F32", "[2]", "[0,8,9]"), 8), corrupt, "not two numbers");
        row("negative offset", file_with(one_tensor("F32", "[2]", "[-8,0]"), 8), corrupt, "-8");
        row("fractional offset", file_with(one_tensor("F32", "[2]", "[0,8.5]"), 8), corrupt, "8.5");
        row("offset over 2^64", file_with(one_tensor("F32", "[2]", "[0,99999999999999999999]"), 8), corrupt,
            "not a valid count");
        row("offset over 2^63", file_with(one_tensor("F32", "[2]", "[18446744073709551608,18446744073709551615]"), 8),
            corrupt, "not a valid count");
        row("backward offsets", file_with(one_tensor("F32", "[2]", "[8,0]"), 8), corrupt, "end before they begin");
        row("negative dimension", file_with(one_tensor("F32", "[-2]", "[0,8]"), 8), corrupt, "-2");
        row("shape overflows 2^64", file_with(one_tensor("F32", "[4294967296,4294967296,2]", "[0,8]"), 8), corrupt,
            "overflows");
        row("shape overflows to the right size", file_with(one_tensor("F32", "[4611686018427387906]", "[0,8]"), 8),
            corrupt, "overflows");
        row("overflow hidden behind a zero", file_with(one_tensor("F32", "[0,4294967296,4294967296]", "[0,0]"), 0),
            corrupt, "overflows");
        row("too many dimensions", file_with(one_tensor("U8", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0,1]"), 1),
            corrupt, "17 dimensions");
        row("shape smaller than the data", file_with(one_tensor("F32", "[1]", "[0,8]"), 8), corrupt, "need 4 bytes");
        row("shape larger than the data", file_with(one_tensor("F32", "[3]", "[0,8]"), 8), corrupt, "need 12 bytes");
        row("data truncated", file_with(one_tensor("F32", "[2]", "[0,8]"), 5), truncated,
            "5 of 8 bytes of tensor data");
        row("bytes after the data", file_with(one_tensor("F32", "[2]", "[0,8]"), 9), corrupt, "1 unused bytes");
        row("hole at the start", file_with(one_tensor("F32", "[2]", "[8,16]"), 16), corrupt, "gap");
        row("overlap",
            file_with(padded(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
                             R"("b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})"),
                      6),
            corrupt, "overlaps");
    }
    void hostile_files_are_refused_with_the_reason() {
        QFETCH(QByteArray, file);
        QFETCH(QString, code);
        QFETCH(QString, reason);
        std::string message;
        const auto found = refusal_of(file.toStdString(), message);
        QCOMPARE(QString::fromStdString(std::string(to_string(found))), code);
        QVERIFY2(message.find(reason.toStdString()) != std::string::npos, message.c_str());
        QVERIFY2(message.find("x.safetensors") != std::string::npos, message.c_str());
    }

    void misaligned_tensors_are_copied() {
        QTemporaryDir folder;
        const auto file = std::filesystem::path(folder.filePath("a.safetensors").toStdString());
        auto content = file_with(padded(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                                        R"("b":{"dtype":"F32","shape":[2],"data_offsets":[1,9]}})"),
                                 9);
        const float numbers[] = {1.5F, -2.0F};
        std::memcpy(content.data() + content.size() - sizeof numbers, numbers, sizeof numbers);
        std::ofstream(file, std::ios::binary) << content;
        const Tensor b = SafetensorsReader(file).read("b");
        QVERIFY(at::equal(b, at::tensor({1.5F, -2.0F})));
        QCOMPARE(reinterpret_cast<std::uintptr_t>(b.const_data_ptr()) % 4, std::uintptr_t{0});
    }

    /// Tries every prefix of a valid file and changes every byte of its header: the reader must accept or reject it
    /// without crashing.
    void damage_never_crashes() {
        const std::string good = file_with(padded(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                                                  R"("b":{"dtype":"U8","shape":[3],"data_offsets":[8,11]}})"),
                                           11);
        std::string message;
        for (std::size_t size = 0; size < good.size(); ++size) {
            QVERIFY(refusal_of(good.substr(0, size), message) != ErrorCode::internal);
        }
        int refused = 0;
        for (std::size_t at = 0; at < good.size() - 11; ++at) {
            for (const char value : {'\0', '"', '9', '{', '\xff'}) {
                std::string bad = good;
                bad[at] = value;
                refused += refusal_of(bad, message) != ErrorCode::internal;
            }
        }
        QVERIFY(refused > 300);
    }

    void a_failed_write_leaves_nothing() {
        QTemporaryDir folder;
        const auto file = std::filesystem::path(folder.filePath("a.safetensors").toStdString());
        const auto write = [&] { write_safetensors(file, {{"a", at::zeros({2}, at::kComplexFloat)}}); };
        QVERIFY_THROWS_EXCEPTION(Error, write());
        QVERIFY(std::filesystem::is_empty(folder.path().toStdString()));
    }
};

QTEST_GUILESS_MAIN(TestSafetensors)
#include "test_safetensors.moc"
