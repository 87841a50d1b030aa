#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <fstream>

#include "core/api/error.h"
#include "core/base/json.h"
#include "core/base/mapped_file.h"
#include "core/tokenizers/tokenizer.h"
#include "tests/support/file_bytes.h"

using namespace kinescope;
using testing::contents_of;
namespace fs = std::filesystem;

using Ids = std::vector<std::int64_t>;

namespace {

const fs::path kData = KINESCOPE_TEST_DATA "/tokenizers";
constexpr std::int64_t kNoLimit = 1'000'000;

void write_text(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

/// Returns the JSON header of a safetensors file.
std::string_view header_of(const MappedFile& file) {
    const auto* bytes = reinterpret_cast<const char*>(file.bytes().data());
    std::uint64_t length = 0;
    std::memcpy(&length, bytes, sizeof length);
    return {bytes + sizeof length, length};
}

Ids read_ids(const fs::path& file, const char* name) {
    const auto mapped = MappedFile::open(file);
    const std::string_view header = header_of(*mapped);
    const char* values = header.data() + header.size();
    const auto offsets = parse_json(header).at(name).at("data_offsets").get<std::vector<std::size_t>>();
    Ids ids((offsets[1] - offsets[0]) / sizeof(std::int64_t));
    std::memcpy(ids.data(), values + offsets[0], offsets[1] - offsets[0]);
    while (!ids.empty() && ids.back() == 0) ids.pop_back();
    return ids;
}

QString text_of(const Ids& ids) {
    return QString::fromStdString(Json(ids).dump());
}

}  // namespace

class TestTokenizers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        temporary_ = std::make_unique<QTemporaryDir>();
        folder_ = temporary_->path().toStdString();
    }

    void ids_equal_the_reference_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("file");
        for (const QString kind : {"t5", "umt5"}) {
            for (const QString file : {"spiece.model", "tokenizer.json"}) {
                QTest::addRow("%s of %s", qPrintable(file), qPrintable(kind)) << kind << file;
            }
        }
    }
    void ids_equal_the_reference() {
        QFETCH(QString, kind);
        QFETCH(QString, file);
        const fs::path source = kData / kind.toStdString();
        for (const auto& name : {file.toStdString(), std::string("tokenizer_config.json")})
            fs::copy_file(source / name, folder_ / name);
        const auto tokenizer = load_tokenizer(folder_);
        QCOMPARE(tokenizer->pad_id(), 0);
        for (const Json& row : read_json(kData / "prompts.json")) {
            const auto cleaned = row["cleaned"].get<std::string>();
            if (file == "spiece.model" && row["only_json"].get<bool>()) continue;
            const auto ids = tokenizer->encode(cleaned, kNoLimit);
            const auto about =
                row["cleaned"].dump() + " gave " + Json(ids).dump() + " instead of " + row[kind.toStdString()].dump();
            QVERIFY2(row[kind.toStdString()] == ids, about.c_str());
        }
    }

    void nmt_nfkc_matches_the_reference() {
        const fs::path folder = KINESCOPE_TEST_DATA "/cogvideox";
        const auto tokenizer = load_tokenizer(folder / "t2v/model/tokenizer");
        int others = 0;
        for (const Json& row : read_json(folder / "prompts.json")) {
            others += row.contains("sentencepiece") ? 1 : 0;
            const Json& expected = row.contains("sentencepiece") ? row["sentencepiece"] : row["ids"];
            const auto ids = tokenizer->encode(row["prompt"].get<std::string>(), kNoLimit);
            const auto about = row["prompt"].dump() + " gave " + Json(ids).dump() + " instead of " + expected.dump();
            QVERIFY2(expected == ids, about.c_str());
        }
        QCOMPARE(others, 11);
    }

    void prompts_of_the_reference_cases_have_its_ids_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"wan_t2v", "wan_t2v_euler"}) QTest::newRow(name) << name;
    }
    void prompts_of_the_reference_cases_have_its_ids() {
        QFETCH(QString, name);
        const fs::path folder = fs::path(KINESCOPE_TEST_DATA) / name.toStdString();
        const Json request = read_json(folder / "request.json");
        const auto tokenizer = load_tokenizer(folder / request["model"].get<std::string>() / "tokenizer");
        const auto max_length = request["max_sequence_length"].get<std::int64_t>();
        for (const auto& [field, tensor] :
             {std::pair{"prompt", "input_ids"}, {"negative_prompt", "negative_input_ids"}}) {
            const auto ids = tokenizer->encode(clean_prompt(request[field].get<std::string>()), max_length);
            const auto expected = read_ids(folder / "expected.safetensors", tensor);
            QVERIFY(!expected.empty());
            QVERIFY2(ids == expected, qPrintable(text_of(ids) + " instead of " + text_of(expected)));
        }
    }

    void truncation_keeps_the_end_token() {
        for (const char* kind : {"t5", "umt5"}) {
            const auto tokenizer = load_tokenizer(kData / kind);
            const auto whole = tokenizer->encode("a red panda dances in the rain", kNoLimit);
            QCOMPARE(whole.back(), 1);
            auto cut = tokenizer->encode("a red panda dances in the rain", 4);
            QCOMPARE(text_of(cut), text_of({whole[0], whole[1], whole[2], 1}));
            const auto exact = static_cast<std::int64_t>(whole.size());
            QCOMPARE(text_of(tokenizer->encode("a red panda dances in the rain", exact)), text_of(whole));
            QCOMPARE(text_of(tokenizer->encode("a red panda", 1)), text_of({1}));
            QCOMPARE(text_of(tokenizer->encode("", 512)), text_of({1}));
            QVERIFY_THROWS_EXCEPTION(Error, tokenizer->encode("a", 0));
        }
    }

    void the_unknown_id_is_that_of_the_file() {
        QCOMPARE(text_of(load_tokenizer(kData / "t5")->encode("☂☃", 9)),
                 text_of(load_tokenizer(kData / "t5")->encode("☂", 9)));
        const auto t5 = load_tokenizer(kData / "t5")->encode("☂☃☂", 9),
                   umt5 = load_tokenizer(kData / "umt5")->encode("☂☃☂", 9);
        QCOMPARE(t5.size(), std::size_t{3});
        QCOMPARE(t5[1], 2);
        QCOMPARE(umt5.size(), std::size_t{3});
        QCOMPARE(umt5[1], 3);
    }

    void very_long_prompts_are_truncated() {
        for (const char* file : {"spiece.model", "tokenizer.json"}) {
            fs::copy_file(kData / "umt5" / file, folder_ / file);
            const auto tokenizer = load_tokenizer(folder_);
            for (const char* unit : {"red fox ", "x", "☂", "色调艳丽,", "<"}) {
                const auto ids = tokenizer->encode(
                    QByteArray(unit).repeated(100'000 / qsizetype(std::strlen(unit))).toStdString(), 512);
                QVERIFY(ids.size() <= 512);
                QCOMPARE(ids.back(), 1);
            }
            fs::remove(folder_ / file);
        }
    }

    void invalid_utf8_is_refused() {
        fs::copy_file(kData / "umt5/tokenizer.json", folder_ / "tokenizer.json");
        for (const auto& folder : {kData / "umt5", folder_}) {
            const auto tokenizer = load_tokenizer(folder);
            QVERIFY_THROWS_EXCEPTION(Error, tokenizer->encode("caf\xe9", 512));
        }
    }

    void unusable_folders_are_refused_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const char* file, const QByteArray& text, const char* reason) {
            QTest::newRow(name) << file << text << reason;
        };
        row("empty folder", "", "", "neither spiece.model nor tokenizer.json");
        row("empty model", "spiece.model", "", "empty");
        row("text instead of a model", "spiece.model", "this is text and no model", "spiece.model");
        row("LFS pointer", "spiece.model", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
            "spiece.model");
        row("invalid JSON", "tokenizer.json", "{", "parse error");
        row("empty object", "tokenizer.json", "{}", "model");
        row("a list", "tokenizer.json", "[]", "tokenizer.json");
        row("byte pair encoding", "tokenizer.json", R"({"model":{"type":"BPE"}})", "'BPE'");
        row("unknown id beyond the pieces", "tokenizer.json",
            R"({"model":{"type":"Unigram","unk_id":5,"vocab":[["a",-1]]}})", "unk_id 5");
        row("no unknown id", "tokenizer.json", R"({"model":{"type":"Unigram","unk_id":null,"vocab":[["a",-1]]}})",
            "unk_id null");
        row("negative unknown id", "tokenizer.json", R"({"model":{"type":"Unigram","unk_id":-1,"vocab":[["a",-1]]}})",
            "unk_id -1");
        row("piece without score", "tokenizer.json", R"({"model":{"type":"Unigram","unk_id":0,"vocab":[["a"]]}})",
            "[text, score]");
        row("piece of a wrong type", "tokenizer.json", R"({"model":{"type":"Unigram","unk_id":0,"vocab":[[1,"a"]]}})",
            "tokenizer.json");
        row("another normalizer", "tokenizer.json",
            R"({"normalizer":{"type":"NFKC"},"pre_tokenizer":null,"model":{"type":"Unigram","unk_id":0,"vocab":[["a",-1]]}})",
            "NFKC");
        row("another pre_tokenizer", "tokenizer.json",
            R"({"normalizer":null,"pre_tokenizer":{"type":"ByteLevel"},"model":{"type":"Unigram","unk_id":0,"vocab":[["a",-1]]}})",
            "ByteLevel");
        row("no end token", "tokenizer.json",
            R"({"normalizer":null,"pre_tokenizer":{"type":"Metaspace","replacement":"▁"},"model":{"type":"Unigram","unk_id":0,"vocab":[["a",-1]]},)"
            R"("added_tokens":[{"id":0,"content":"<pad>"}]})",
            "</s>");
    }
    void unusable_folders_are_refused() {
        QFETCH(QString, file);
        QFETCH(QByteArray, text);
        QFETCH(QString, reason);
        if (!file.isEmpty()) write_text(folder_ / file.toStdString(), text.toStdString());
        try {
            load_tokenizer(folder_);
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::tokenizer_invalid);
            QVERIFY2(QString(error.what()).contains(reason), error.what());
        }
    }

    /// Appends a second normalizer_spec to a valid model. Its trie contains offsets that are out of bounds.
    void rules_with_offsets_outside_the_trie_are_refused_data() {
        QTest::addColumn<quint32>("root");
        QTest::addColumn<bool>("sound");
        QTest::newRow("inside") << quint32{0} << true;
        QTest::newRow("just outside") << quint32{256U << 10} << false;
        QTest::newRow("far outside") << quint32{0x7FFFFE00} << false;
        QTest::newRow("text beyond the texts") << quint32{1U << 10 | 1U << 8} << false;
    }
    void rules_with_offsets_outside_the_trie_are_refused() {
        QFETCH(quint32, root);
        QFETCH(bool, sound);
        std::vector<std::uint32_t> units(257, 0);
        units[0] = 256 * sizeof(std::uint32_t);  // the size of the trie in bytes; its units follow
        units[1] = root;
        units[2] = 0x80000009;  // a value that refers to the text at offset 9
        std::string charsmap(reinterpret_cast<const char*>(units.data()), units.size() * sizeof(std::uint32_t));
        charsmap += std::string("text\0", 5);
        const auto field = [](char tag, const std::string& content) {
            const auto size = content.size();
            return std::string{tag, static_cast<char>((size & 0x7F) | 0x80), static_cast<char>(size >> 7)} + content;
        };
        write_text(folder_ / "spiece.model",
                   contents_of(kData / "t5/spiece.model") + field('\x1a', field('\x12', charsmap)));
        try {
            load_tokenizer(folder_)->encode("a red panda", 16);
            QVERIFY(sound);
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::tokenizer_invalid);
            QVERIFY2(!sound && QString(error.what()).contains("normalization rules"), error.what());
        }
    }

    /// A damaged model is rejected or works, but never crashes.
    void damaged_models_never_crash() {
        const std::string good = contents_of(kData / "t5/spiece.model");
        int refused = 0;
        const auto load = [&](const std::string& model) {
            write_text(folder_ / "spiece.model", model);
            try {
                load_tokenizer(folder_)->encode("a red panda ☂, 色", 16);
            } catch (const Error& error) {
                QCOMPARE(error.code(), ErrorCode::tokenizer_invalid);
                ++refused;
            }
        };
        for (std::size_t size = 0; size < good.size(); size += 97) load(good.substr(0, size));
        for (std::size_t at = 0; at < good.size(); at += 31) {
            std::string bad = good;
            bad[at] = static_cast<char>(bad[at] ^ 0xFF);
            load(bad);
        }
        QVERIFY(refused > 20);
    }

private:
    std::unique_ptr<QTemporaryDir> temporary_;
    fs::path folder_;
};

QTEST_GUILESS_MAIN(TestTokenizers)
#include "test_tokenizers.moc"
