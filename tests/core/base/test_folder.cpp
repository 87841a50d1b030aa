#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "core/base/platform_folder.h"

using namespace kinescope;
namespace fs = std::filesystem;

class TestFolder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(temporary_.isValid()); }

    void a_taken_name_is_refused() {
        const fs::path folder = path("taken");
        QCOMPARE(make_new_folder(folder, FileAccess::shared), 0);
        QCOMPARE(make_new_folder(folder, FileAccess::shared), EEXIST);
        fs::create_symlink("nowhere", path("dangling"));
        QCOMPARE(make_new_folder(path("dangling"), FileAccess::shared), EEXIST);
        QVERIFY(!fs::exists(path("nowhere")));
    }

    void a_private_folder_is_only_for_its_owner() {
        QCOMPARE(make_new_folder(path("private"), FileAccess::owner_only), 0);
        const fs::perms others =
            fs::status(path("private")).permissions() & (fs::perms::group_all | fs::perms::others_all);
        QVERIFY(others == fs::perms::none);
    }

    void bad_names_are_reported() {
        QCOMPARE(make_new_folder(path("missing") / "inner", FileAccess::shared), ENOENT);
        QCOMPARE(make_new_folder(path(std::string(256, 'a')), FileAccess::shared), ENAMETOOLONG);
        QCOMPARE(make_new_folder(path(std::string(255, 'a')), FileAccess::shared), 0);
    }

    void only_an_empty_folder_is_removed() {
        const fs::path folder = path("full");
        QCOMPARE(make_new_folder(folder, FileAccess::shared), 0);
        std::ofstream(folder / "file") << "contents";
        fs::create_directory_symlink(folder, path("link"));
        QCOMPARE(remove_empty_folder(folder), ENOTEMPTY);
        QCOMPARE(remove_empty_folder(folder / "file"), ENOTDIR);
        QCOMPARE(remove_empty_folder(path("link")), ENOTDIR);
        QVERIFY(fs::exists(folder / "file"));
        fs::remove(folder / "file");
        QCOMPARE(remove_empty_folder(folder), 0);
        QCOMPARE(remove_empty_folder(folder), ENOENT);
    }

    void the_owner_of_a_missing_file_is_unknown() {
        std::error_code error;
        QVERIFY(!belongs_to_this_user(path("absent"), error));
        QVERIFY(error == std::errc::no_such_file_or_directory);
        QVERIFY(belongs_to_this_user(path("."), error));
        QVERIFY(!error);
    }

private:
    fs::path path(const fs::path& name) const { return fs::path(temporary_.path().toStdString()) / name; }

    QTemporaryDir temporary_;
};

QTEST_GUILESS_MAIN(TestFolder)
#include "test_folder.moc"
