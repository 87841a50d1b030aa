#include <QTest>
#include <csignal>
#include <map>
#include <optional>
#include <string>

#include "core/api/killed_reader.h"
#include "core/base/answer_limits.h"
#include "core/base/child_words.h"

using namespace kinescope;

namespace {

constexpr AnswerLimits kLimits{.cpu_seconds = 60, .wall_seconds = 600};

}  // namespace

class TestAnswerLimits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_exceeded_limit_is_known() {
        struct Row {
            AnswerTime time;
            Overrun overrun;
        };
        for (const Row& row :
             {Row{{0, 0}, Overrun::none}, Row{{0.6, 145}, Overrun::none}, Row{{59.9, 599}, Overrun::none},
              Row{{60, 61}, Overrun::cpu}, Row{{240, 61}, Overrun::cpu}, Row{{0.6, 600}, Overrun::wall},
              Row{{70, 700}, Overrun::cpu}, Row{{std::nullopt, 599}, Overrun::none},
              Row{{std::nullopt, 600}, Overrun::wall}})
            QCOMPARE(overrun_of(row.time, kLimits), row.overrun);
    }

    void the_next_look_is_at_the_nearer_limit() {
        struct Row {
            AnswerTime time;
            double seconds;
        };
        for (const Row& row : {Row{{0, 0}, 1}, Row{{59.5, 100}, 0.5}, Row{{1, 599.75}, 0.25}, Row{{60, 100}, 0.01},
                               Row{{std::nullopt, 599.5}, 0.5}, Row{{std::nullopt, 0}, 1}})
            QCOMPARE(seconds_to_next_look(row.time, kLimits), row.seconds);
    }

    void a_message_blames_the_file_only_for_what_it_can_cause() {
        enum class Blame { file, outside, waiting };
        struct Row {
            ChildFailed failure;
            Blame blame;
            std::string reason;
        };
        const std::map<Blame, std::string> hints = {{Blame::file, "damaged or malicious"},
                                                    {Blame::outside, "killed from outside"},
                                                    {Blame::waiting, "very busy, or the drive of the file does not"}};
        const std::map<Blame, std::string> causes = {
            {Blame::file, ""}, {Blame::outside, kReaderKilled}, {Blame::waiting, kReaderStalled}};
        for (const Row& row :
             {Row{{Overrun::cpu, kLimits}, Blame::file, "did not answer within 60 s of CPU time"},
              Row{{Overrun::wall, kLimits}, Blame::waiting, "did not answer within 600 s"},
              Row{ChildFailed("was killed by SIGSEGV", SIGSEGV), Blame::file, "was killed by SIGSEGV"},
              Row{ChildFailed("was killed by SIGKILL", SIGKILL), Blame::outside, "was killed by SIGKILL"},
              Row{ChildFailed("ended with exit code 3"), Blame::file, "ended with exit code 3"}}) {
            const Error error = error_of_reader(row.failure, "/videos/a.mp4");
            QCOMPARE(error.code(), ErrorCode::file_unreadable);
            QCOMPARE(error.message(), "Cannot read /videos/a.mp4: the process that reads it " + row.reason);
            QVERIFY2(error.hint().find(hints.at(row.blame)) != std::string::npos, error.hint().c_str());
            QCOMPARE(error.argument("cause"), causes.at(row.blame));
            QCOMPARE(error.argument("path"), std::string("/videos/a.mp4"));
            QCOMPARE(is_of_killed_reader(error), row.blame != Blame::file);
            QCOMPARE(is_of_stalled_reader(error), row.blame == Blame::waiting);
        }
    }
};

QTEST_GUILESS_MAIN(TestAnswerLimits)
#include "test_answer_limits.moc"
