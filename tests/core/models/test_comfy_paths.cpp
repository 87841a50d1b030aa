#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include "core/api/error.h"
#include "core/models/discovery/companion_search.h"
#include "core/models/discovery/model_files.h"
#include "core/models/discovery/model_folders.h"
#include "core/models/model_family.h"
#include "tests/support/as_nobody.h"
#include "tests/support/golden.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace fs = std::filesystem;

namespace {

void write_text(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

/// Returns one line for each folder: "KIND FOLDER", with the list's own folder as ".".
QString shown(const std::vector<KindFolder>& folders, const fs::path& root) {
    QStringList lines;
    for (const auto& [kind, folder] : folders)
        lines << QString::fromStdString(kind + ' ' + folder.string()).replace(root.c_str(), ".");
    return lines.join('\n');
}

}  // namespace

class TestComfyPaths : public QObject {
    Q_OBJECT

    QTemporaryDir dir_;
    const fs::path root_ = dir_.path().toStdString();
    const fs::path list_ = root_ / "extra_model_paths.yaml";

    void copy(const char* part, const fs::path& to) const {
        fs::create_directories(to.parent_path());
        fs::copy(test_data(part), to, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    }

private Q_SLOTS:
    void init() {
        fs::remove_all(root_);
        fs::create_directories(root_);
        qputenv("HOME", "/home/ada");
        qputenv("KINESCOPE_TEST_DISK", "/disk");
        qputenv("XDG_CONFIG_HOME", (root_ / "config").c_str());
        qunsetenv("KINESCOPE_MODELS");
    }

    void foldersAreRead_data() {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QString>("folders");
        const auto row = [](const char* name, const char* yaml, const char* folders) {
            QTest::newRow(name) << QByteArray(yaml) << QString(folders);
        };
        row("base path, and former names", "comfyui:\n  base_path: /c\n  unet: models/unet/\n  clip: models/clip\n",
            "diffusion_models /c/models/unet\ntext_encoders /c/models/clip");
        row("several lines", "a:\n  base_path: /a\n  vae: |\n    one\n\n    two\n  checkpoints: |\n       three\n",
            "vae /a/one\nvae /a/two\ncheckpoints /a/three");
        row("absolute below a base path", "a: {base_path: /a, vae: /b}\n", "vae /b");
        row("without a base path", "a:\n  vae: models/vae\n", "vae ./models/vae");
        row("relative base path", "a:\n  base_path: ../x\n  vae: v\n", "vae ./../x/v");
        row("home and variables",
            "a: {base_path: ~/m, vae: v}\nb: {base_path: '${KINESCOPE_TEST_DISK}/$NOT_SET', vae: v}\n",
            "vae /home/ada/m/v\nvae /disk/$NOT_SET/v");
        row("default sections first", "a: {vae: /a}\nb: {is_default: true, vae: /b}\nc: {vae: /c}\n",
            "vae /b\nvae /a\nvae /c");
        row("other kinds and deeper values are skipped",
            "a:\n  custom_nodes: x\n  configs: [1, {two: three}]\n  embeddings: *nothing\n  vae: /v\n", "vae /v");
        row("LoRAs and upscalers", "a: {base_path: /a, loras: models/loras, upscale_models: up}\n",
            "loras /a/models/loras\nupscale_models /a/up");
        row("comments only", "# a1111:\n#   vae: x\n", "");
        row("empty", "", "");
        row("sections without lines", "a:\nb: ~\nc: null\nd: {vae: }\ne: {}\n", "");
        row("Windows line ends and quotes", "a:\r\n  base_path: '/a b'\r\n  vae: \"v\"\r\n", "vae /a b/v");
        row("names in Chinese", "a: {base_path: /模型, vae: 解码器}\n", "vae /模型/解码器");
    }
    void foldersAreRead() {
        QFETCH(QByteArray, yaml);
        QFETCH(QString, folders);
        write_text(list_, yaml.toStdString());
        const QString expected =
            folders.replace("./../x", QString::fromStdString((root_.parent_path() / "x").string()));
        QCOMPARE(shown(read_comfy_paths(list_), root_), expected);
    }

    void badListsNameTheLine_data() {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const QByteArray& yaml, const char* words) {
            QTest::newRow(name) << yaml << QString(words);
        };
        row("a list instead of sections", "- a\n", "line 1: expected sections such as 'comfyui:'");
        row("text instead of sections", "models\n", "line 1: expected sections");
        row("a section with text", "a: b\nc: d\n", "line 1: the section 'a' contains no lines");
        row("a section with a long name", QByteArray("\xe6\xa8\xa1").repeated(20) + ": b\n",
            "the section '\xe6\xa8\xa1\xe6\xa8\xa1\xe6\xa8\xa1\xe6\xa8\xa1\xe6\xa8\xa1\xe6\xa8\xa1\xe6\xa8\xa1"
            "\xe6\xa8\xa1\xe6\xa8\xa1\xe6\xa8\xa1\xe6\xa8\xa1\xe6\xa8\xa1\xe6\xa8\xa1...' contains no lines");
        row("folders as a list", "a:\n  vae:\n    - x\n", "line 3: 'vae' is not a path");
        row("an alias", "a: &a\n  vae: x\nb:\n  vae: *a\n", "line 4: 'vae' is an alias");
        row("is_default", "a:\n  is_default: maybe\n", "line 2: 'is_default' is neither true nor false");
        row("a tab", "a:\n\tvae: x\n", "line 2: ");
        row("unfinished quotes", "a:\n  vae: \"x\n", "line 3: ");
        row("a backslash in quotes", "a:\n  vae: \"C:\\Users\"\n", "line 2: ");
        row("no UTF-8", "a:\n  vae: caf\xe9 x\n", "line 2: invalid trailing UTF-8 octet (the file must be UTF-8 text)");
        row("a control character", "a:\n\n  vae: \x01\n", "line 3: control characters are not allowed");
        row("a null character in a path", "a:\n  vae: \"a\\0b\"\n", "line 2: 'vae' contains a null character");
        row("several documents", "a: {}\n---\nb: {}\n", "line 2: contains several documents");
        row("a name that is a list", "? [a]\n: b\n", "line 1: expected a name followed by a colon");
        row("nested deeply", "a:\n  x: " + QByteArray(100'000, '['), "line 2: is nested too deeply");
        row("too many folders", "a:\n  vae: |\n" + QByteArray("    x\n").repeated(257),
            "there are more than 256 folders");
        row("a picture", QByteArray("\x89PNG\r\n\x1a\n", 8), "line 1: ");
    }
    void badListsNameTheLine() {
        QFETCH(QByteArray, yaml);
        QFETCH(QString, words);
        write_text(list_, yaml.toStdString());
        const Error error = thrown_by([&] { read_comfy_paths(list_); });
        QCOMPARE(error.code(), ErrorCode::bad_config);
        const QString message = QString::fromStdString(error.message());
        QVERIFY2(message.startsWith(QString::fromStdString(list_.string())), error.what());
        QVERIFY2(message.contains(words), error.what());
    }

    void aliasesAreNotFollowed() {
        std::string bomb = "section:\n  a: &a [x, x]\n";
        for (char c = 'b'; c <= 'z'; ++c) {
            const std::string before = "*" + std::string(1, static_cast<char>(c - 1));
            bomb += std::string("  ") + c + ": &" + c + " [" + before + ", " + before + "]\n";
        }
        write_text(list_, bomb + "  vae: /v\n");
        QCOMPARE(shown(read_comfy_paths(list_), root_), QStringLiteral("vae /v"));
    }

    void aHugeFileIsRefused() {
        write_text(list_, std::string(300 * 1024, '#'));
        const Error error = thrown_by([&] { read_comfy_paths(list_); });
        QCOMPARE(error.code(), ErrorCode::file_unreadable);
        QVERIFY2(error.message().find("307200 bytes") != std::string::npos, error.what());
        QCOMPARE(thrown_by([&] { read_comfy_paths(root_ / "nowhere.yaml"); }).code(), ErrorCode::file_not_found);
    }

    void listsAreFoundByNameAndBesideModelFolders_data() {
        QTest::addColumn<QString>("entry");
        for (const char* entry : {"ComfyUI", "ComfyUI/models", "ComfyUI/models/", "ComfyUI/extra_model_paths.yaml"})
            QTest::newRow(entry) << entry;
    }
    void listsAreFoundByNameAndBesideModelFolders() {
        QFETCH(QString, entry);
        fs::create_directories(root_ / "ComfyUI/models");
        fs::create_directories(root_ / "disk/vae");
        fs::create_directories(root_ / "disk/unet");
        write_text(root_ / "ComfyUI/extra_model_paths.yaml",
                   "a:\n  base_path: ../disk\n  vae: vae\n  unet: unet\n  checkpoints: missing\n");
        qputenv("KINESCOPE_MODELS", (root_ / entry.toStdString()).c_str());
        const ModelFolders found = configured_model_folders();
        QCOMPARE(shown(found.kinds, root_), QStringLiteral("vae ./disk/vae\ndiffusion_models ./disk/unet"));
        QCOMPARE(found.folders.size(), entry.endsWith(".yaml") ? 0U : 1U);
        const std::vector<fs::path> scanned = scanned_folders(found);
        QVERIFY(std::ranges::find(scanned, root_ / "disk/unet") != scanned.end());
        QVERIFY(std::ranges::find(scanned, root_ / "disk/vae") == scanned.end());
    }

    void missingFoldersAreReported() {
        fs::create_directories(root_ / "models");
        const std::string entries = (root_ / "nowhere").string() + ":" + (root_ / "models").string();
        qputenv("KINESCOPE_MODELS", entries.c_str());
        const ModelFolders found = configured_model_folders();
        QCOMPARE(found.unusable.size(), 1U);
        QVERIFY((found.unusable[0] == UnusableFolder{root_ / "nowhere", "does not exist"}));
        QCOMPARE(found.folders, std::vector<fs::path>{root_ / "models"});
    }

    void foldersWithoutPermissionAreReported() {
        const fs::path models = root_ / "locked/models";
        fs::create_directories(models);
        qputenv("KINESCOPE_MODELS", models.c_str());
        for (const fs::path& locked : {models, models.parent_path()}) {
            fs::permissions(root_, fs::perms(0755));
            fs::permissions(locked, fs::perms::none);
            const auto found = [] {
                const AsNobody nobody;
                return configured_model_folders();
            }();
            fs::permissions(locked, fs::perms(0755));
            QCOMPARE(found.unusable.size(), 1U);
            QCOMPARE(found.unusable[0].path, models);
            QVERIFY2(found.unusable[0].fault.starts_with("cannot be read: "), found.unusable[0].fault.c_str());
        }
    }

    void anUnusableListDoesNotHideOtherFolders() {
        fs::create_directories(root_ / "ComfyUI/models");
        write_text(root_ / "ComfyUI/extra_model_paths.yaml", "- a\n");
        qputenv("KINESCOPE_MODELS", (root_ / "ComfyUI/models").c_str());
        const ModelFolders found = configured_model_folders();
        QCOMPARE(found.folders.size(), 1U);
        QCOMPARE(found.unusable_lists, std::vector<fs::path>{root_ / "ComfyUI/extra_model_paths.yaml"});
    }

    void componentsAreFoundInListedFolders() {
        // The transformer is alone; the VAE is in a folder that only the list names.
        copy("wan_t2v/model/transformer/diffusion_pytorch_model.safetensors", root_ / "elsewhere/wan.safetensors");
        copy("wan_t2v/model/transformer/config.json", root_ / "elsewhere/config.json");
        copy("wan_t2v/model/vae/diffusion_pytorch_model.safetensors", root_ / "disk/decoders/vae.safetensors");
        qputenv("KINESCOPE_MODELS", list_.c_str());
        const auto vae_of = [&] { return read_model_files(root_ / "elsewhere/wan.safetensors").components.at("vae"); };
        write_text(list_, "a:\n  base_path: disk\n  text_encoders: decoders\n");
        QVERIFY(!vae_of().missing.empty());
        write_text(list_, "a:\n  base_path: disk\n  vae: decoders\n");
        QCOMPARE(vae_of().weights, root_ / "disk/decoders/vae.safetensors");
    }

    void filesAreFoundByName() {
        write_text(list_, "a:\n  base_path: disk\n  loras: styles\n  upscale_models: up\n");
        write_text(root_ / "disk/styles/ink.safetensors", "ink");
        write_text(root_ / "disk/up/2x.pth", "2x");
        write_text(root_ / "ComfyUI/models/loras/oil.safetensors", "oil");
        write_text(root_ / "ComfyUI/models/loras/ink.safetensors", "another");
        const std::string both = list_.string() + ":" + (root_ / "ComfyUI").string();
        qputenv("KINESCOPE_MODELS", both.c_str());
        QCOMPARE(named_file("ink.safetensors", kLoraKind), root_ / "disk/styles/ink.safetensors");
        QCOMPARE(named_file("oil.safetensors", kLoraKind), root_ / "ComfyUI/models/loras/oil.safetensors");
        QCOMPARE(named_file("2x.pth", kUpscalerKind), root_ / "disk/up/2x.pth");
        for (const fs::path& other :
             {fs::path("2x.pth"), fs::path("./ink.safetensors"), root_ / "none/ink.safetensors", fs::path()})
            QCOMPARE(named_file(other, kLoraKind), other);
    }

    void aListIsNoModel() {
        const auto error_for = [&](const char* yaml) {
            write_text(list_, yaml);
            try {
                read_model_files(list_);
            } catch (const Error& error) {
                return error;
            }
            return Error(ErrorCode::internal, "accepted");
        };
        QCOMPARE(error_for("a: {vae: v}\n").code(), ErrorCode::model_unknown);
        const Error broken = error_for("a:\n  vae: [v]\n");
        QCOMPARE(broken.code(), ErrorCode::bad_config);
        QVERIFY2(broken.message().find("line 2") != std::string::npos, broken.what());
    }
};

QTEST_GUILESS_MAIN(TestComfyPaths)
#include "test_comfy_paths.moc"
