#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>

#include "core/jobs/model_fingerprint.h"
#include "tests/support/failing_calls.h"
#include "tests/support/file_bytes.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using testing::code_of;
using testing::contents_of;

namespace {

namespace fs = std::filesystem;

const fs::path kModel = fs::path(KINESCOPE_TEST_DATA) / "wan_t2v/model";

std::string fingerprint_of(const ModelFiles& files, const std::vector<LoraRequest>& loras = {}) {
    return model_identity(files, loras).fingerprint;
}

void flip_a_bit(const fs::path& file, std::uintmax_t offset) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(offset));
    const int byte = stream.get();
    stream.seekp(static_cast<std::streamoff>(offset));
    stream.put(static_cast<char>(byte ^ 16));
}

/// Replaces a text that the file contains.
void replace_in(const fs::path& file, const std::string& from, const std::string& to) {
    std::string text = contents_of(file);
    const auto found = text.find(from);
    QVERIFY2(found != std::string::npos, text.c_str());
    std::ofstream(file, std::ios::binary) << text.replace(found, from.size(), to);
}

}  // namespace

class TestModelFingerprint : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    fs::path file(const char* name) const { return folder_->filePath(name).toStdString(); }
    /// Returns a copy of the model, whose files have other times.
    fs::path copied_model() const {
        fs::copy(kModel, file("model"), fs::copy_options::recursive);
        return file("model");
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void a_model_is_identified_by_its_weights() {
        const auto files = read_model_files(kModel);
        QCOMPARE(fingerprint_of(files).size(), std::size_t{16});
        QCOMPARE(fingerprint_of(files), fingerprint_of(read_model_files(kModel)));
        auto changed = files;
        changed.components.erase("vae");
        QVERIFY(fingerprint_of(changed) != fingerprint_of(files));
        const std::vector<LoraRequest> loras{{.path = file("lora.safetensors")}};
        std::ofstream(loras[0].path) << "one";
        const std::string with_lora = fingerprint_of(files, loras);
        QVERIFY(with_lora != fingerprint_of(files));
        std::ofstream(loras[0].path) << "two";
        QVERIFY(fingerprint_of(files, loras) != with_lora);
        const std::vector<LoraRequest> peft{{.path = file("adapter_model.safetensors")}};
        std::ofstream(peft[0].path) << "one";
        const std::string without_config = fingerprint_of(files, peft);
        std::ofstream(file("adapter_config.json")) << "{}";
        QVERIFY(fingerprint_of(files, peft) != without_config);
    }

    void a_copied_model_is_the_same() {
        const auto files = read_model_files(copied_model());
        QCOMPARE(fingerprint_of(files), fingerprint_of(read_model_files(kModel)));
        QVERIFY(model_identity(files).sampled.empty());
    }

    /// Samples would miss it.
    void one_bit_of_a_small_file_makes_another_model() {
        const fs::path model = copied_model();
        const fs::path weights = model / "vae" / "diffusion_pytorch_model.safetensors";
        flip_a_bit(weights, fs::file_size(weights) / 64 * 30 + 5003);
        QVERIFY(fingerprint_of(read_model_files(model)) != fingerprint_of(read_model_files(kModel)));
    }

    void another_setting_makes_another_model_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<bool>("is_of_a_network");
        const auto row = [](const char* name, const char* from, const char* to, bool is_of_a_network) {
            QTest::newRow(name) << name << from << to << is_of_a_network;
        };
        row("model_index.json", "\"expand_timesteps\": false", "\"expand_timesteps\": true", false);
        row("scheduler/scheduler_config.json", "\"flow_shift\": 3.0", "\"flow_shift\": 5.0", false);
        row("transformer/config.json", "1e-06", "1e-03", true);
        row("vae/config.json", "-0.7571", "0.2429", true);
        row("text_encoder/config.json", "1e-06", "1e-03", true);
        row("tokenizer/spiece.model", "<unk>", "<unq>", false);
        row("tokenizer/tokenizer_config.json", "<extra_id_0>", "<extra_id_9>", false);
    }
    /// What the guard has learned applies to the networks, whatever the tokenizer and the schedule.
    void another_setting_makes_another_model() {
        QFETCH(QString, name);
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(bool, is_of_a_network);
        const fs::path model = copied_model();
        replace_in(model / name.toStdString(), from.toStdString(), to.toStdString());
        const ModelIdentity before = model_identity(read_model_files(kModel));
        const ModelIdentity after = model_identity(read_model_files(model));
        QVERIFY(after.fingerprint != before.fingerprint);
        QCOMPARE(after.networks != before.networks, is_of_a_network);
    }

    void other_weights_make_other_networks() {
        const fs::path model = copied_model();
        const fs::path weights = model / "vae" / "diffusion_pytorch_model.safetensors";
        flip_a_bit(weights, fs::file_size(weights) / 2);
        const auto files = read_model_files(model);
        QVERIFY(model_identity(files).networks != model_identity(read_model_files(kModel)).networks);
        const std::vector<LoraRequest> loras{{.path = file("lora.safetensors")}};
        std::ofstream(loras[0].path) << "one";
        QVERIFY(model_identity(files, loras).networks != model_identity(files).networks);
    }

    void a_tokenizer_json_counts_only_if_it_is_read() {
        const fs::path model = copied_model();
        replace_in(model / "tokenizer/tokenizer.json", "<unk>", "<unq>");
        QCOMPARE(fingerprint_of(read_model_files(model)), fingerprint_of(read_model_files(kModel)));
        fs::remove(model / "tokenizer/spiece.model");
        const std::string changed = fingerprint_of(read_model_files(model));
        replace_in(model / "tokenizer/tokenizer.json", "<unq>", "<unk>");
        QVERIFY(fingerprint_of(read_model_files(model)) != changed);
    }

    /// Hashing all of a large model would take minutes.
    void the_time_of_a_large_file_is_kept_beside_its_samples() {
        const auto files = read_model_files(kModel);
        const std::vector<LoraRequest> loras{{.path = file("large.safetensors")}};
        std::ofstream(loras[0].path) << "one";
        fs::resize_file(loras[0].path, std::uintmax_t{kMostHashedBytes} + 1);
        const std::string before = fingerprint_of(files, loras);
        const auto sampled = model_identity(files, loras).sampled;
        QCOMPARE(sampled.size(), std::size_t{1});
        QCOMPARE(sampled[0].path, loras[0].path);

        flip_a_bit(loras[0].path, fs::file_size(loras[0].path) / 64 * 30 + 5003);
        fs::last_write_time(loras[0].path, fs::last_write_time(loras[0].path) + std::chrono::seconds(2));
        QCOMPARE(fingerprint_of(files, loras), before);
        QVERIFY(model_identity(files, loras).sampled.at(0).modified_ns != sampled[0].modified_ns);

        flip_a_bit(loras[0].path, 0);
        QVERIFY(fingerprint_of(files, loras) != before);
    }

    /// The steps of a job would count as those of another model. A file whose name leads back to itself stands for
    /// storage that does not answer.
    void weights_that_cannot_be_read_now_do_not_make_another_model() {
        const auto files = read_model_files(kModel);
        const fs::path loop = file("loop.safetensors");
        fs::create_symlink(loop.filename(), loop);
        auto unreadable = files;
        unreadable.components.at("vae").weights = loop;
        QCOMPARE(code_of([&] { fingerprint_of(unreadable); }), ErrorCode::file_unreadable);
        QCOMPARE(code_of([&] { fingerprint_of(files, {{.path = loop}}); }), ErrorCode::file_unreadable);
        const fs::path model = copied_model();
        fs::remove(model / "tokenizer" / "spiece.model");
        fs::create_symlink("spiece.model", model / "tokenizer" / "spiece.model");
        QCOMPARE(code_of([&] { fingerprint_of(read_model_files(model)); }), ErrorCode::file_unreadable);
        std::optional<ErrorCode> of_failing_disk;
        const bool is_called = testing::call_with_error(
            SYS_pread64, EIO, [&] { of_failing_disk = code_of([&] { fingerprint_of(files); }); });
        if (!is_called) QSKIP("system calls cannot be filtered here");
        QCOMPARE(of_failing_disk, ErrorCode::file_unreadable);
    }
};

QTEST_GUILESS_MAIN(TestModelFingerprint)
#include "test_model_fingerprint.moc"
