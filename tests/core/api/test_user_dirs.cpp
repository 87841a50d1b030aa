#include <sys/stat.h>
#include <unistd.h>

#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/api/missing_home.h"
#include "core/api/user_dirs.h"

using namespace kinescope;

namespace {

using Variables = std::map<std::string, std::string>;

/// A folder that cannot exist.
constexpr const char* kNowhere = "/dev/null/nowhere";

UserDirs dirs_for(const Variables& variables) {
    const auto variable = [&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? std::string() : found->second;
    };
    return resolve_user_dirs({.variable = variable, .home = "/home/ana"});
}

/// The environment of a user without a home folder, and an empty folder for temporary files.
class WithoutHome {
public:
    WithoutHome() {
        for (const Saved& variable : before_) qunsetenv(variable.first);
        qputenv("HOME", kNowhere);
        qputenv("TMPDIR", temporary_.path().toUtf8());
    }
    ~WithoutHome() {
        for (const auto& [name, value] : before_) {
            if (value.isNull())
                qunsetenv(name);
            else
                qputenv(name, value);
        }
    }
    WithoutHome(const WithoutHome&) = delete;
    WithoutHome& operator=(const WithoutHome&) = delete;

    /// Returns the path of the folder in the temporary directory that `number` selects: 1 is the usual one.
    std::string folder(int number) const {
        const std::string name = temporary_.path().toStdString() + "/kinescope-" + user_id();
        return number == 1 ? name : name + "-" + std::to_string(number);
    }

private:
    using Saved = std::pair<const char*, QByteArray>;
    static Saved saved(const char* name) { return {name, qgetenv(name)}; }

    const QTemporaryDir temporary_;
    const std::vector<Saved> before_{saved("HOME"),           saved("TMPDIR"),
                                     saved("XDG_CACHE_HOME"), saved("XDG_CONFIG_HOME"),
                                     saved("XDG_DATA_HOME"),  saved("XDG_STATE_HOME")};
};

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

    void without_a_home_folder_a_private_one_is_made_data() {
        QTest::addColumn<int>("prepared_mode");
        QTest::addColumn<int>("number");
        QTest::newRow("nothing there") << 0 << 1;
        QTest::newRow("own folder") << 0700 << 1;
        QTest::newRow("own folder that others can read") << 0755 << 1;
        QTest::newRow("folder that others can write") << 0777 << 2;
        QTest::newRow("folder that a group can write") << 0770 << 2;
    }
    void without_a_home_folder_a_private_one_is_made() {
        QFETCH(int, prepared_mode);
        QFETCH(int, number);
        const WithoutHome environment;
        const std::string prepared = environment.folder(1);
        if (prepared_mode != 0)
            QVERIFY(::mkdir(prepared.c_str(), 0700) == 0 &&
                    ::chmod(prepared.c_str(), static_cast<mode_t>(prepared_mode)) == 0);
        const std::string folder = environment.folder(number);
        QCOMPARE(user_dirs().data.string(), folder + "/.local/share/kinescope");
        QCOMPARE(user_dirs().config.string(), folder + "/.config/kinescope");
        struct stat found {};
        QVERIFY(::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode));
        QCOMPARE(int(found.st_mode & 0777), 0700);
        const std::string warning = missing_home_warning();
        QVERIFY2(warning.find(std::string("'") + kNowhere + "' does not exist") != std::string::npos, warning.c_str());
        QVERIFY2(warning.find("'" + folder + "'") != std::string::npos, warning.c_str());
    }

    void a_prepared_link_or_file_is_passed_over() {
        const WithoutHome environment;
        const QTemporaryDir target;
        QCOMPARE(::symlink(target.path().toUtf8().constData(), environment.folder(1).c_str()), 0);
        QFile file(QString::fromStdString(environment.folder(2)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(user_dirs().data.string(), environment.folder(3) + "/.local/share/kinescope");
    }

    void a_folder_of_another_user_is_passed_over() {
        if (::geteuid() != 0) QSKIP("only root can give a folder to another user");
        const WithoutHome environment;
        const std::string prepared = environment.folder(1);
        QVERIFY(::mkdir(prepared.c_str(), 0700) == 0 && ::chown(prepared.c_str(), 12345, 12345) == 0);
        QCOMPARE(user_dirs().data.string(), environment.folder(2) + "/.local/share/kinescope");
    }

    void without_any_folder_nothing_is_found() {
        const WithoutHome environment;
        qputenv("TMPDIR", kNowhere);
        QCOMPARE(user_dirs().data.string(), std::string(kNowhere) + "/.local/share/kinescope");
        QVERIFY(missing_home_warning().find("nothing is saved") != std::string::npos);
    }

    void variables_for_all_folders_need_no_home() {
        const WithoutHome environment;
        for (const char* variable : {"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"})
            qputenv(variable, "/elsewhere");
        QCOMPARE(user_dirs().data.string(), std::string("/elsewhere/kinescope"));
        QCOMPARE(missing_home_warning(), std::string());
        QVERIFY(!QFile::exists(QString::fromStdString(environment.folder(1))));
    }
};

QTEST_GUILESS_MAIN(TestUserDirs)
#include "test_user_dirs.moc"
