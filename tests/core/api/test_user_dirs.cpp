#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <map>

#include "core/api/user_dirs.h"

using namespace kinescope;

namespace {

using Variables = std::map<std::string, std::string>;

UserDirs dirs_for(const Variables& variables) {
    const auto variable = [&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? std::string() : found->second;
    };
    return resolve_user_dirs({.variable = variable, .home = "/home/ana"});
}

}  // namespace

class TestUserDirs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void each_variable_moves_its_folder_data() {
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QString>("cache");
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("data");
        QTest::addColumn<QString>("state");
        const QString cache = "/home/ana/.cache/kinescope", config = "/home/ana/.config/kinescope",
                      data = "/home/ana/.local/share/kinescope", state = "/home/ana/.local/state/kinescope";
        QTest::newRow("no variable set") << "" << cache << config << data << state;
        QTest::newRow("cache") << "XDG_CACHE_HOME"
                               << "/elsewhere/kinescope" << config << data << state;
        QTest::newRow("config") << "XDG_CONFIG_HOME" << cache << "/elsewhere/kinescope" << data << state;
        QTest::newRow("data") << "XDG_DATA_HOME" << cache << config << "/elsewhere/kinescope" << state;
        QTest::newRow("state") << "XDG_STATE_HOME" << cache << config << data << "/elsewhere/kinescope";
        QTest::newRow("a variable of another system") << "APPDATA" << cache << config << data << state;
    }
    void each_variable_moves_its_folder() {
        QFETCH(QString, variable);
        const UserDirs dirs = dirs_for({{variable.toStdString(), "/elsewhere"}});
        QTEST(QString::fromStdString(dirs.cache.string()), "cache");
        QTEST(QString::fromStdString(dirs.config.string()), "config");
        QTEST(QString::fromStdString(dirs.data.string()), "data");
        QTEST(QString::fromStdString(dirs.state.string()), "state");
    }

    void relative_folders_are_ignored() {
        const UserDirs dirs = dirs_for({{"XDG_DATA_HOME", "files"}, {"XDG_CACHE_HOME", "./cache"}});
        QCOMPARE(dirs.data, std::filesystem::path("/home/ana/.local/share/kinescope"));
        QCOMPARE(dirs.cache, std::filesystem::path("/home/ana/.cache/kinescope"));
    }

    void the_environment_of_this_process_decides() {
        const QTemporaryDir home;
        const QByteArray before = qgetenv("HOME"), state = qgetenv("XDG_STATE_HOME");
        const auto restore = qScopeGuard([&] {
            qputenv("HOME", before);
            if (!state.isEmpty()) qputenv("XDG_STATE_HOME", state);
        });
        qputenv("HOME", home.path().toUtf8());
        qunsetenv("XDG_STATE_HOME");
        QCOMPARE(default_jobs_dir(), std::filesystem::path(home.path().toStdString()) / ".local/state/kinescope/jobs");
        qputenv("XDG_STATE_HOME", "/elsewhere");
        QCOMPARE(user_dirs().state, std::filesystem::path("/elsewhere/kinescope"));
        QCOMPARE(default_jobs_dir(), std::filesystem::path("/elsewhere/kinescope/jobs"));
    }
};

QTEST_GUILESS_MAIN(TestUserDirs)
#include "test_user_dirs.moc"
