#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/api/compute_precision.h"
#include "core/api/detector.h"
#include "core/api/error.h"
#include "core/api/numeric_sample.h"

namespace kinescope {

/// The place at which the values of a run became unusable.
struct NumericFault {
    Detector detector = Detector::weights;
    Phase phase = Phase::load;
    int step = 0;                ///< 0-based
    std::string component = {};  ///< empty: `site` is the whole name, or the weight belongs to `file`
    std::string site = {};       ///< e.g. "blocks.1.ffn", "frames", or the name of a weight
    ComputeMode computed = {};
    std::string found = {};           ///< "3 NaN and 0 Inf of 4096 values"
    std::filesystem::path file = {};  ///< file of a weight; empty if the value was computed
};

/// An Error about the values of a run: ErrorCode::not_finite or ErrorCode::frames_black. Its arguments describe the
/// fault: phase, step (1-based), site, detector, found, and, if known, component and dtype.
class NumericError : public Error {
public:
    /// `more` contains additional arguments.
    NumericError(ErrorCode code, std::string message, std::string hint, NumericFault fault,
                 std::map<std::string, std::string> more = {});

    const NumericFault& fault() const { return fault_; }

private:
    NumericFault fault_;
};

}  // namespace kinescope
