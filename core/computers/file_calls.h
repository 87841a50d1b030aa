#pragma once

#include <memory>
#include <vector>

#include "core/computers/file_store.h"
#include "core/remote/call_table.h"

namespace kinescope::computers {

/// The calls that an engine on another computer has in addition to those of Engine: `files.*`, `models.match` and
/// `jobs.submit_once`. resources/engine_protocol.md describes them.
std::vector<remote::Call> file_calls(const std::shared_ptr<FileStore>& store);

}  // namespace kinescope::computers
