#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/commands.h"

// Kinds of values and options that several commands have.
namespace kinescope::cli {

/// For options that count: reads them in base 10, as a request does, before other checks. CLI11 would take a number
/// with a zero at its start as octal.
CLI::Validator decimal();

/// Returns what is wrong with a tolerance or a time. NaN and infinity would let any two files agree, or none, and a
/// range does not exclude NaN.
std::string finite_fault(const std::string& text);

/// Lets an option of a list type be repeated, with one word each time. Returns the option. CLI11 would otherwise accept
/// several words at once, and split a word in square brackets at its commas.
CLI::Option* make_repeatable(CLI::Option* option);

/// The group of options that the help does not show, because only Kinescope calls itself with them. CLI11 hides options
/// without a group, but then leaves their names out of messages, too.
inline constexpr auto kHiddenGroup = "Hidden";

/// Adds --progress.
void add_progress(CLI::App& command, ProgressKind& progress);
/// Adds --jobs.
void add_jobs_dir(CLI::App& command, std::filesystem::path& jobs_dir);
/// Adds --slurm and the options that need it. Returns --slurm.
CLI::Option* add_slurm(CLI::App& command, SubmitArguments& submit, const std::string& purpose);

/// Returns the progress to show: with --quiet, only the events that a program reads.
ProgressKind unless_quiet(ProgressKind progress, const Session& session);

/// Throws Error(bad_usage) if one of the options was given. `place`: where it has no effect.
void refuse_options(const CLI::App& command, const std::vector<std::string>& options, const std::string& place);

}  // namespace kinescope::cli
