#include <sys/wait.h>
#include <unistd.h>

#include <QTest>
#include <array>
#include <csignal>

#include "core/base/byte_channel.h"

using namespace kinescope;

namespace {

struct Pipe {
    Pipe() {
        std::array<int, 2> ends{};
        if (::pipe(ends.data()) != 0) qFatal("no pipe");
        out = ByteChannel(ends[0]);
        in = ByteChannel(ends[1]);
    }
    ByteChannel out;
    ByteChannel in;
};

constexpr std::array<std::uint8_t, 1> kByte{7};

/// Starts a process that waits for a byte. Its exit code is the result.
pid_t start_reader(Pipe& pipe, double silence_seconds) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    std::array<std::uint8_t, 1> byte{};
    ::_exit(static_cast<int>(pipe.out.read(byte, silence_seconds)));
}

}  // namespace

class TestByteChannel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_silent_writer_is_noticed() {
        Pipe pipe;
        std::array<std::uint8_t, 1> byte{};
        QVERIFY(pipe.out.read(byte, 0.05) == ByteChannel::Result::time_over);
        QVERIFY(pipe.out.read(byte, 1.05) == ByteChannel::Result::time_over);
        pipe.in.write(kByte);
        QVERIFY(pipe.out.read(byte, 0.05) == ByteChannel::Result::done);
        QCOMPARE(byte[0], kByte[0]);
        pipe.in.close();
        QVERIFY(pipe.out.read(byte, 0.05) == ByteChannel::Result::closed);
    }

    /// As Ctrl+Z and `fg` do.
    void the_time_in_which_the_reader_is_stopped_does_not_count() {
        Pipe pipe;
        const pid_t reader = start_reader(pipe, 3);
        QTest::qWait(100);
        ::kill(reader, SIGSTOP);
        QTest::qWait(3500);
        ::kill(reader, SIGCONT);
        QTest::qWait(300);
        pipe.in.write(kByte);
        int status = 0;
        QCOMPARE(::waitpid(reader, &status, 0), reader);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), static_cast<int>(ByteChannel::Result::done));
    }
};

QTEST_GUILESS_MAIN(TestByteChannel)
#include "test_byte_channel.moc"
