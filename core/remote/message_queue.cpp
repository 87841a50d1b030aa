#include "core/remote/message_queue.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace kinescope::remote {

using protocol::EventMessage;
using protocol::Message;

namespace {

/// The job of a latent preview; nullopt for messages that are never replaced.
std::optional<JobId> job_of_latent_preview(const Message& message) {
    const auto* sent = std::get_if<EventMessage>(&message);
    const auto* preview = sent == nullptr ? nullptr : std::get_if<PreviewReady>(&sent->event);
    if (preview == nullptr || preview->kind != PreviewKind::latent) return std::nullopt;
    return sent->job;
}

}  // namespace

MessageQueue::Number MessageQueue::push(Message message) {
    const std::lock_guard lock(mutex_);
    if (over_) return ++newest_;
    if (const auto job = job_of_latent_preview(message))
        std::erase_if(waiting_, [&](const Waiting& older) { return job_of_latent_preview(older.message) == job; });
    waiting_.push_back({++newest_, std::move(message)});
    arrived_.notify_one();
    return newest_;
}

std::optional<Message> MessageQueue::take(double seconds) {
    std::unique_lock lock(mutex_);
    being_handled_ = 0;
    handled_.notify_all();
    arrived_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) {
        over_ = closed_;
        if (over_) handled_.notify_all();
        return std::nullopt;
    }
    being_handled_ = waiting_.front().number;
    Message message = std::move(waiting_.front().message);
    waiting_.pop_front();
    return message;
}

bool MessageQueue::is_handled(Number number) const {
    return (being_handled_ == 0 || being_handled_ > number) && (waiting_.empty() || waiting_.front().number > number);
}

void MessageQueue::wait_until_handled(Number number) {
    std::unique_lock lock(mutex_);
    handled_.wait(lock, [&] { return over_ || is_handled(number); });
}

MessageQueue::Number MessageQueue::newest() const {
    const std::lock_guard lock(mutex_);
    return newest_;
}

void MessageQueue::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    arrived_.notify_all();
}

bool MessageQueue::is_closed() const {
    const std::lock_guard lock(mutex_);
    return closed_;
}

bool MessageQueue::is_over() const {
    const std::lock_guard lock(mutex_);
    return over_;
}

}  // namespace kinescope::remote
