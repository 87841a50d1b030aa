#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "core/api/error.h"

namespace kinescope {

struct RunFingerprint;

/// What made steps or a complete part of a video, as it is saved with them: texts by name.
using SavedSetup = std::map<std::string, std::string>;

SavedSetup saved_setup(const RunFingerprint& fingerprint);

/// Returns true if a run with this fingerprint repeats the numbers of the setup bit for bit.
bool is_same_run(const SavedSetup& setup, const RunFingerprint& now);
/// Returns the device of the setup, or an empty string if it is unknown.
std::string device_of(const SavedSetup& setup);

/// Throws Error(bad_config) with the cause kStepsOfOtherSetup if the setup has another program or model. `folder`
/// contains what it made.
void require_same_model(const SavedSetup& setup, const RunFingerprint& now, const std::filesystem::path& folder);
/// The same for another request.
void require_same_request(const SavedSetup& setup, const RunFingerprint& now, const std::filesystem::path& folder);

/// Throws the error of a folder of another program, model or precision.
[[noreturn]] void throw_other_setup(const std::filesystem::path& folder);
/// Returns the error of a folder whose steps or part cannot be continued for this reason.
Error not_usable(const std::filesystem::path& folder, const std::string& reason);

/// Returns the files of the model that were modified since the setup was saved, and of which only samples are compared.
std::set<std::filesystem::path> modified_since(const SavedSetup& setup, const RunFingerprint& now);

/// Warns that steps up to `step` were made on another device.
std::string device_warning(const std::string& before, const std::string& now, int step);
/// Warns of modified files of the model. Copies of a model on other computers may have other times, too.
std::string modified_warning(const std::set<std::filesystem::path>& files);

}  // namespace kinescope
