#pragma once

#include <string>
#include <vector>

#include "core/weights/unpickler.h"

namespace kinescope {

struct NamedPickleTensor {
    std::string name;
    PickleTensor tensor;
};

/// The tensors of a pickle with their names, in its order:
///   - keys of dicts, and places in lists and tuples, are joined by dots;
///   - a dict without a tensor of its own of which only one value holds any is a wrapper, and so is one with an entry
///     "state_dict", "model_state_dict", "model_state", "model" or "module" that holds tensors, whatever lies beside it
///     (an optimizer): the name of the wrapper is left out, and what lies beside it, too;
///   - what is no tensor is left out.
/// Throws Error(checkpoint_corrupt) for names that come twice and for nesting that no honest file has.
std::vector<NamedPickleTensor> list_pickle_tensors(const Unpickler& pickle, const Refusal& refusal);

}  // namespace kinescope
