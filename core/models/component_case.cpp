#include "core/models/component_case.h"

#include "core/api/error.h"
#include "core/models/model_family.h"

namespace kinescope {

ComponentOutputs run_component(const ComponentCase& given, const ForwardContext& context) {
    for (const auto* family : model_families())
        if (auto outputs = family->run_component(given, context); !outputs.empty()) return outputs;
    throw Error(ErrorCode::model_unknown,
                "No supported family recognizes the tensors of the component \"" + given.component + "\" on their own",
                "Compare it with a case of a whole model, which contains a request.json.",
                {{"component", given.component}});
}

}  // namespace kinescope
