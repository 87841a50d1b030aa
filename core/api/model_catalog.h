#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/api/file_check.h"
#include "core/api/localizable_message.h"
#include "core/api/model_card.h"
#include "core/api/numeric_sample.h"
#include "core/api/policy_summary.h"
#include "core/api/preset_info.h"
#include "core/api/video_request.h"

namespace kinescope {

/// One component of a checkpoint, as `inspect` shows it.
struct ComponentDescription {
    std::string name;    ///< "transformer"
    std::string kind;    ///< class, e.g. "WanTransformer3DModel"
    std::string naming;  ///< naming scheme of the tensors; empty: that of diffusers
    std::vector<std::filesystem::path> files;
    std::int64_t num_tensors = 0;
    std::int64_t num_parameters = 0;
    std::int64_t bytes = 0;
    std::vector<std::pair<std::string, std::int64_t>> dtypes;  ///< dtype name, number of tensors
    std::vector<FileCheck> checks = {};  ///< results of check_file; files changed since are left out
};

struct CheckpointDescription {
    std::filesystem::path path;
    ModelCard card;      ///< card.family is empty if the checkpoint was not recognized
    std::string layout;  ///< "diffusers folder", "single file" ...
    std::vector<ComponentDescription> components;
    std::vector<LocalizableMessage> missing;  ///< absent components; each message has a value "component"
    std::vector<LocalizableMessage> reasons;  ///< why the checkpoint was or was not recognized
};

struct PhasePlan {
    Phase phase = Phase::load;
    double seconds = 0;  ///< estimate; 0: unknown
    std::int64_t memory_bytes = 0;
    std::vector<std::pair<std::string, std::int64_t>> parts;  ///< weights, activations ...
};

/// A run as it would be executed, with estimates. Computed without loading weights.
struct Plan {
    VideoRequest request;  ///< resolved
    ModelCard card;
    PolicySummary policy;
    std::vector<PhasePlan> phases;
    std::int64_t peak_memory_bytes = 0;
    std::int64_t free_memory_bytes = 0;
    LocalizableMessage free_memory_limit;  ///< the limit that reduces free_memory_bytes; empty: none
    double seconds = 0;                    ///< estimate for the whole run; 0: unknown
    std::vector<std::string> notes;
    /// The error with which a run would fail now, because weights are missing, which a plan does not need.
    std::optional<Error> missing_weights = {};
};

/// Models, presets and plans. Arguments and results are plain values, so that a proxy in another process could
/// implement the interface. Every method may be called from any thread and blocks until it is done.
class ModelCatalog {
public:
    virtual ~ModelCatalog() = default;

    /// Returns the model cards of all available models, the built-in one first.
    virtual std::vector<ModelCard> models() = 0;
    /// Returns the model card. Reads only metadata, a few small reads. Throws Error.
    virtual ModelCard card(const std::string& model) = 0;
    /// Returns the model card for a request whose `components` replace parts of its model. Throws Error.
    virtual ModelCard card(const VideoRequest& request) = 0;
    virtual CheckpointDescription describe_checkpoint(const std::filesystem::path& path) = 0;
    /// Reads a weight file in full: computes its SHA-256, looks up the published one, and scans every tensor for
    /// invalid values. Sends FileCheckProgress. describe_checkpoint returns the result until the file changes.
    /// `id` is chosen by the caller and must be unique. Throws Error(cancelled) after cancel_check(id), and Error if
    /// the file cannot be read.
    virtual FileCheck check_file(const std::filesystem::path& file, CheckId id) = 0;
    /// Makes check_file(..., id) stop soon, whether it is running or called later. Returns immediately.
    virtual void cancel_check(CheckId id) = 0;
    /// Returns all presets, adapted to this request's model and device. Leaves out invalid presets of the user, which
    /// the log names.
    virtual std::vector<PresetInfo> presets(const VideoRequest& request) = 0;
    /// Resolves a request and estimates its time and memory. Throws Error(bad_request), which lists all faults.
    virtual Plan plan(const VideoRequest& request) = 0;
    /// Returns the number of text tokens of a prompt, including the end token. Loads the model's tokenizer on first
    /// use.
    virtual int count_tokens(const std::string& model, const std::string& prompt) = 0;
};

}  // namespace kinescope
