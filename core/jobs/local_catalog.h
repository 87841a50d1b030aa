#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/jobs/cancelled_calls.h"
#include "core/jobs/engine_context.h"
#include "core/jobs/tools/file_check_cache.h"

namespace kinescope {

/// The model catalog of this process. Sends FileCheckProgress to the observer.
class LocalCatalog final : public ModelCatalog {
public:
    /// Both arguments must outlive the catalog.
    LocalCatalog(EngineContext& context, RunObserver& observer)
        : context_(context), observer_(observer), checks_(default_checks_file()) {}

    std::vector<ModelCard> models() override;
    ModelCard card(const std::string& model) override;
    ModelCard card(const VideoRequest& request) override;
    CheckpointDescription describe_checkpoint(const std::filesystem::path& path) override;
    FileCheck check_file(const std::filesystem::path& file, CheckId id) override;
    void cancel_check(CheckId id) override;
    std::vector<PresetInfo> presets(const VideoRequest& request) override;
    Plan plan(const VideoRequest& request) override;
    int count_tokens(const std::string& model, const std::string& prompt) override;

private:
    const std::filesystem::path& resources_dir() const { return context_.options().resources_dir; }
    void warn(const std::vector<std::string>& faults);

    EngineContext& context_;
    RunObserver& observer_;
    const FileCheckCache checks_;
    CancelledCalls cancelled_checks_;
    std::mutex mutex_;  ///< guards warned_
    std::set<std::string> warned_;
};

}  // namespace kinescope
