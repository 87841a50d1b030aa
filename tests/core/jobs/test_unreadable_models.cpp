#include <QTemporaryDir>
#include <QTest>

#include <fstream>

#include "core/base/json.h"
#include "core/jobs/tools/describe.h"
#include "core/jobs/tools/list_models.h"
#include "core/models/discovery/model_files.h"
#include "tests/support/as_nobody.h"
#include "tests/support/golden.h"
#include "tests/support/thrown_error.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace fs = std::filesystem;

namespace {

/// Replaces a file by a link.
void link_instead(const fs::path& file, const fs::path& target) {
    fs::remove(file);
    fs::create_symlink(target, file);
}

}  // namespace

/// Models whose files exist, but cannot be read.
class TestUnreadableModels : public QObject {
    Q_OBJECT

    QTemporaryDir dir_;
    const fs::path root_ = dir_.path().toStdString();
    const fs::path model_ = root_ / "models/wan";

private Q_SLOTS:
    void init() {
        fs::remove_all(root_ / "models");
        fs::create_directories(root_ / "models");
        fs::copy(test_data("wan_t2v/model"), model_, fs::copy_options::recursive);
        fs::permissions(root_, fs::perms(0755));
        qputenv("XDG_CONFIG_HOME", (root_ / "config").c_str());
        qputenv("KINESCOPE_MODELS", (root_ / "models").c_str());
    }

    void folders_without_permission_are_named_data() {
        QTest::addColumn<QString>("folder");
        QTest::newRow("folder of models") << "models";
        QTest::newRow("model") << "models/wan";
        QTest::newRow("component") << "models/wan/vae";
        QTest::newRow("tokenizer") << "models/wan/tokenizer";
    }
    void folders_without_permission_are_named() {
        QFETCH(QString, folder);
        const fs::path locked = root_ / folder.toStdString();
        fs::permissions(locked, fs::perms::none);
        const std::optional<Error> error = [&] {
            const AsNobody nobody;
            return error_of([&] { read_model_files(model_, std::vector<fs::path>{}); });
        }();
        fs::permissions(locked, fs::perms(0755));
        QVERIFY(error);
        QCOMPARE(error->code(), ErrorCode::file_unreadable);
        QVERIFY2(error->message().find("Permission denied") != std::string::npos, error->what());
    }

    /// One unusable model must not hide the others.
    void a_link_to_itself_makes_only_its_model_unusable() {
        fs::copy(model_, root_ / "models/other", fs::copy_options::recursive);
        link_instead(model_ / "vae/config.json", "config.json");
        const auto cards = list_models({}, {});
        QCOMPARE(cards.size(), std::size_t{2});
        QCOMPARE(cards[0].family, std::string("wan"));
        QVERIFY(cards[1].family.empty());
        QVERIFY2(cards[1].recognized_by.find("vae/config.json") != std::string::npos, cards[1].recognized_by.c_str());
    }

    /// Hugging Face's cache consists of links to files in another folder.
    void a_link_without_its_target_is_named() {
        link_instead(model_ / "scheduler/scheduler_config.json", "../../blobs/0123abc");
        QVERIFY(!fs::exists(model_ / "scheduler/scheduler_config.json"));
        const Error error = thrown_by([&] { read_json(model_ / "scheduler/scheduler_config.json"); });
        QCOMPARE(error.code(), ErrorCode::file_not_found);
        QVERIFY2(error.message().find("is a symbolic link to ../../blobs/0123abc") != std::string::npos, error.what());
    }

    void an_index_without_the_name_of_a_pipeline_is_described_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"null", "3", "[]"}) QTest::newRow(name) << QByteArray(name);
    }
    void an_index_without_the_name_of_a_pipeline_is_described() {
        QFETCH(QByteArray, name);
        Json index = read_json(model_ / "model_index.json");
        index["_class_name"] = Json::parse(name.toStdString());
        std::ofstream(model_ / "model_index.json") << index.dump();
        QCOMPARE(describe(model_, {}).card.family, std::string("wan"));
    }
};

QTEST_GUILESS_MAIN(TestUnreadableModels)
#include "test_unreadable_models.moc"
