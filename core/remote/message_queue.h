#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

#include "core/protocol/message.h"

namespace kinescope::remote {

/// Messages between the threads that produce them, which never wait, and the thread that passes them on. A latent
/// preview takes the place of an older one of its job that still waits. Everything else is kept, in order.
class MessageQueue {
public:
    /// Identifies a message; later ones have higher numbers.
    using Number = std::uint64_t;

    Number push(protocol::Message message);
    /// Returns the next message. nullopt: none came within this time, or the queue is over. A call says that the
    /// message returned before has been handled.
    std::optional<protocol::Message> take(double seconds);
    /// Waits until the messages up to this one have been handled, or until the queue is over.
    void wait_until_handled(Number number);
    Number newest() const;
    /// take() returns what is left. Then the queue is over.
    void close();
    bool is_closed() const;
    /// Whether take() returns nothing any more. Messages that are pushed later are dropped.
    bool is_over() const;

private:
    struct Waiting {
        Number number;
        protocol::Message message;
    };
    bool is_handled(Number number) const;

    mutable std::mutex mutex_;
    std::condition_variable arrived_;
    std::condition_variable handled_;
    std::deque<Waiting> waiting_;
    Number newest_ = 0;
    Number being_handled_ = 0;  ///< 0: none
    bool closed_ = false;
    bool over_ = false;
};

}  // namespace kinescope::remote
