#pragma once

#include <filesystem>
#include <vector>

#include "app/cli/progress.h"
#include "app/cli/request_arguments.h"
#include "app/cli/session.h"

// One function for each command; each has a file of its own. They return the exit code and throw Error.
namespace kinescope::cli {

struct GenerateArguments {
    RequestArguments request;
    std::filesystem::path batch;  ///< JSON Lines, one request each
    ProgressKind progress = ProgressKind::automatic;
};
int generate(const Session& session, const GenerateArguments& arguments);

enum class ResumeChoice { only, last, all };  ///< without a name: the only job there is, the newest, or every one

/// What is done with a job that was left.
enum class ResumeAction {
    go_on,       ///< from its last finished step
    decode_now,  ///< the video of its last finished step
    start_over,  ///< from its first step
    discard      ///< deletes it
};

struct ResumeArguments {
    std::string job;  ///< empty: as `choice` says
    ResumeChoice choice = ResumeChoice::only;
    ResumeAction action = ResumeAction::go_on;
    ProgressKind progress = ProgressKind::automatic;
};
int resume(const Session& session, const ResumeArguments& arguments);

int plan(const Session& session, const RequestArguments& arguments);

enum class InspectDepth { names, numbers };  ///< numbers: every byte of the weights is read

struct InspectArguments {
    std::filesystem::path path;
    InspectDepth depth = InspectDepth::names;
};
/// What a model's file or folder is, or the settings that a video holds. 1: a file is not the one that was published;
/// 4: one holds numbers that are none.
int inspect(const Session& session, const InspectArguments& arguments);

struct VerifyArguments {
    std::vector<std::filesystem::path> case_dirs;
    VerifyOptions options;
};
int verify(const Session& session, const VerifyArguments& arguments);

enum class OverrideAction { list, forget };

struct DoctorArguments {
    OverrideAction overrides = OverrideAction::list;
    CanaryMode canary = CanaryMode::cached;
};
int doctor(const Session& session, const DoctorArguments& arguments);

int list_devices(const Session& session);

int list_models(const Session& session);

struct PresetsArguments {
    std::string model = VideoRequest().model;
    std::string device = VideoRequest().device;
};
/// The presets that can be chosen for a model, what they set and what that costs.
int list_presets(const Session& session, const PresetsArguments& arguments);

struct BenchArguments {
    RequestArguments request;
    int repeats = 5;
};
int bench(const Session& session, const BenchArguments& arguments);

struct CompareArguments {
    std::filesystem::path a;
    std::filesystem::path b;
    CompareTolerance tolerance;
};
int compare(const Session& session, const CompareArguments& arguments);

}  // namespace kinescope::cli
