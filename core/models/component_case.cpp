#include "core/models/component_case.h"

#include <array>

#include "core/api/error.h"
#include "core/models/stepvideo/component_case.h"

namespace kinescope {

namespace {

constexpr std::array kRunners{&stepvideo::run_component};

}  // namespace

ComponentOutputs run_component(const ComponentCase& given, const ForwardContext& context) {
    for (const auto& run : kRunners)
        if (auto outputs = run(given, context); !outputs.empty()) return outputs;
    throw Error(ErrorCode::model_unknown,
                "The component \"" + given.component + "\" does not belong to a supported family",
                "Only component cases of Step-Video are supported.", {{"component", given.component}});
}

}  // namespace kinescope
