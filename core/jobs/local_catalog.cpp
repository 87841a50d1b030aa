#include "core/jobs/local_catalog.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/log_line.h"
#include "core/device/choose_device.h"
#include "core/jobs/plan/plan.h"
#include "core/jobs/plan/presets.h"
#include "core/jobs/tools/check_file.h"
#include "core/jobs/tools/describe.h"
#include "core/jobs/tools/list_models.h"

namespace kinescope {

namespace {

/// Returns a hint that names a matching preset, and why presets of the user can't be used. A problem with the presets
/// must not fail a plan that does not use them.
std::vector<std::string> preset_notes(const VideoRequest& request, const PrepareOptions& options) {
    if (request.preset) return {};
    try {
        const IdentifiedModel model =
            identify_model(request.model, options.resources_dir, request.components, options.check_weights);
        const DeviceCapability& device = choose_device(request.device, options.devices);
        PresetList list = presets(options);
        std::string hint =
            suggest_preset(request, list.presets, device, model.card, fields_that_fit(model, options.read_clip));
        if (!hint.empty()) list.faults.push_back(std::move(hint));
        return std::move(list.faults);
    } catch (const Error& error) {
        return {error.message()};
    }
}

}  // namespace

std::vector<ModelCard> LocalCatalog::models() {
    return list_models(resources_dir(), context_.weight_check());
}

ModelCard LocalCatalog::card(const std::string& model) {
    return identify_model(model, resources_dir(), {}, context_.weight_check()).card;
}

ModelCard LocalCatalog::card(const VideoRequest& request) {
    return identify_model(request.model, resources_dir(), request.components, context_.weight_check()).card;
}

CheckpointDescription LocalCatalog::describe_checkpoint(const std::filesystem::path& path) {
    context_.worker().wait_until_ready();
    const WeightCheck check_weights = path == kBuiltinModel ? WeightCheck() : context_.weight_check();
    CheckpointDescription description = describe(model_path(path.string(), resources_dir()), check_weights);
    for (ComponentDescription& component : description.components)
        for (const auto& file : component.files)
            if (auto check = checks_.find(file)) component.checks.push_back(std::move(*check));
    return description;
}

FileCheck LocalCatalog::check_file(const std::filesystem::path& file, CheckId id) {
    context_.worker().wait_until_ready();
    const auto progress = [&](std::int64_t done, std::int64_t total) {
        observer_.on_event(0, FileCheckProgress{id, done, total});
        return !cancelled_checks_.contains(id);
    };
    context_.weight_check()(file);
    const FileCheck check = kinescope::check_file(file, resources_dir() / "downloads.json", progress);
    checks_.save(check);
    return check;
}

void LocalCatalog::cancel_check(CheckId id) {
    cancelled_checks_.add(id);
}

std::vector<PresetInfo> LocalCatalog::presets(const VideoRequest& request) {
    const PrepareOptions options = context_.planning_options();
    const IdentifiedModel model =
        identify_model(request.model, resources_dir(), request.components, options.check_weights);
    const PresetList list = kinescope::presets(options);
    warn(list.faults);
    return describe_presets(request, list.presets, choose_device(request.device, options.devices), model.card,
                            fields_that_fit(model, options.read_clip));
}

/// Logs each fault once, because the presets are read for every model.
void LocalCatalog::warn(const std::vector<std::string>& faults) {
    const std::lock_guard lock(mutex_);
    for (const std::string& fault : faults)
        if (warned_.insert(fault).second) log_warning(fault);
}

Plan LocalCatalog::plan(const VideoRequest& request) {
    const PrepareOptions options = context_.planning_options();
    Plan plan = make_plan(prepare_with_notes(request, options), context_.timings());
    std::ranges::move(preset_notes(request, options), std::back_inserter(plan.notes));
    return plan;
}

int LocalCatalog::count_tokens(const std::string& model, const std::string& prompt) {
    const IdentifiedModel identified = identify_model(model, resources_dir(), {}, context_.weight_check());
    return identified.family->count_tokens(identified.files, prompt);
}

}  // namespace kinescope
