#include "core/remote/crash_record.h"

#include "core/api/error.h"

namespace kinescope::remote {

namespace {

constexpr int kMostEnds = 2;

std::string key_of(const std::string& call, const Json& arguments) {
    return call + arguments.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

void CrashRecord::require_harmless(const std::string& call, const Json& arguments) const {
    {
        const std::lock_guard lock(mutex_);
        const auto found = ends_.find(key_of(call, arguments));
        if (found == ends_.end() || found->second < kMostEnds) return;
    }
    throw Error(ErrorCode::engine_lost,
                "the engine ended twice while it worked on '" + call + "', probably because of a damaged file",
                "Check the files that were read last. Restart Kinescope to try again.", {{"call", call}});
}

void CrashRecord::note_end(const std::string& call, const Json& arguments) {
    const std::lock_guard lock(mutex_);
    ++ends_[key_of(call, arguments)];
}

void CrashRecord::note_answer(const std::string& call, const Json& arguments) {
    const std::lock_guard lock(mutex_);
    if (!ends_.empty()) ends_.erase(key_of(call, arguments));
}

}  // namespace kinescope::remote
