#pragma once

#include <filesystem>
#include <vector>

#include "core/api/computers.h"

namespace kinescope::computers {

/// "<config>/computers.json".
std::filesystem::path computers_file();

/// Reads the list; empty if there is no file. Throws Error(bad_config or file_unreadable).
std::vector<Computer> read_computers(const std::filesystem::path& file);
/// Throws Error(output_not_writable or disk_full).
void save_computers(const std::filesystem::path& file, const std::vector<Computer>& computers);

/// Throws Error(bad_request) for an empty, too long or repeated name, and for what split_command refuses.
void check_computers(const std::vector<Computer>& computers);

/// The file in `folder` in which the jobs of a computer are saved. Different names have different files.
std::filesystem::path ledger_of(const std::filesystem::path& folder, const std::string& name);

}  // namespace kinescope::computers
