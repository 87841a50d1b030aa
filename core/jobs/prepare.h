#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "core/finish/finish_memory.h"
#include "core/jobs/plan/presets.h"
#include "core/media/clip_cursor.h"
#include "core/media/image_io.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// Returns the path of a model: kBuiltinModel is in the resources; any other name is a path. Throws
/// Error(file_not_found) if the resources are missing.
std::filesystem::path model_path(const std::string& model, const std::filesystem::path& resources_dir);

/// A model's files with its family and card.
struct IdentifiedModel {
    ModelFiles files;
    const ModelFamily* family = nullptr;
    ModelCard card;
};
/// Identifies a model by its metadata. `replaced`: see VideoRequest::components. `check` is called before a weight file
/// is opened, except for files of the built-in model. Throws Error.
IdentifiedModel identify_model(const std::string& model, const std::filesystem::path& resources_dir,
                               const std::vector<std::pair<std::string, std::filesystem::path>>& replaced = {},
                               const WeightCheck& check = {});

/// The purpose of a job. A plan needs no weights, only configs, and may use a described device. A survey is a plan
/// without content: it needs neither a prompt nor an image.
enum class Purpose { run, plan, survey };

/// The environment of a job.
struct PrepareOptions {
    std::filesystem::path resources_dir;
    std::vector<DeviceCapability> devices;  ///< in the order of known_devices: accelerators first
    Purpose purpose = Purpose::run;
    /// Checks that an image from the user is readable. Throws the errors of read_image.
    std::function<void(const std::filesystem::path&)> check_image = [](const auto& file) { read_image(file); };
    /// Checks that a file has sound that can be read; empty: no check. Throws the errors of GuardedReader::check_sound.
    std::function<FileExtent(const std::filesystem::path&)> check_sound = {};
    /// Reads the user's videos. Throws the errors of ClipCursor::read.
    ReadClip read_clip = [cursor = std::make_shared<ClipCursor>()](const auto& file, int first) {
        return cursor->read(file, first);
    };
    /// Reads masks like `read_clip`, but puts transparent parts on black instead of white.
    ReadClip read_mask = [cursor = std::make_shared<ClipCursor>()](const auto& file, int first) {
        return cursor->read(file, first, Background::black);
    };
    /// Called before a weight file of a model other than the built-in one is opened.
    WeightCheck check_weights = {};
    /// Memory that earlier runs of this process have added to it, see MemoryJob::touched_bytes.
    std::int64_t touched_bytes = 0;
};

/// Reads all shipped and user presets, see read_presets(). Throws Error(bad_config).
PresetList presets(const PrepareOptions& options);

/// Returns a function that chooses the settings of a preset according to the memory plan. A smaller size has the aspect
/// ratio of the request's picture or video, which is read with `read`. `model` must outlive the function. The function
/// returns no fields if nothing fits or the model cannot be planned.
FieldsThatFit fields_that_fit(const IdentifiedModel& model, ReadClip read);

/// Returns the steps with the paths of networks that are named without their folder, see named_file.
FinishSteps with_found_networks(FinishSteps steps);

/// Returns the memory of the finish steps of a request; all zero if they change no frames. Throws the errors of
/// network_sizes and plan_finish.
FinishMemory finish_memory_of(const ResolvedRequest& request, const Device& device);

/// Throws the errors of opening the networks of finish steps, before hours are spent on the parts of a long video.
void check_finish(const FinishSteps& steps, const PrepareOptions& options);

/// Throws Error(bad_request) if the output of a request would replace one of its pictures, videos or sound files.
void refuse_to_replace_sources(const VideoRequest& request);

/// Makes all decisions before the first tensor is computed: the model, the resolved request with preset and seed, and
/// the policy. Throws Error(bad_request) with all faults, and the errors of reading the model's metadata.
PreparedRun prepare_job(const VideoRequest& request, const PrepareOptions& options);

/// Returns the format of most of a component's bytes: the most frequent quantized format if quantized formats have more
/// bytes than plain ones, otherwise the most frequent plain dtype.
StoredFormat stored_format(const CheckpointReader& weights);

}  // namespace kinescope
