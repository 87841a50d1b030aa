// The campaign of test_computers over a real sshd on this host: a port of its own on the loopback device, keys of its
// own, started by the test. Skipped where no sshd is installed.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QProcess>

#include "core/api/user_dirs.h"
#include "tests/app/computer_campaign.h"
#include "tests/support/file_bytes.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

namespace fs = std::filesystem;

constexpr const char* kSshd = "/usr/sbin/sshd";

/// A port of the loopback device that is free now.
int free_port() {
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    ::bind(listener, reinterpret_cast<sockaddr*>(&address), size);
    ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(listener);
    return ntohs(address.sin_port);
}

bool make_key(const QString& file) {
    return QProcess::execute(QStringLiteral("ssh-keygen"), {"-q", "-t", "ed25519", "-N", "", "-f", file}) == 0;
}

/// An SSH server for this user only; sessions get the environment of the other computer.
class SshServer {
public:
    explicit SshServer(const OtherComputer& there) : port_(free_port()) {
        if (::geteuid() == 0) fs::create_directories("/run/sshd");  // its place for a chroot
        for (const char* key : {"host", "user"}) QVERIFY(make_key(folder_.filePath(key)));
        fs::copy_file(path("user.pub"), path("authorized"));
        std::ofstream(path("known")) << "[127.0.0.1]:" << port_ << " " << contents_of(path("host.pub"));
        std::ofstream(path("config")) << "Port " << port_ << "\nListenAddress 127.0.0.1\nHostKey "
                                      << path("host").string() << "\nAuthorizedKeysFile " << path("authorized").string()
                                      << "\nPidFile none\nUsePAM no\nStrictModes no\nPermitRootLogin yes\n"
                                      << "PasswordAuthentication no\nMaxStartups 100\nSetEnv " << there.environment(" ")
                                      << "\n";
        server_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        server_.start(QString::fromLatin1(kSshd), {"-D", "-q", "-f", folder_.filePath("config")});
        QVERIFY(server_.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(answers(), 20'000);
    }
    ~SshServer() {
        server_.terminate();
        server_.waitForFinished();
    }

    std::string command(const std::string& words) const {
        return "ssh -F none -p " + std::to_string(port_) + " -i " + path("user").string() +
               " -o UserKnownHostsFile=" + path("known").string() + " -o IdentitiesOnly=yes 127.0.0.1 " + words;
    }

    /// The same with a name that only the user's configuration of ssh knows.
    std::string command_with_alias(const std::string& words) const {
        std::ofstream(path("client")) << "Host studio\n  HostName 127.0.0.1\n  Port " << port_ << "\n  IdentityFile "
                                      << path("user").string() << "\n  IdentitiesOnly yes\n  UserKnownHostsFile "
                                      << path("known").string() << "\n";
        return "ssh -F " + path("client").string() + " studio " + words;
    }

private:
    fs::path path(const char* name) const { return folder_.filePath(name).toStdString(); }
    bool answers() const {
        const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port_));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const bool connected = ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
        ::close(socket);
        return connected;
    }

    QTemporaryDir folder_;
    int port_;
    QProcess server_;
};

const std::string kServe = std::string(kProgram) + " --resources " + kResources + " serve --keep --idle 4";

}  // namespace

class TestComputersSsh : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!fs::exists(kSshd)) QSKIP("no sshd is installed (openssh-server)");
    }

    void jobs_survive_killed_connections() {
        const OtherComputer there;
        const SshServer server(there);
        UsedComputer computer(server.command(kServe));
        const CampaignEnd end = run_with_kills(computer, 5, 2);
        QCOMPARE(end.num_kills, 10);
        QCOMPARE(end.num_right, 10);
        QCOMPARE(end.num_events, 10);
        QCOMPARE(end.names.size(), 10);
        QCOMPARE(end.left_there, std::size_t{0});
    }

    void a_name_of_the_ssh_configuration_is_enough() {
        const OtherComputer there;
        const SshServer server(there);
        UsedComputer computer(server.command_with_alias(kServe));
        const JobId job = computer->jobs().submit(small_request(computer.file("out/1.mp4"), 1));
        QCOMPARE(of_type<RunFinished>(computer.recorder.wait(job)).size(), std::size_t{1});
        QVERIFY(contents_of(computer.file("out/1.mp4")) == local_videos(1)[0]);
    }

    /// As after the sleep of a laptop: ssh neither sends nor ends.
    void a_connection_that_says_nothing_is_made_again() {
        const OtherComputer there;
        const SshServer server(there);
        UsedComputer computer(server.command(kServe));
        std::atomic<pid_t> stopped = 0;
        computer.recorder.on_step = [&stopped](JobId, const StepCompleted&) {
            if (stopped != 0) return;
            stopped = newest_connection();
            if (stopped > 0) ::kill(stopped, SIGSTOP);  // 0 is the group of the test
        };
        const JobId job = computer->jobs().submit(small_request(computer.file("out/1.mp4"), 1, 40));
        const auto events = computer.recorder.wait(job);
        QVERIFY(stopped > 0);
        QCOMPARE(of_type<RunFinished>(events).size(), std::size_t{1});
        QVERIFY(contents_of(computer.file("out/1.mp4")) == local_videos(1, 40)[0]);
        QCOMPARE(computer.names(), QStringList{"1.mp4"});
    }

    void what_is_wrong_there_is_named() {
        const OtherComputer there;
        const SshServer server(there);
        const auto cause = [](const std::string& command, const char* version) {
            UsedComputer computer(command, version);
            try {
                computer.engine().facts();
            } catch (const Error& error) {
                return QString::fromStdString(error.arguments().at("cause"));
            }
            return QString();
        };
        QCOMPARE(cause(server.command("no-such-kinescope serve --keep"), kVersion), QStringLiteral("no_program"));
        QCOMPARE(cause(server.command("/opt/no-such/kinescope-cli serve --keep"), kVersion),
                 QStringLiteral("no_program"));
        QCOMPARE(cause(server.command(kServe), "9.9.9"), QStringLiteral("other_version"));
        QCOMPARE(cause("ssh -F none -o UserKnownHostsFile=/dev/null " + server.command("x").substr(12), kVersion),
                 QStringLiteral("unknown_key"));
        QCOMPARE(cause(server.command(kServe), kVersion), QString());
    }
};

QTEST_GUILESS_MAIN(TestComputersSsh)
#include "test_computers_ssh.moc"
