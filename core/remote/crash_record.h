#pragma once

#include <map>
#include <mutex>
#include <string>

#include "core/protocol/cbor_reader.h"

namespace kinescope::remote {

using protocol::Json;

/// Remembers the questions that engines were working on when their processes ended. Thread-safe.
class CrashRecord {
public:
    /// Throws Error(engine_lost) for a question that has ended two processes in a row. It is not asked again.
    void require_harmless(const std::string& call, const Json& arguments) const;
    void note_end(const std::string& call, const Json& arguments);
    void note_answer(const std::string& call, const Json& arguments);

private:
    mutable std::mutex mutex_;
    std::map<std::string, int> ends_;  ///< of questions that have not been answered since
};

}  // namespace kinescope::remote
