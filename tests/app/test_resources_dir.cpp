#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "app/resources_dir.h"
#include "core/api/error.h"

using namespace kinescope;

class TestResourcesDir : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_option_precedes_environment_installation_and_source_tree() {
        QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString();
        for (const char* name :
             {"given", "environment", "share/kinescope", "bin", "source/build/bin", "source/resources"})
            QVERIFY(QDir(folder.path()).mkpath(name));

        QCOMPARE(find_resources_dir({}, root / "source/build/bin"), root / "source/resources");
        QCOMPARE(find_resources_dir({}, root / "bin"), root / "share/kinescope");
        QCOMPARE(find_resources_dir({}, root / "given"), root / "share/kinescope");
        qputenv("KINESCOPE_RESOURCES", folder.filePath("environment").toUtf8());
        QCOMPARE(find_resources_dir({}, root / "bin"), root / "environment");
        QCOMPARE(find_resources_dir(root / "given", root / "bin"), root / "given");
        QVERIFY_EXCEPTION_THROWN(find_resources_dir(root / "nowhere", root / "bin"), Error);
        qputenv("KINESCOPE_RESOURCES", "/nowhere/at/all");
        QVERIFY_EXCEPTION_THROWN(find_resources_dir({}, root / "bin"), Error);
        qunsetenv("KINESCOPE_RESOURCES");
        QCOMPARE(find_resources_dir({}, "/"), std::filesystem::path());
    }

    void program_dir_contains_the_program() {
        const std::filesystem::path program = QCoreApplication::applicationFilePath().toStdString();
        QCOMPARE(program_dir(), program.parent_path());
    }
};

QTEST_GUILESS_MAIN(TestResourcesDir)
#include "test_resources_dir.moc"
