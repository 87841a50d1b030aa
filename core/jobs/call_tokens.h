#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "core/base/cancellation.h"

namespace kinescope {

/// The tokens of calls that can be cancelled by their ids, before they start, too. Thread-safe.
class CallTokens {
public:
    /// Returns the token of the call `id`. Each call 0 has a token of its own, which nobody requests.
    CancellationToken token(std::int64_t id) {
        if (id == 0) return {};
        const std::lock_guard lock(mutex_);
        return tokens_[id];
    }
    void cancel(std::int64_t id) { token(id).request(); }

private:
    std::mutex mutex_;
    std::map<std::int64_t, CancellationToken> tokens_;
};

}  // namespace kinescope
