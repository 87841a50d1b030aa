#pragma once

#include <string>
#include <vector>

#include "core/weights/formats/unpickler.h"

namespace kinescope {

struct NamedPickleTensor {
    std::string name;
    PickleTensor tensor;
};

/// Lists the tensors of a pickle with their names, in file order:
///   - joins keys of dicts, and indices of lists and tuples, by dots;
///   - skips the name of a wrapper: a dict without direct tensors in which only one value contains tensors, or a dict
///     with an entry "state_dict", "model_state_dict", "model_state", "model" or "module" that contains tensors;
///     ignores the other entries of a wrapper (such as an optimizer);
///   - ignores values that are not tensors.
/// Throws Error(checkpoint_corrupt) for duplicate names and for excessive nesting.
std::vector<NamedPickleTensor> list_pickle_tensors(const Unpickler& pickle, const Refusal& refusal);

}  // namespace kinescope
