#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "core/base/cancellation.h"

namespace kinescope {

/// The tokens of calls that can be cancelled by their ids, also before they start. Calls without an id have the id 0;
/// cancel(0) cancels all of them that have begun, but no later ones. Thread-safe.
class CallTokens {
public:
    CancellationToken token(std::int64_t id) {
        const std::lock_guard lock(mutex_);
        return tokens_[id];
    }
    void cancel(std::int64_t id) {
        const std::lock_guard lock(mutex_);
        tokens_[id].request();
        if (id == 0) tokens_.erase(id);
    }

private:
    std::mutex mutex_;
    std::map<std::int64_t, CancellationToken> tokens_;
};

}  // namespace kinescope
