#include <QTest>
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>

#include "core/base/cancellation.h"
#include "core/base/child_server.h"
#include "core/base/child_words.h"
#include "core/media/guarded_reader.h"

using namespace kinescope;

namespace {

constexpr std::chrono::milliseconds kSlow{400};

/// Answers as a comment after some time. A file named "gone" has no answer.
std::string answer_slowly(std::string_view message) {
    take_word(message);
    const bool is_gone = take_word(message) == "gone";
    std::this_thread::sleep_for(is_gone ? std::chrono::minutes(10) : kSlow);
    return answer_of({"slow"});
}

}  // namespace

/// Files on a slow drive.
class TestSlowReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The sound of a video that is stopped is still read: the answers together may take longer than one of them.
    void each_answer_to_a_cancelled_reader_has_its_own_time() {
        constexpr std::chrono::milliseconds kAnswerTime = 3 * kSlow;
        GuardedReader reader(
            std::filesystem::read_symlink("/proc/self/exe"), ReaderPatience::short_pauses, [] { return true; },
            kAnswerTime);
        for (int i = 0; i < 5; ++i) QCOMPARE(reader.read_comment("here"), std::string("slow"));
        QVERIFY_THROWS_EXCEPTION(Cancelled, reader.read_comment("gone"));
    }

    void a_cancelled_reader_without_such_a_time_does_not_wait() {
        GuardedReader reader(std::filesystem::read_symlink("/proc/self/exe"), ReaderPatience::short_pauses,
                             [] { return true; });
        QVERIFY_THROWS_EXCEPTION(Cancelled, reader.read_comment("here"));
    }
};

int main(int argc, char** argv) {
    if (argc == 2 && argv[1] == kMediaReaderCommand) return serve_parent(answer_slowly, {});
    QCoreApplication application(argc, argv);
    TestSlowReader test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_slow_reader.moc"
