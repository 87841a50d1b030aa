#include <QTest>
#include <atomic>
#include <thread>

#include "core/remote/last_lines.h"
#include "core/remote/message_queue.h"
#include "core/remote/printable_lines.h"

using namespace kinescope;
using namespace kinescope::protocol;
using kinescope::remote::MessageQueue;

namespace {

EventMessage preview(JobId job, PreviewKind kind, int step) {
    PreviewReady ready;
    ready.kind = kind;
    ready.step = step;
    return {job, ready};
}

EventMessage step_done(JobId job, int step) {
    return {job, StepCompleted{.step = step}};
}

/// "1:latent 3", "1:step 3" ...
QStringList drain(MessageQueue& queue) {
    QStringList words;
    while (const auto message = queue.take(0)) {
        const auto& event = std::get<EventMessage>(*message);
        const auto* shown = std::get_if<PreviewReady>(&event.event);
        const QString what = shown == nullptr                     ? QStringLiteral("step %1")
                             : shown->kind == PreviewKind::latent ? QStringLiteral("latent %1")
                                                                  : QStringLiteral("decoded %1");
        const int step = shown == nullptr ? std::get<StepCompleted>(event.event).step : shown->step;
        words << QStringLiteral("%1:").arg(event.job) + what.arg(step);
    }
    return words;
}

}  // namespace

class TestMessageQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lines_of_ssh_end_without_a_carriage_return() {
        remote::LastLines lines;
        lines.add("Permission denied\r\nclosed\r");
        QCOMPARE(lines.lines(), (std::vector<std::string>{"Permission denied", "closed"}));
    }

    void lines_for_a_terminal_are_whole_and_printable() {
        remote::PrintableLines lines;
        QCOMPARE(lines.add("one\r\n\ntw"), std::string("one\n\n"));
        QCOMPARE(lines.add("o\x1b[2J \xc2"), std::string());
        QCOMPARE(lines.add("\x9b"
                           "2J\nthree"),
                 std::string("two\xEF\xBF\xBD[2J \xEF\xBF\xBD"
                             "2J\n"));
        QCOMPARE(lines.finish(), std::string("three\n"));
        QCOMPARE(lines.finish(), std::string());
        QCOMPARE(lines.add(std::string(100'000, 'x')).size(), (std::size_t{1} << 16) + 1);
    }

    void only_older_latent_previews_of_a_job_are_replaced() {
        MessageQueue queue;
        for (int step = 0; step < 3; ++step) {
            queue.push(step_done(1, step));
            queue.push(preview(1, PreviewKind::latent, step));
            queue.push(preview(1, PreviewKind::decoded, step));
        }
        queue.push(preview(2, PreviewKind::latent, 0));
        QCOMPARE(drain(queue), (QStringList{"1:step 0", "1:decoded 0", "1:step 1", "1:decoded 1", "1:step 2",
                                            "1:latent 2", "1:decoded 2", "2:latent 0"}));
    }

    void a_closed_queue_returns_what_is_left() {
        MessageQueue queue;
        queue.push(step_done(1, 0));
        queue.close();
        QVERIFY(queue.take(60));
        QVERIFY(!queue.take(60));
    }

    void waiting_ends_when_earlier_messages_are_handled() {
        MessageQueue queue;
        const MessageQueue::Number first = queue.push(preview(1, PreviewKind::latent, 0));
        queue.push(preview(1, PreviewKind::latent, 1));  // takes the place of the first
        queue.wait_until_handled(first);
        const MessageQueue::Number last = queue.push(step_done(1, 1));
        std::atomic<int> handled = 0;
        std::thread consumer([&] {
            while (queue.take(60)) ++handled;
        });
        queue.wait_until_handled(last);
        QCOMPARE(handled.load(), 2);
        queue.close();
        consumer.join();
    }

    void nobody_waits_for_messages_that_are_not_taken_any_more() {
        MessageQueue queue;
        const MessageQueue::Number first = queue.push(step_done(1, 0));
        std::thread waiting([&] { queue.wait_until_handled(first); });
        queue.close();
        QCOMPARE(drain(queue), QStringList{"1:step 0"});
        waiting.join();
        queue.wait_until_handled(queue.push(step_done(1, 1)));
        QCOMPARE(drain(queue), QStringList());
    }
};

QTEST_GUILESS_MAIN(TestMessageQueue)
#include "test_message_queue.moc"
