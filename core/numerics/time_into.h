#pragma once

#include "core/base/stopwatch.h"

namespace kinescope {

/// Adds the lifetime of this object to a sum of seconds.
class TimeInto {
public:
    explicit TimeInto(double& sum) : sum_(sum) {}
    TimeInto(const TimeInto&) = delete;
    TimeInto& operator=(const TimeInto&) = delete;
    ~TimeInto() { sum_ += watch_.seconds(); }

private:
    double& sum_;
    Stopwatch watch_;
};

}  // namespace kinescope
