#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/computers/file_store.h"
#include "core/remote/call_table.h"

namespace kinescope::computers {

/// The calls that an engine on another computer has in addition to those of Engine: `files.*`, `models.match`,
/// `cluster.check` and `jobs.submit_once`. resources/engine_protocol.md describes them. `check_cluster`: as in
/// KeptEngine. All connections of an engine must use the same calls, so that no request is queued twice.
std::vector<remote::Call> file_calls(const std::shared_ptr<FileStore>& store,
                                     const std::function<void()>& check_cluster);

}  // namespace kinescope::computers
