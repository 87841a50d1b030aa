#include "core/pipeline/float8_check.h"

#include "core/device/dtype.h"

namespace kinescope {

std::vector<Finding> check_float8(const std::vector<Float8Note>& weights) {
    std::vector<Finding> found;
    for (const Float8Note& weight : weights) {
        const NumericSample sample{.phase = Phase::load,
                                   .component = weight.component,
                                   .site = weight.weight,
                                   .precision = {ElementType::float8_e4m3fn}};
        for (Finding& finding : find_float8({.sample = sample, .saturated = weight.saturated, .zero = weight.zero})) {
            if (!c10::isFloat8Type(weight.kept)) {
                finding.weight = Finding::Weight::avoided;
                finding.instead = {element_type(weight.kept)};
            }
            found.push_back(std::move(finding));
        }
    }
    return found;
}

}  // namespace kinescope
