#include "core/jobs/queue/run_fingerprint.h"

#include "core/api/version.h"
#include "core/base/json.h"
#include "core/base/sha256.h"

namespace kinescope {

namespace {

std::string sha256_of(const Json& facts) {
    return kinescope::sha256_of(facts.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

RunFingerprint run_fingerprint(const PreparedRun& job, const OverrideKey& key) {
    Json facts = {{"kinescope", kVersion},    {"device", key.device}, {"driver", key.driver},
                  {"libtorch", key.libtorch}, {"model", key.model},   {"libraries", job.libraries}};
    for (const ComponentPolicy& row : job.policy_summary)
        facts["policy"].push_back(
            {row.component, row.storage, row.compute, row.accumulation, row.attention, row.device});
    return {.run = sha256_of(facts),
            .model = sha256_of({{"kinescope", kVersion}, {"libtorch", key.libtorch}, {"model", key.model}}),
            .device = key.device + (key.driver.empty() ? "" : ", driver " + key.driver)};
}

}  // namespace kinescope
